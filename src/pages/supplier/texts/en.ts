import type { CatalogueKind } from '../views.js';

export interface SupplierTexts {
  readonly home: string;
  readonly signedInAs: (email: string) => string;
  readonly unprovenTitle: string;
  readonly unproven: string;
  readonly mailProof: string;
  readonly proofMailed: (email: string) => string;
  readonly requests: string;
  readonly noRequests: string;
  readonly order: string;
  readonly answered: string;
  readonly changes: string;
  readonly published: string;
  readonly catalogue: string;
  readonly catalogueHelp: string;
  readonly certificates: string;
  readonly brands: string;
  readonly noBrands: string;
  readonly declined: string;
  readonly accept: (brand: string) => string;
  readonly acceptHelp: string;
  readonly decline: (brand: string) => string;
  readonly declineHelp: string;
  readonly signOut: string;
  readonly pages: string;
  readonly kinds: Readonly<
    Record<CatalogueKind, { readonly title: string; readonly add: string; readonly none: string }>
  >;
  readonly fields: Readonly<
    Record<
      | 'name'
      | 'productType'
      | 'materialType'
      | 'percentage'
      | 'originCountry'
      | 'address'
      | 'country'
      | 'activities'
      | 'tier'
      | 'contactEmail'
      | 'type'
      | 'number'
      | 'issuer'
      | 'validFrom'
      | 'validUntil'
      | 'file',
      string
    >
  >;
  readonly materialRow: (number: number) => string;
  readonly activitiesHelp: string;
  readonly certificateHelp: string;
  readonly fileHelp: string;
  readonly fileKept: string;
  readonly productTypes: Readonly<Record<'fabric' | 'yarn' | 'trim' | 'garment' | 'other', string>>;
  readonly choose: string;
  readonly save: string;
  readonly remove: (name: string) => string;
  readonly change: (name: string) => string;
  readonly cancel: string;
  readonly saved: string;
  readonly removed: string;
  readonly refusedTitle: string;
  readonly refused: string;
  readonly refusedMaterials: string;
  readonly refusedFile: string;
  readonly refusedTaken: string;
  readonly refusedFull: string;
  readonly refusedUsedUp: string;
  readonly refusedQuota: string;
  readonly validUntil: (day: string) => string;
  readonly expired: (day: string) => string;
  readonly noEnd: string;
  readonly openFile: string;
}

export const en: SupplierTexts = {
  home: 'Your factory',
  signedInAs: (email) => `Signed in as ${email}`,
  unprovenTitle: 'Please confirm your address',
  unproven: 'Open the link that we mailed to you when you signed up. Requests of brands are shown after that.',
  mailProof: 'Mail the link again',
  proofMailed: (email) => `The link is on its way to ${email}.`,
  requests: 'Requests',
  noRequests: 'No brand is waiting for data from you.',
  order: 'Order',
  answered: 'answered',
  changes: 'changes asked for',
  published: 'published',
  catalogue: 'Products and facilities',
  catalogueHelp: 'What you keep here is shown to the brands that you work with, and filled in for you in their forms.',
  certificates: 'Certificates',
  brands: 'Brands',
  noBrands: 'No brand has invited you yet.',
  declined: 'declined',
  accept: (brand) => `Share what you keep here with ${brand}`,
  acceptHelp:
    'A brand sees your products, facilities, certificates and suppliers only once you share them with it, or have answered one of its requests.',
  decline: (brand) => `Work with ${brand} no more`,
  declineHelp:
    'A brand that you work with no more sees nothing of your catalogue, its open requests close, and it cannot send you new ones.',
  signOut: 'Sign out',
  pages: 'Pages',
  kinds: {
    products: { title: 'Products', add: 'Add a product', none: 'No products yet.' },
    facilities: { title: 'Facilities', add: 'Add a facility', none: 'No facilities yet.' },
    subSuppliers: { title: 'Your suppliers', add: 'Add a supplier', none: 'No suppliers yet.' },
    certificates: { title: 'Certificates', add: 'Add a certificate', none: 'No certificates yet.' },
  },
  fields: {
    name: 'Name',
    productType: 'Kind of product',
    materialType: 'Material',
    percentage: 'Share in %',
    originCountry: 'Country of origin',
    address: 'Address',
    country: 'Country',
    activities: 'What is done there',
    tier: 'Tier',
    contactEmail: 'Email of a contact',
    type: 'Standard',
    number: 'Number',
    issuer: 'Issued by',
    validFrom: 'Valid from',
    validUntil: 'Valid until',
    file: 'Copy of the certificate',
  },
  materialRow: (number) => `Material ${number}`,
  activitiesHelp: 'One on each line.',
  certificateHelp: 'The same standard and number again changes the certificate that is there.',
  fileHelp: 'PDF, PNG or JPEG, at most 10 MB.',
  fileKept: 'PDF, PNG or JPEG, at most 10 MB. It takes the place of the copy that is there.',
  productTypes: { fabric: 'Fabric', yarn: 'Yarn', trim: 'Trim', garment: 'Garment', other: 'Other' },
  choose: 'Please choose',
  save: 'Save',
  remove: (name) => `Remove ${name}`,
  change: (name) => `Change ${name}`,
  cancel: 'Leave as it is',
  saved: 'Saved.',
  removed: 'Removed.',
  refusedTitle: 'Not saved yet',
  refused: 'Please check this field.',
  refusedMaterials: 'Please check the materials: the shares must add up to 100 %.',
  refusedFile: 'The file is not a PDF, PNG or JPEG of at most 10 MB.',
  refusedTaken: 'There is another certificate with this standard and number.',
  refusedFull: 'There are 1,000 entries already. Remove one first.',
  refusedUsedUp:
    'This catalogue takes no more entries of this kind, those included that were removed. Change one that is there.',
  refusedQuota: 'The copies of all your certificates take too much room. Remove one first.',
  validUntil: (day) => `valid until ${day}`,
  expired: (day) => `expired on ${day}`,
  noEnd: 'no end date',
  openFile: 'Open the copy',
};
