import type { JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assertNever } from '../../core/assert-never.js';
import { languageTag, type FormLocale } from '../locale.js';
import type { MailBlock } from './blocks.js';

// No colour of text or ground is set: a mail client's own light or dark pair stays whole. Only the button, which sets both.
const FONT =
  'font-family:-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-size:16px;line-height:1.5';
const STYLES = {
  body: `margin:0;padding:24px 16px;${FONT}`,
  sheet: 'max-width:560px;margin:0 auto',
  stitch: 'border:0;border-top:2px dashed #c4473c;margin:0 0 24px',
  heading: 'font-size:22px;line-height:1.25;margin:0 0 16px',
  paragraph: 'margin:0 0 16px',
  facts: 'margin:0 0 16px',
  name: 'font-size:13px;opacity:.75;margin:0',
  value: 'margin:0 0 8px;font-weight:600',
  quote: 'margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #c4473c',
  quoted: 'margin:4px 0 0;white-space:pre-line',
  list: 'margin:0 0 16px;padding:0 0 0 20px',
  action: 'margin:24px 0 8px',
  button:
    'display:inline-block;padding:13px 24px;border-radius:24px;background-color:#1d4e89;color:#ffffff;font-weight:600;text-decoration:none',
  address: 'margin:0 0 24px;font-size:13px;word-break:break-all',
  small: 'margin:0 0 8px;font-size:13px;opacity:.75',
} as const;

/** The HTML part: no tables, no pictures, nothing fetched, readable on light and dark ground. */
export function mailHtml(mail: {
  readonly locale: FormLocale;
  readonly heading: string;
  readonly blocks: readonly MailBlock[];
}): string {
  return `<!doctype html>${renderToString(
    <html lang={languageTag(mail.locale)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{mail.heading}</title>
      </head>
      <body style={STYLES.body}>
        <div style={STYLES.sheet}>
          <hr style={STYLES.stitch} />
          <h1 style={STYLES.heading}>{mail.heading}</h1>
          {mail.blocks.map((block) => (
            <Block block={block} />
          ))}
        </div>
      </body>
    </html>,
  )}`;
}

function Block({ block }: { readonly block: MailBlock }): JSX.Element {
  switch (block.kind) {
    case 'paragraph':
      return <p style={STYLES.paragraph}>{block.text}</p>;
    case 'facts':
      return (
        <dl style={STYLES.facts}>
          {block.rows.map(([name, value]) => (
            <>
              <dt style={STYLES.name}>{name}</dt>
              <dd style={STYLES.value}>{value}</dd>
            </>
          ))}
        </dl>
      );
    case 'quote':
      return (
        <div style={STYLES.quote}>
          <strong>{block.title}</strong>
          <p style={STYLES.quoted}>{block.text}</p>
        </div>
      );
    case 'list':
      return (
        <ul style={STYLES.list}>
          {block.items.map((item) => (
            <li>{item}</li>
          ))}
        </ul>
      );
    case 'action':
      return (
        <>
          <p style={STYLES.action}>
            <a href={block.href} style={STYLES.button}>
              {block.label}
            </a>
          </p>
          <p style={STYLES.address}>{block.href}</p>
        </>
      );
    case 'small':
      return <p style={STYLES.small}>{block.text}</p>;
    default:
      return assertNever(block);
  }
}
