import type { FieldError } from '../core/errors.js';
import type { BatchStatus, ProposalState, RequestState, Role } from '../core/vocabulary.js';

/*
 * What each page shows, as plain data: the interface's records with their own field names, times in milliseconds since
 * the epoch, days as `YYYY-MM-DD`, names of people and companies already looked up. A field without a value is `null`.
 */

export interface MaterialView {
  /** Canonical material id, such as `cotton_organic`; the page says it in the reader's language. */
  readonly materialType: string;
  readonly percentage: number;
  /** 2-letter code. */
  readonly originCountry: string | null;
}

export interface CertificateView {
  readonly type: string;
  readonly number: string | null;
  readonly issuer: string | null;
  /** `YYYY-MM-DD`. */
  readonly validFrom: string | null;
  /** `YYYY-MM-DD`; a certificate is valid through this day (UTC). */
  readonly validUntil: string | null;
}

export type StageName = 'raw_materials' | 'manufacturing' | 'distribution' | 'use' | 'end_of_life';

/** The `pefcr` of a passport's content; its numbers are `null` where no score could be given. */
export interface ScoreView {
  readonly climate_change_per_unit: number | null;
  /** kg CO2e per unit of each life stage. */
  readonly breakdown: Readonly<Record<StageName, number | null>> | null;
  /** Negative: better than the average. */
  readonly vs_average_pct: number | null;
  readonly data_quality: {
    /** 1 best, 5 worst. */
    readonly dqr: number | null;
    /** `excellent | very_good | good | fair | poor`. */
    readonly level: string | null;
    readonly primary_share_pct: number | null;
    /** From the closed list in `docs/score.md`. */
    readonly flags: readonly string[];
  };
}

/** Everything that a version of a passport says: the `content` of the events of the passport's stream. */
export type ProductionStep = 'spinning' | 'fabric' | 'dyeing' | 'making';

export interface PassportContentView {
  readonly brandName: string;
  readonly productName: string;
  readonly sku: string | null;
  readonly categoryId: string;
  readonly subcategory: string | null;
  readonly weightKg: number | null;
  readonly weightEstimated: boolean;
  readonly countryOfManufacture: string | null;
  readonly factoryCountry: string | null;
  readonly materials: readonly MaterialView[];
  readonly careInstructions: string | null;
  readonly expectedLifespan: string | null;
  readonly recyclable: boolean | null;
  readonly recyclingInstructions: string | null;
  /** Shown only as an http or https link. */
  readonly ecommerceUrl: string | null;
  readonly certificates: readonly CertificateView[];
  readonly quantity: number;
  readonly unit: string;
  /** `YYYY-MM-DD`. */
  readonly productionDate: string | null;
  /** Two-letter code for each step of making that the factory told, in their order. */
  readonly countries: Readonly<Record<ProductionStep, string | null>>;
  readonly pefcr: ScoreView | null;
  readonly methodVersion: string | null;
  readonly factorSetHash: string | null;
}

export interface PassportVersionView {
  /** 1 for the first. */
  readonly version: number;
  readonly publishedAt: number;
  /** SHA-256 of the version's canonical content, lower-case hex. */
  readonly contentHash: string;
}

/** `/p/{gtin}/{serial}`: one version of a passport, and what came before and after it. */
export interface ConsumerPageView {
  readonly dppId: string;
  readonly gtin: string;
  /** The product had no GTIN: one of the restricted range stands in. */
  readonly gtinGenerated: boolean;
  readonly serial: string;
  readonly qrUrl: string;
  readonly preliminary: boolean;
  /** The version that the page shows. */
  readonly version: PassportVersionView;
  readonly content: PassportContentView;
  /** All versions, in any order; the greatest number is the latest. */
  readonly versions: readonly PassportVersionView[];
  /** The day (`YYYY-MM-DD`, UTC) on which certificates are called valid or expired. */
  readonly asOfDay: string;
  /** Path of the page without a query, such as `/p/04012345678901/7K3MPQ9RSTUV`. */
  readonly path: string;
}

/** A facility that the factory has in its catalogue. */
export interface KnownFacilityView {
  readonly id: string;
  readonly name: string;
  readonly country: string | null;
}

/** Production data as typed or stored: nested by the JSON paths; a text that is no number stays a string. */
export type FormValues = Readonly<Record<string, unknown>>;

export interface ProposalView {
  readonly id: string;
  readonly state: ProposalState;
  readonly materialType: string;
  readonly name: string;
  readonly contactEmail: string | null;
  readonly country: string | null;
}

