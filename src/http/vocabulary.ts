import countries from 'i18n-iso-countries/index.js';
import { z } from 'zod';
import {
  BATCH_STATUSES,
  PLANS,
  PROPOSAL_STATES,
  REQUEST_ROLES,
  REQUEST_STATES,
  SHARING,
  ROLES,
  SUPPLIER_STATUSES,
} from '../core/vocabulary.js';
import { CATEGORIES, SUBCATEGORIES } from '../reference-data/categories.js';
import { MATERIALS } from '../reference-data/materials.js';
import { SCOPES } from './access.js';

/* The words of the interface with a closed list of values, each a named component of its description. */

const oneOf = <const Values extends readonly [string, ...string[]]>(id: string, description: string, values: Values) =>
  z.enum(values).meta({ id, description });

/** Ids of a table. */
const idOf = (id: string, table: readonly { readonly id: string }[], example: string, message: string) =>
  z.enum(table.map((row) => row.id) as [string, ...string[]], message).meta({ id, examples: [example] });

export const role = oneOf('Role', 'Of a member in its organization', ROLES);
export const plan = oneOf('Plan', 'What an organization has booked', PLANS);
export const scope = oneOf('Scope', 'What an API key may do; none includes another', SCOPES);

export const materialType = idOf(
  'MaterialType',
  MATERIALS,
  'cotton_organic',
  'must be a known material id, such as `cotton_organic`',
);
export const categoryId = idOf('CategoryId', CATEGORIES, 'textile_apparel', 'must be a known category');
export const subcategoryId = idOf('SubcategoryId', SUBCATEGORIES, 'tshirts', 'must be a known sub-category');

const COUNTRIES = new Set(Object.keys(countries.getAlpha2Codes()));

/** ISO 3166-1 alpha-2, taken in either case and kept in upper case. */
export const countryCode = z
  .string()
  .max(2)
  .toUpperCase()
  .refine((code) => COUNTRIES.has(code), 'must be a 2-letter country code')
  .meta({
    id: 'CountryCode',
    description: 'ISO 3166-1 alpha-2; taken in either case, answered in upper case',
    pattern: '^[A-Za-z]{2}$',
    examples: ['PT'],
  });

export const batchState = oneOf('BatchState', 'Where a batch stands', BATCH_STATUSES);
export const requestState = oneOf('RequestState', 'Where a request to a factory stands', REQUEST_STATES);
export const supplierState = oneOf(
  'SupplierState',
  'Where the link between brand and factory stands',
  SUPPLIER_STATUSES,
);
export const supplierRole = oneOf('SupplierRole', 'What a supplier is in a batch', REQUEST_ROLES);
export const proposalState = oneOf('ProposalState', 'Where a proposed supplier stands', PROPOSAL_STATES);
export const sharing = oneOf(
  'Sharing',
  "Whether the factory's catalogue is shown: `granted` once it has accepted or has answered a request",
  SHARING,
);
