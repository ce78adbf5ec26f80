import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startMailInbox, type RunningMailInbox } from '../../src/embedded/mail-inbox/start-mail-inbox.js';

const logger = pino({ level: 'silent' });

interface ListedMessage {
  id: string;
  messageId: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  links: string[];
}

describe('the mail inbox', () => {
  let dataDir: string;
  let inbox: RunningMailInbox;
  const start = (maxMessages = 1_000) => startMailInbox({ smtpPort: 0, httpPort: 0, dataDir, logger, maxMessages });

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'passport-inbox-'));
    inbox = await start();
  });
  afterEach(async () => {
    await inbox.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const send = async (mail: SendMailOptions): Promise<void> => {
    const transport = nodemailer.createTransport(inbox.smtpUrl);
    try {
      await transport.sendMail({ from: 'Passports <noreply@passport.example>', ...mail });
    } finally {
      transport.close();
    }
  };
  const list = async (query = ''): Promise<ListedMessage[]> =>
    (await (await fetch(`${inbox.httpUrl}/messages${query}`)).json()) as ListedMessage[];

  it('shows a mail with its text, its HTML, its message id and the links in both, each once', async () => {
    await send({
      to: 'mill@factory.example',
      subject: 'Données de production – Größe',
      messageId: '<req_1@passport.example>',
      text: 'Please open http://localhost:3000/f/abc.\nThanks',
      html: '<p><a href="http://localhost:3000/f/abc">open</a> <a href="https://example.com/?a=1&amp;b=2">more</a></p>',
    });
    const [message] = await list();
    expect(message).toMatchObject({
      from: 'noreply@passport.example',
      to: ['mill@factory.example'],
      subject: 'Données de production – Größe',
      messageId: '<req_1@passport.example>',
      links: ['http://localhost:3000/f/abc', 'https://example.com/?a=1&b=2'],
    });
    expect(message?.text).toContain('Please open');
    expect(message?.html).toContain('<p>');
  });

  it('lists newest first and filters by recipient, whatever the case', async () => {
    for (const name of ['a', 'b', 'a']) await send({ to: `${name}@x.example`, subject: `to ${name}`, text: 'hi' });
    expect((await list()).map(({ subject }) => subject)).toEqual(['to a', 'to b', 'to a']);
    expect((await list('?to=B@X.example')).map(({ subject }) => subject)).toEqual(['to b']);
  });

  it('refuses addresses that begin with bounce, for good, and takes the others of the same mail', async () => {
    await expect(send({ to: 'bounce+1@x.example', text: 'hi' })).rejects.toMatchObject({ responseCode: 550 });
    await send({ to: ['bounce@x.example', 'good@x.example'], subject: 'both', text: 'hi' });
    expect((await list()).map(({ to }) => to)).toEqual([['good@x.example']]);
  });

  it('keeps its messages, and their order, over a restart, and forgets them on DELETE', async () => {
    await send({ to: 'a@x.example', subject: 'first', text: 'hi' });
    await send({ to: 'a@x.example', subject: 'second', text: 'hi' });
    await inbox.stop();
    inbox = await start();
    expect((await list()).map(({ subject }) => subject)).toEqual(['second', 'first']);
    expect((await fetch(`${inbox.httpUrl}/messages`, { method: 'DELETE' })).status).toBe(200);
    expect(await list()).toEqual([]);
    await inbox.stop();
    inbox = await start();
    expect(await list()).toEqual([]);
  });

  it('keeps only the newest messages beyond its bound', async () => {
    await inbox.stop();
    inbox = await start(2);
    for (const subject of ['1', '2', '3']) await send({ to: 'a@x.example', subject, text: 'hi' });
    expect((await list()).map(({ subject }) => subject)).toEqual(['3', '2']);
  });

  it("escapes a stranger's markup in its pages and lets no script in them run", async () => {
    await send({ to: 'a@x.example', subject: '<script>alert(1)</script>', text: '<b>bold</b>', html: '<i>hi</i>' });
    const [message] = await list();
    for (const path of ['/', `/messages/${message?.id ?? ''}`]) {
      const page = await fetch(`${inbox.httpUrl}${path}`, { headers: { accept: 'text/html' } });
      const html = await page.text();
      expect(html).toContain('&lt;script>');
      expect(html).not.toContain('<script>');
      expect(html).not.toContain('<b>bold');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    const body = await fetch(`${inbox.httpUrl}/messages/${message?.id ?? ''}/html`);
    expect(body.headers.get('content-security-policy')).toContain('sandbox');
  });
});
