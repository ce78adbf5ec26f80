import { createHash } from 'node:crypto';
import { BASE_CSS } from './base.js';
import { FORM_CSS } from './form.js';
import { PASSPORT_CSS } from './passport.js';
import { TOKENS_CSS } from './tokens.js';

/** The one stylesheet, inlined into every page. */
export const STYLESHEET = (TOKENS_CSS + BASE_CSS + PASSPORT_CSS + FORM_CSS).replaceAll('\n', '');

const sha256 = createHash('sha256').update(STYLESHEET).digest('base64');

/**
 * The Content-Security-Policy of every page: no script, no frame, nothing from anywhere; styles only if they are the
 * bytes of `STYLESHEET`, pictures only inline, forms only to where the page came from.
 */
export const PAGE_CSP = [
  "default-src 'none'",
  `style-src 'sha256-${sha256}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
