import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PAGE_CSP } from '../../../src/pages/index.js';

export interface PageServer {
  readonly origin: string;
  /** Forms that were sent, as name and value. */
  readonly posted: Record<string, string>[];
  readonly close: () => Promise<void>;
}

/** Serves each page at its path under the Content-Security-Policy of all pages; a POST answers with what `onPost` makes of it. */
export async function servePages(
  pages: Readonly<Record<string, string>>,
  onPost: (body: Record<string, string>, lang: string) => string = () => '',
): Promise<PageServer> {
  const posted: Record<string, string>[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      response.setHeader('Content-Type', 'text/html; charset=utf-8').setHeader('Content-Security-Policy', PAGE_CSP);
      if (request.method === 'POST') {
        const body = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
        posted.push(body);
        response.end(onPost(body, new URL(request.url ?? '', 'http://own').searchParams.get('lang') ?? ''));
        return;
      }
      response.statusCode = path in pages ? 200 : 404;
      response.end(pages[path] ?? '');
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posted,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
