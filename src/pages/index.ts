export { consumerJsonLd } from './consumer/json-ld.js';
export { renderConsumerNotFound, renderConsumerPage } from './consumer/page.js';
export { PAGE_CSP } from './design/stylesheet.js';
export { LOCALES, negotiateLocale, type Locale } from './locale.js';
