export type { Material, ProductEvent, ProductFields } from './events.js';
export type { ActiveProduct, IssuedPassport } from './decider.js';
export {
  addSupplierOfMaterial,
  anyProduct,
  findProduct,
  isDeleted,
  issuePassport,
  loadProduct,
  mayAddSupplierOfMaterial,
  passportsOf,
  type ProductFollowUp,
} from './handlers.js';
export {
  changesOfRow,
  createProductOfRow,
  holdKeysAgain,
  loadMarkedProduct,
  productOfRow,
  type RowFields,
  unnamedOrigins,
  updateProductOfRow,
} from './importing.js';
export { type HeldKeys, holdFree, keyTexts, ownersOfKeys, restoreKeys } from './keys.js';
