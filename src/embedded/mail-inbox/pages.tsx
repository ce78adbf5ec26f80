import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { InboxMessage } from './store.js';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.4rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
a { color: light-dark(#0b57d0, #8ab4f8); }
ol { list-style: none; margin: 0; padding: 0; }
li { border-bottom: 1px solid var(--line); }
li a { display: block; padding: .6rem .5rem; text-decoration: none; color: inherit; overflow-wrap: anywhere; }
li a:hover, li a:focus-visible { background: var(--soft); }
.soft { opacity: .75; font-size: .9rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
dt { opacity: .75; } dd { margin: 0; }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: .4rem; padding: 1rem; margin: 0; }
iframe { width: 100%; height: 42rem; border: 1px solid var(--line); border-radius: .4rem; background: #fff; }
ul { margin: 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
`;

const Page = (props: { readonly title: string; readonly children: ComponentChildren }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{props.title}</title>
      <style dangerouslySetInnerHTML={{ __html: STYLE }} />
    </head>
    <body>{props.children}</body>
  </html>
);

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('T', ' ').slice(0, 19);

const render = (page: Parameters<typeof renderToString>[0]): string => `<!doctype html>${renderToString(page)}`;

export const renderList = (messages: readonly InboxMessage[]): string =>
  render(
    <Page title="Mail inbox">
      <h1>Mail inbox</h1>
      {messages.length === 0 ? (
        <p>No messages yet. Mails that the service sends in development end here.</p>
      ) : (
        <ol>
          {messages.map((message) => (
            <li key={message.id}>
              <a href={`/messages/${message.id}`}>
                <strong>{message.subject === '' ? '(no subject)' : message.subject}</strong>
                <br />
                <span class="soft">
                  to {message.to.join(', ')} · {timeOf(message.receivedAt)} UTC
                </span>
              </a>
            </li>
          ))}
        </ol>
      )}
    </Page>,
  );

export const renderMessage = (message: InboxMessage): string =>
  render(
    <Page title={message.subject}>
      <p>
        <a href="/">All messages</a>
      </p>
      <h1>{message.subject === '' ? '(no subject)' : message.subject}</h1>
      <dl>
        <dt>From</dt>
        <dd>{message.from}</dd>
        <dt>To</dt>
        <dd>{message.to.join(', ')}</dd>
        <dt>Received</dt>
        <dd>{timeOf(message.receivedAt)} UTC</dd>
        <dt>Message-ID</dt>
        <dd>{message.messageId ?? 'none'}</dd>
      </dl>
      {message.links.length > 0 && (
        <>
          <h2>Links</h2>
          <ul>
            {message.links.map((link) => (
              <li key={link}>
                <a href={link} rel="noreferrer">
                  {link}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      {message.html !== '' && (
        <>
          <h2>HTML</h2>
          <iframe title="The message's HTML" sandbox="allow-popups" src={`/messages/${message.id}/html`} />
        </>
      )}
      <h2>Text</h2>
      <pre>{message.text === '' ? '(none)' : message.text}</pre>
    </Page>,
  );

export const renderNotFound = (): string =>
  render(
    <Page title="Not found">
      <h1>Not found</h1>
      <p>
        <a href="/">All messages</a>
      </p>
    </Page>,
  );