/** What `GET /factory/requests/:token` answers. */
export interface FactoryRequestView {
  readonly id: string;
  readonly state: RequestState;
  readonly notes: string | null;
  readonly feedback: string | null;
  readonly tier: number;
  readonly factoryName: string;
  readonly brand: { readonly name: string };
  readonly product: {
    readonly name: string;
    readonly sku: string | null;
    readonly materials: readonly MaterialView[];
  };
  readonly batch: {
    readonly poReference: string | null;
    readonly quantity: number;
    readonly unit: string;
    readonly state: BatchStatus;
  };
  /** Suppliers that the factory has named behind materials. */
  readonly proposals: readonly ProposalView[];
  readonly draft: FormValues | null;
  readonly submitted: FormValues | null;
  readonly known: {
    readonly facilities: readonly KnownFacilityView[];
    readonly certificates: readonly CertificateView[];
  };
}

/** A field that was refused, with the bound that it has passed. */
export interface FormError extends FieldError {
  readonly limit?: number;
  /** The bound itself is allowed. */
  readonly isLimitAllowed?: boolean;
}

/** `/f/<token>`: the form, or what became of it. */
export interface FactoryFormView {
  readonly request: FactoryRequestView;
  /** Where the form is sent: the page's own path, `/f/<token>`. */
  readonly action: string;
  /** False when the answer can no longer be changed: a Tier 1 answer is in, or the batch is published. */
  readonly editable: boolean;
  /** Whether one more supplier can be named behind a material. */
  readonly canPropose: boolean;
  /** What was just typed (from `parseFactoryForm`, and a supplier below `proposal`); without it the draft, the last answer, or blank. */
  readonly typed: FormValues | null;
  readonly errors: readonly FormError[];
  /** What the call before this page did. */
  readonly notice: 'draft_saved' | 'submitted' | 'proposed' | null;
}

/** A request that waits for the factory's answer, with its link. */
export interface OpenRequestView {
  readonly brandName: string;
  readonly productName: string;
  readonly poReference: string | null;
  readonly quantity: number;
  readonly unit: string;
  readonly state: RequestState;
  /** `/f/<token>`. */
  readonly href: string;
}

/** `/join/<token>`, in each of its states. */
export type JoinPageView =
  | {
      readonly state: 'open';
      readonly brandName: string;
      readonly factoryName: string;
      readonly email: string;
      readonly notes: string | null;
      /** `/join/<token>`. */
      readonly action: string;
      readonly typed: { readonly displayName: string } | null;
      readonly errors: readonly FieldError[];
    }
  | {
      readonly state: 'joined';
      readonly brandName: string;
      readonly factoryName: string;
      readonly email: string;
      readonly requests: readonly OpenRequestView[];
    }
  /** The address has an account and was linked at once: what waits for it, and the way to accept or decline. */
  | {
      readonly state: 'linked';
      readonly brandName: string;
      readonly factoryName: string;
      readonly requests: readonly OpenRequestView[];
      /** The brand may see the factory's catalogue: the link has done its work. */
      readonly isShared: boolean;
      /** `/join/<token>`. */
      readonly action: string;
    }
  | { readonly state: 'declined'; readonly brandName: string; readonly factoryName: string }
  | { readonly state: 'invalid' };

export interface ErrorPageView {
  readonly status: number;
  /** Without them the page says what the status means, in the reader's language. */
  readonly title?: string | null;
  readonly detail?: string | null;
  readonly requestId?: string | null;
}

/** Signing in, and what stands behind the links of account mails. */
export type AccountPageView =
  | {
      readonly state: 'sign_in';
      /** Where the way leads afterwards, as a path; null for the start page. */
      readonly next: string | null;
      /** As typed. */
      readonly email: string;
      readonly refusal:
        | 'email_invalid'
        | 'bad_credentials'
        | 'rate_limited'
        | 'idp_rejected'
        | 'idp_unavailable'
        | 'email_not_verified'
        | null;
      readonly hasIdentityProvider: boolean;
    }
  /** Says the same whether anybody has the address. */
  | { readonly state: 'mailed'; readonly email: string; readonly next: string | null }
  | { readonly state: 'magic_link' | 'verification'; readonly token: string; readonly email: string }
  | { readonly state: 'password_reset'; readonly token: string; readonly email: string; readonly isRefused: boolean }
  | { readonly state: 'verified' | 'password_set' | 'link_invalid' };

/** `/join-team/<token>`: an invitation into an organization. */
export type TeamPageView =
  | {
      readonly state: 'open';
      readonly organizationName: string;
      readonly role: Role;
      readonly email: string;
      /** The address has an account by now: a click is enough. */
      readonly hasAccount: boolean;
      /** `/join-team/<token>`. */
      readonly action: string;
      readonly typed: { readonly displayName: string } | null;
      readonly errors: readonly FieldError[];
    }
  | { readonly state: 'joined'; readonly organizationName: string; readonly email: string }
  | { readonly state: 'invalid' };

export type { OperationView, ReferenceView } from './reference/page.js';
