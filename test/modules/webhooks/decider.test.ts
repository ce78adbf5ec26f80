import { describe, expect, test } from 'vitest';
import { webhookDecider } from '../../../src/modules/webhooks/decider.js';
import type { EventName, WebhookEvent } from '../../../src/modules/webhooks/events.js';
import { given } from '../../support/given.js';
import { changed, created, deleted, gone, ref, replayAsked, rotated, webhookId } from './stories.js';

const webhook = (...events: WebhookEvent[]) => given(webhookDecider, events);
const stranger = { webhookId, organizationId: 'org_2' };

describe('CreateWebhook', () => {
  const create = (events: readonly EventName[]) =>
    ({ type: 'CreateWebhook', ...ref, url: 'https://hooks.example/a', events }) as const;

  test('stores a repeated event name once', () => {
    webhook()
      .when(create(['dpp.published', 'batch.created', 'dpp.published']))
      .then(created(['dpp.published', 'batch.created']));
  });
  test('sent again makes nothing, whatever has become of it', () => {
    webhook(created())
      .when(create(['batch.created']))
      .thenNothing();
    webhook(created(), deleted)
      .when(create(['batch.created']))
      .thenNothing();
  });
});

describe('ChangeWebhook', () => {
  const change = (changes: object) => ({ type: 'ChangeWebhook', ...ref, changes }) as const;

  test('says only what differs', () => {
    webhook(created())
      .when(change({ url: 'https://hooks.example/a', events: ['batch.created'], active: true }))
      .then(changed({ events: ['batch.created'] }));
    webhook(created())
      .when(change({ url: 'https://hooks.example/b', active: false }))
      .then(changed({ url: 'https://hooks.example/b', active: false }));
  });
  test('is nothing when nothing differs, the order of names and repeated names aside', () => {
    webhook(created()).when(change({})).thenNothing();
    webhook(created())
      .when(change({ events: ['dpp.published', 'batch.created', 'dpp.published'] }))
      .thenNothing();
  });
  test('resumes what a 410 had paused', () => {
    const resumed = webhook(created(), gone, changed({ active: true }));
    expect(resumed.state()).toMatchObject({ active: true, gone: false });
    webhook(created(), gone)
      .when(change({ active: true }))
      .then(changed({ active: true }));
  });
  test('keeps the mark of a 410 when something else changes', () => {
    const state = webhook(created(), gone, changed({ url: 'https://hooks.example/b' })).state();
    expect(state).toMatchObject({ active: false, gone: true });
  });
  test("finds no webhook that is unknown, deleted or another organization's", () => {
    webhook().when(change({})).thenRefuses('not_found');
    webhook(created(), deleted).when(change({})).thenRefuses('not_found');
    webhook(created())
      .when({ type: 'ChangeWebhook', ...stranger, changes: {} })
      .thenRefuses('not_found');
  });
});

describe('RotateSecret', () => {
  const rotate = (rotatedAt: number) => ({ type: 'RotateSecret', ...ref, rotatedAt }) as const;

  test('is told once for each rotation', () => {
    webhook(created()).when(rotate(7)).then(rotated(7));
    webhook(created(), rotated(7)).when(rotate(7)).thenNothing();
    webhook(created(), rotated(7)).when(rotate(8)).then(rotated(8));
  });
});

describe('AskReplay', () => {
  const ask = (replayId: string) => ({ type: 'AskReplay', ...ref, replayId, from: 1, to: 2, askedAt: 3 }) as const;

  test('is told once for each call', () => {
    webhook(created()).when(ask('a')).then(replayAsked('a'));
    webhook(created(), replayAsked('a')).when(ask('a')).thenNothing();
    webhook(created(), replayAsked('a')).when(ask('b')).then(replayAsked('b'));
  });
  test('is refused while the webhook is paused', () => {
    webhook(created(), gone).when(ask('a')).thenRefuses('webhook_paused');
    webhook(created(), changed({ active: false }))
      .when(ask('a'))
      .thenRefuses('webhook_paused');
  });
});

describe('PauseGone', () => {
  test('pauses once, and neither what is paused nor what is deleted', () => {
    const pause = { type: 'PauseGone', webhookId, sentAt: 5, changedAt: 5 } as const;
    webhook(created()).when(pause).then(gone);
    webhook(created(), gone).when(pause).thenNothing();
    webhook(created(), changed({ active: false }))
      .when(pause)
      .thenNothing();
    webhook(created(), deleted).when(pause).thenNothing();
    webhook().when(pause).thenNothing();
  });
  test('leaves one that was changed after what was answered had been sent', () => {
    webhook(created()).when({ type: 'PauseGone', webhookId, sentAt: 5, changedAt: 6 }).thenNothing();
  });
});

describe('DeleteWebhook', () => {
  test('deletes once, and again is no error', () => {
    webhook(created())
      .when({ type: 'DeleteWebhook', ...ref })
      .then(deleted);
    webhook(created(), deleted)
      .when({ type: 'DeleteWebhook', ...ref })
      .thenNothing();
  });
  test("finds none that is another organization's, deleted or not", () => {
    for (const events of [[created()], [created(), deleted], []]) {
      webhook(...events)
        .when({ type: 'DeleteWebhook', ...stranger })
        .thenRefuses('not_found');
    }
  });
});
