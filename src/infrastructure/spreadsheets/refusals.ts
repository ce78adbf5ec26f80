import { Refusal } from '../../core/errors.js';

export const unsupported = (detail: string): Refusal => new Refusal('unsupported_media_type', detail);

export const unreadable = (detail: string): Refusal => new Refusal('file_unreadable', detail);

export const noSheet = (message: string): Refusal =>
  new Refusal('invalid_input', message, { errors: [{ path: 'sheet', code: 'invalid_input', message }] });

export function unclearEncoding(why: string): Refusal {
  const message = `${why} Name the right one in \`encoding\`, or save the file as "CSV UTF-8".`;
  return new Refusal('file_unreadable', message, { errors: [{ path: 'encoding', code: 'file_unreadable', message }] });
}

export const tooLarge = (detail: string): Refusal => new Refusal('payload_too_large', detail);

const thousands = new Intl.NumberFormat('en');

export const tooManyRows = (limit: number): Refusal =>
  tooLarge(`The file has more than ${thousands.format(limit)} rows. Split it into several files.`);

export const tooManyColumns = (columns: number, limit: number): Refusal =>
  unreadable(`The sheet has ${thousands.format(columns)} columns; at most ${thousands.format(limit)} are read.`);
