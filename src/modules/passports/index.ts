export {
  type PassportCertificate,
  type PassportContent,
  type PassportEvent,
  type PassportIdentity,
  passportStream,
} from './events.js';
export type { PublishedPassport } from './decider.js';
export { passportIdOf, passportOfBatch, publishPassport, republishPassport } from './handlers.js';
