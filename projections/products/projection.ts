import type { ProductEvent, ProductFields } from '../../src/modules/products/events.js';
import { insert, patch, projection, remove, table, type Row } from '../projection.js';

export const products = table({
  name: 'products',
  key: ['id'],
  columns: {
    id: 'text',
    organization_id: 'text',
    name: 'text',
    sku: 'text',
    gtin: 'text',
    external_id: 'text',
    category_id: 'text',
    subcategory: 'text',
    weight_kg: 'double precision',
    weight_estimated: 'boolean',
    country_of_manufacture: 'text',
    ecommerce_url: 'text',
    care_instructions: 'text',
    expected_lifespan: 'text',
    recyclable: 'boolean',
    recycling_instructions: 'text',
    material_count: 'integer',
    materials: 'text',
    supplier_name: 'text',
    import_id: 'text',
    created_at: 'bigint',
    updated_at: 'bigint',
  },
});

const COLUMN_OF = {
  name: 'name',
  sku: 'sku',
  gtin: 'gtin',
  externalId: 'external_id',
  categoryId: 'category_id',
  subcategory: 'subcategory',
  weightKg: 'weight_kg',
  weightEstimated: 'weight_estimated',
  countryOfManufacture: 'country_of_manufacture',
  ecommerceUrl: 'ecommerce_url',
  careInstructions: 'care_instructions',
  expectedLifespan: 'expected_lifespan',
  recyclable: 'recyclable',
  recyclingInstructions: 'recycling_instructions',
  supplierName: 'supplier_name',
} as const satisfies Record<Exclude<keyof ProductFields, 'materials'>, string>;

/** The columns of those fields that an update names; fields that the list does not show have none. */
function changedColumns(changes: Partial<ProductFields>): Row {
  const columns: Record<string, Row[string]> = {};
  for (const [field, column] of Object.entries(COLUMN_OF)) {
    const value = changes[field as keyof typeof COLUMN_OF];
    if (value !== undefined) columns[column] = value;
  }
  if (changes.materials !== undefined) {
    columns['material_count'] = changes.materials.length;
    columns['materials'] = JSON.stringify(changes.materials);
  }
  return columns;
}

export const productsProjection = projection<ProductEvent>({
  ProductCreated: ({ data, metadata }) => [
    insert(products, {
      id: data.productId,
      organization_id: data.organizationId,
      name: data.name,
      sku: data.sku,
      gtin: data.gtin,
      external_id: data.externalId,
      category_id: data.categoryId,
      subcategory: data.subcategory,
      weight_kg: data.weightKg,
      weight_estimated: data.weightEstimated,
      country_of_manufacture: data.countryOfManufacture,
      ecommerce_url: data.ecommerceUrl,
      care_instructions: data.careInstructions,
      expected_lifespan: data.expectedLifespan,
      recyclable: data.recyclable,
      recycling_instructions: data.recyclingInstructions,
      material_count: data.materials.length,
      materials: JSON.stringify(data.materials),
      supplier_name: data.supplierName ?? null,
      import_id: metadata.import?.importId ?? null,
      created_at: metadata.recordedAt,
      updated_at: metadata.recordedAt,
    }),
  ],
  ProductUpdated: ({ data, metadata }) => [
    patch(
      products,
      { id: data.productId },
      {
        ...changedColumns(data.changes),
        import_id: metadata.import?.importId ?? null,
        updated_at: metadata.recordedAt,
      },
    ),
  ],
  ProductDeleted: ({ data }) => [remove(products, { id: data.productId })],
});
