import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { messageOf } from '../start-error.js';
import { renderList, renderMessage, renderNotFound } from './pages.js';
import type { MessageStore } from './store.js';

/** The page holds a stranger's text: nothing in it may run or load. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'";
const MESSAGE_POLICY = "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src data: cid:";

const sendHtml = (response: ServerResponse, status: number, html: string, policy = PAGE_POLICY): void => {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  response.end(html);
};

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
};

const wantsPage = (request: IncomingMessage): boolean => (request.headers.accept ?? '').includes('text/html');

const answer = async (request: IncomingMessage, response: ServerResponse, store: MessageStore): Promise<void> => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://inbox');
  const [room, id, part] = pathname.split('/').filter((piece) => piece !== '');
  const reading = request.method === 'GET' || request.method === 'HEAD';

  if (reading && room === undefined) {
    sendHtml(response, 200, renderList(store.list(searchParams.get('to') ?? undefined)));
    return;
  }
  if (reading && room === 'health') {
    sendJson(response, 200, { ok: true });
    return;
  }
  if (room === 'messages' && id === undefined) {
    if (reading) {
      sendJson(response, 200, store.list(searchParams.get('to') ?? undefined));
      return;
    }
    if (request.method === 'DELETE') {
      await store.clear();
      sendJson(response, 200, { ok: true });
      return;
    }
    sendJson(response, 405, { error: 'only GET and DELETE' });
    return;
  }
  const message = reading && room === 'messages' && id !== undefined ? store.find(id) : undefined;
  if (message !== undefined && part === undefined) {
    if (wantsPage(request)) sendHtml(response, 200, renderMessage(message));
    else sendJson(response, 200, message);
    return;
  }
  if (message !== undefined && part === 'html') {
    sendHtml(response, 200, message.html, MESSAGE_POLICY);
    return;
  }
  if (wantsPage(request)) sendHtml(response, 404, renderNotFound());
  else sendJson(response, 404, { error: 'not found' });
};

export const createInboxHttpServer = (store: MessageStore, logger: Logger): Server =>
  createServer((request, response) => {
    answer(request, response, store).catch((error: unknown) => {
      logger.error({ error: messageOf(error) }, 'inbox request failed');
      if (!response.headersSent) sendJson(response, 500, { error: 'the inbox failed; its log says why' });
    });
  });
