// Written by `npm run texts` from the English messages.

export type Value = string | number;

/** The arguments of each text that takes any, by area and key. */
export interface TextArguments {
  readonly 'account-mails': Readonly<Record<never, never>>;
  readonly accounts: {
    readonly mailed: { readonly email: Value };
    readonly magicLink: { readonly email: Value };
    readonly verify: { readonly email: Value };
  };
  readonly 'brand-mails': {
    readonly 'noAnswer.subject': { readonly product: Value };
    readonly 'noAnswer.reminded': { readonly count: number; readonly when: Value };
    readonly 'noAnswer.after': { readonly day: Value };
    readonly 'noAnswer.greeting': { readonly brand: Value };
    readonly 'webhookTrouble.greeting': { readonly brand: Value };
    readonly 'webhookTrouble.next.failed': { readonly webhookId: Value };
    readonly 'webhookTrouble.next.gone': { readonly webhookId: Value };
  };
  readonly categories: Readonly<Record<never, never>>;
  readonly common: {
    readonly piece: { readonly quantity: number };
  };
  readonly consumer: {
    readonly title: { readonly product: Value; readonly brand: Value };
    readonly olderTitle: { readonly version: Value };
    readonly below: { readonly percent: Value; readonly kind: Value };
    readonly above: { readonly percent: Value; readonly kind: Value };
    readonly same: { readonly kind: Value };
    readonly rating: { readonly dqr: Value };
    readonly primary: { readonly percent: Value };
    readonly method: { readonly version: Value };
    readonly issuedBy: { readonly issuer: Value };
    readonly from: { readonly day: Value };
    readonly until: { readonly day: Value };
    readonly asOf: { readonly day: Value };
    readonly versionName: { readonly version: Value };
  };
  readonly error: Readonly<Record<never, never>>;
  readonly 'factory-form': {
    readonly title: { readonly brand: Value };
    readonly heading: { readonly brand: Value };
    readonly intro: { readonly factory: Value; readonly brand: Value };
    readonly introMaterial: { readonly factory: Value; readonly brand: Value };
    readonly who: { readonly brand: Value };
    readonly message: { readonly brand: Value };
    readonly feedback: { readonly brand: Value };
    readonly errorsTitle: { readonly count: number };
    readonly sent: { readonly brand: Value };
    readonly certificate: { readonly number: Value };
    readonly 'proposals.why': { readonly brand: Value };
    readonly 'proposals.proposed': { readonly brand: Value };
    readonly 'refusals.above': { readonly limit: Value };
    readonly 'refusals.atLeast': { readonly limit: Value };
    readonly 'refusals.atMost': { readonly limit: Value };
    readonly 'refusals.below': { readonly limit: Value };
    readonly 'refusals.tooLong': { readonly limit: Value };
  };
  readonly 'factory-mails': {
    readonly 'invitation.subject': { readonly brand: Value };
    readonly 'invitation.heading': { readonly brand: Value };
    readonly 'invitation.body': { readonly brand: Value; readonly factory: Value };
    readonly 'linked.heading': { readonly brand: Value };
    readonly 'linked.body': { readonly brand: Value; readonly factory: Value };
    readonly 'request.subject.request': { readonly brand: Value; readonly product: Value };
    readonly 'request.subject.brand_reminder': { readonly brand: Value; readonly product: Value };
    readonly 'request.subject.reminder_1': { readonly brand: Value; readonly product: Value };
    readonly 'request.subject.reminder_2': { readonly brand: Value; readonly product: Value };
    readonly 'request.subject.changes_requested': { readonly brand: Value; readonly product: Value };
    readonly 'request.heading.request': { readonly brand: Value };
    readonly 'request.heading.reminder': { readonly brand: Value };
    readonly 'request.heading.changes_requested': { readonly brand: Value };
    readonly 'request.hello': { readonly factory: Value };
    readonly 'request.body.factory': { readonly brand: Value };
    readonly 'request.body.sub_supplier': { readonly brand: Value };
    readonly 'request.feedback': { readonly brand: Value };
    readonly notes: { readonly brand: Value };
  };
  readonly join: {
    readonly title: { readonly brand: Value };
    readonly heading: { readonly brand: Value };
    readonly intro: { readonly brand: Value; readonly factory: Value };
    readonly message: { readonly brand: Value };
    readonly declineHelp: { readonly brand: Value };
    readonly joined: { readonly brand: Value; readonly email: Value };
    readonly linkedTitle: { readonly brand: Value };
    readonly linked: { readonly brand: Value; readonly factory: Value };
    readonly acceptHelp: { readonly brand: Value };
    readonly shared: { readonly brand: Value };
    readonly declined: { readonly brand: Value };
  };
  readonly materials: Readonly<Record<never, never>>;
  readonly 'member-mails': {
    readonly 'invited.heading': { readonly organization: Value };
    readonly 'invited.body': { readonly organization: Value; readonly role: Value };
    readonly 'added.heading': { readonly organization: Value };
    readonly 'added.body': { readonly organization: Value; readonly role: Value };
  };
  readonly supplier: {
    readonly signedInAs: { readonly email: Value };
    readonly proofMailed: { readonly email: Value };
    readonly accept: { readonly brand: Value };
    readonly decline: { readonly brand: Value };
    readonly materialRow: { readonly number: Value };
    readonly remove: { readonly name: Value };
    readonly change: { readonly name: Value };
    readonly validUntil: { readonly day: Value };
    readonly expired: { readonly day: Value };
  };
  readonly team: {
    readonly heading: { readonly organization: Value };
    readonly 'roles.owner': { readonly organization: Value };
    readonly 'roles.editor': { readonly organization: Value };
    readonly 'roles.auditor': { readonly organization: Value };
    readonly withAccount: { readonly email: Value };
    readonly joined: { readonly organization: Value; readonly email: Value };
  };
}
