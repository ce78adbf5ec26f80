import { assertNever } from '../../core/assert-never.js';
import type { FormLocale } from '../locale.js';
import { subjectLine, type MailBlock, type MailContent } from './blocks.js';
import { mailHtml } from './html.js';

/** The same content as subject, text and HTML. */
export function renderMail(mail: {
  readonly locale: FormLocale;
  readonly subject: string;
  readonly heading: string;
  readonly blocks: readonly MailBlock[];
}): MailContent {
  return {
    subject: subjectLine(mail.subject),
    text: `${[mail.heading, ...mail.blocks.map(blockText)].join('\n\n')}\n`,
    html: mailHtml(mail),
  };
}

function blockText(block: MailBlock): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text;
    case 'facts':
      return block.rows.map(([name, value]) => `${name}: ${value}`).join('\n');
    case 'quote':
      return `${block.title}\n${block.text
        .split(/\r\n|\r|\n/)
        .map((line) => `> ${line}`)
        .join('\n')}`;
    case 'list':
      return block.items.map((item) => `- ${item}`).join('\n');
    case 'action':
      return `${block.label}:\n${block.href}`;
    case 'small':
      return block.text;
    default:
      return assertNever(block);
  }
}
