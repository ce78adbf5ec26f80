export { renderAccountPage } from './accounts/page.js';
export { consumerJsonLd } from './consumer/json-ld.js';
export { renderConsumerNotFound, renderConsumerPage } from './consumer/page.js';
export { PAGE_CSP } from './design/stylesheet.js';
export { renderErrorPage } from './error/page.js';
export { renderFactoryLinkGone } from './factory-form/gone.js';
export { renderFactoryForm } from './factory-form/page.js';
export { parseFactoryForm } from './factory-form/parse.js';
export { renderJoinPage } from './join/page.js';
export {
  decimalSeparator,
  FORM_LOCALES,
  LOCALES,
  negotiateFormLocale,
  negotiateLocale,
  negotiateMailLocale,
  type FormLocale,
  type Locale,
} from './locale.js';
export { renderReference } from './reference/page.js';
export { renderTeamPage } from './team/page.js';
export { renderCataloguePage } from './supplier/catalogue.js';
export { renderSupplierHome } from './supplier/home.js';
