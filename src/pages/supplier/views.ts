import type { RequestState, Sharing } from '../../core/vocabulary.js';

import type { FormLocale } from '../locale.js';

export const CATALOGUE_KINDS = ['products', 'facilities', 'subSuppliers', 'certificates'] as const;
/** As many as a product of the catalogue may have. */
export const MAX_MATERIALS = 50;

export type CatalogueKind = (typeof CATALOGUE_KINDS)[number];

/** `/supplier`: what waits for the factory, and whom it works with. */
export interface SupplierHomeView {
  readonly email: string;
  /** Until then no brand's requests are shown. */
  readonly isProven: boolean;
  readonly notice: 'mailed' | null;
  /** The forms speak more languages than this page. */
  readonly formLocale: FormLocale;
  readonly requests: readonly {
    readonly id: string;
    readonly state: RequestState;
    readonly brandName: string;
    readonly productName: string;
    readonly poReference: string | null;
    readonly quantity: number;
    readonly unit: string;
    readonly isPublished: boolean;
  }[];
  readonly brands: readonly {
    readonly supplierId: string;
    readonly brandName: string;
    /** `asked`: the brand sees nothing of the catalogue until the factory accepts. */
    readonly sharing: Sharing;
  }[];
}

export const PRODUCT_TYPES = ['fabric', 'yarn', 'trim', 'garment', 'other'] as const;
export type ProductType = (typeof PRODUCT_TYPES)[number];

/** One entry as the catalogue's pages list it. */
export interface EntryView {
  readonly id: string;
  readonly title: string;
  readonly productType?: ProductType;
  readonly materials?: readonly {
    readonly materialType: string;
    readonly percentage: number;
    readonly originCountry: string | null;
  }[];
  readonly details: readonly string[];
  readonly country?: string | null;
  readonly tier?: number;
  readonly validUntil?: string | null;
  readonly fileHref?: string | null;
}

export interface CatalogueSectionView {
  readonly kind: CatalogueKind;
  readonly entries: readonly EntryView[];
  /** The entry whose form is open; null while the form is the one that adds an entry. */
  readonly editing: string | null;
  /** What the form shows, by field: what was typed when it was refused, or the entry as it is. */
  readonly typed: Readonly<Record<string, string>>;
  /** The fields that were refused; `file` for its kind or size, `taken` for a certificate that is there, `full` for no room. */
  readonly refused: readonly string[];
}

/** `/supplier/catalogue` and `/supplier/catalogue/certificates`: lists of entries, each with the form that adds or changes one. */
export interface CataloguePageView {
  readonly path: '/supplier/catalogue' | '/supplier/catalogue/certificates';
  readonly sections: readonly CatalogueSectionView[];
  readonly today: string;
  readonly notice: 'saved' | 'removed' | null;
}
