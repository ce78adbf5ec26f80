import type { RequestState } from '../views.js';

export const CATALOGUE_KINDS = ['products', 'facilities', 'subSuppliers', 'certificates'] as const;
export type CatalogueKind = (typeof CATALOGUE_KINDS)[number];

/** `/supplier`: what waits for the factory, and whom it works with. */
export interface SupplierHomeView {
  readonly email: string;
  /** Until then no brand's requests are shown. */
  readonly isProven: boolean;
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
  readonly brands: readonly { readonly supplierId: string; readonly brandName: string; readonly isDeclined: boolean }[];
}

/** One entry as the catalogue's pages list it. */
export interface EntryView {
  readonly id: string;
  readonly title: string;
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
  /** What was typed, by field, when the form was refused. */
  readonly typed: Readonly<Record<string, string>>;
  /** The fields that were refused; `file` for its kind or size. */
  readonly refused: readonly string[];
}

/** `/supplier/catalogue` and `/supplier/catalogue/certificates`: lists of entries, each with the form that adds one. */
export interface CataloguePageView {
  readonly path: '/supplier/catalogue' | '/supplier/catalogue/certificates';
  readonly sections: readonly CatalogueSectionView[];
  readonly today: string;
  readonly notice: 'added' | 'removed' | null;
}
