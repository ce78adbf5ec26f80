import { v5, v7 } from 'uuid';

/** The prefix says what an opaque id names; the rest is a UUIDv7, so ids sort by the time they were made. */
export type IdPrefix =
  | 'org'
  | 'usr'
  | 'inv'
  | 'key'
  | 'prd'
  | 'sup'
  | 'fac'
  | 'bat'
  | 'req'
  | 'pro'
  | 'dpp'
  | 'cer'
  | 'whk'
  | 'dlv'
  | 'imp'
  | 'dep'
  /** A product, a facility and a sub-supplier in a factory's catalogue. */
  | 'cpr'
  | 'fcl'
  | 'sub';

/** A new id, such as `prd_01936f1e-...`. */
export const newId = (prefix: IdPrefix): string => `${prefix}_${v7()}`;

/** The same `seed` and `name` always give the same lower-case UUID: what makes a repeated command append the same event. */
export const deterministicUuid = (seed: string, name: string): string => v5(`${seed}/${name}`, NAMESPACE);

const NAMESPACE = '8a8e7ad1-5c0f-4c52-9f0e-6a1f8f1d7c55';
