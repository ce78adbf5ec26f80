export type { FactoryEvent } from './events.js';
export { adoptCatalogue } from './adopt.js';
export { tellOfExpiringCertificates } from './certificate-notices.js';
export { expiryOf } from './expiry.js';
export { catalogueOf, certificatesOf, stateCertificates } from './handlers.js';
export { purgeCertificateFiles } from './purge.js';
