import type { FactoryEvent } from '../../src/modules/factory-portal/events.js';
import { insert, projection, remove, table } from '../projection.js';

/** Factories that have stated something; the brands' records of them are `suppliers`. */
export const factories = table({ name: 'factories', key: ['id'], columns: { id: 'text' } });

export const certificates = table({
  name: 'certificates',
  key: ['id'],
  columns: { id: 'text', factory_id: 'text' },
  counted: { table: 'factories', column: 'certificate_count', by: 'factory_id' },
});

export const catalogueProducts = table({
  name: 'catalogue_products',
  key: ['id'],
  columns: { id: 'text', factory_id: 'text' },
  counted: { table: 'factories', column: 'product_count', by: 'factory_id' },
});

export const factoriesProjection = projection<FactoryEvent>({
  CertificateRecorded: ({ data }) => [
    insert(factories, { id: data.factoryId }),
    insert(certificates, { id: data.certificateId, factory_id: data.factoryId }),
  ],
  CertificateRemoved: ({ data }) => [remove(certificates, { id: data.certificateId })],
  CatalogueProductAdded: ({ data }) => [
    insert(factories, { id: data.factoryId }),
    insert(catalogueProducts, { id: data.productId, factory_id: data.factoryId }),
  ],
  CatalogueProductRemoved: ({ data }) => [remove(catalogueProducts, { id: data.productId })],
});
