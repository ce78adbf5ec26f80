import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { fileTypeFromFile } from 'file-type';
import { factoryOfCertificate } from '../../../projections/factories/queries.js';
import { isSharedWith } from '../../../projections/suppliers/queries.js';
import type { CommandContext } from '../../core/context.js';
import { notFound, Refusal } from '../../core/errors.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { ReceivedFile } from '../../http/file-upload.js';
import { createGate } from '../../infrastructure/gate.js';
import type { Database } from '../../infrastructure/postgres/database.js';
import { listed } from './decider.js';
import type { CertificateFile } from './events.js';
import { factoryState, say } from './handlers.js';
import { factoryOfAccount, type FactoryStanding } from '../suppliers/index.js';
import type { FactoryState } from './state.js';
import { contentOfFile, holdFile, holdStoredFile, showNamedFile } from './store.js';

export const MAX_FILE_BYTES = 10 * 1024 * 1024;

interface FileDependencies {
  readonly eventStore: EventStore;
  readonly database: Database;
}

const MIB = 1024 * 1024;
/** Of all copies that a factory keeps; less for an account whose address is not proven, as anybody can have many of those. */
const QUOTA_BYTES = { proven: 200 * MIB, unproven: 10 * MIB };

export const quotaOf = ({ isProven }: Pick<FactoryStanding, 'isProven'>): number =>
  isProven ? QUOTA_BYTES.proven : QUOTA_BYTES.unproven;

/** Copies that are written to the database at once, each on a connection of its own; the others wait on the disk. */
const fewAtOnce = createGate({ atOnce: 2, maxWaiting: 50 });

const MEDIA_TYPES: readonly CertificateFile['mediaType'][] = ['application/pdf', 'image/png', 'image/jpeg'];

/** What the content is, whatever it is called; null for anything but a PDF or an image that is shown without running it. */
export async function mediaTypeOf(path: string): Promise<CertificateFile['mediaType'] | null> {
  const found = await fileTypeFromFile(path);
  return MEDIA_TYPES.find((type) => type === found?.mime) ?? null;
}

interface Place {
  readonly factoryId: string;
  readonly certificateId: string;
}

/** Puts a copy of the certificate in the place of the one before; the same one again changes nothing. */
export async function attachFile(
  deps: FileDependencies,
  context: CommandContext,
  { received, quotaBytes, ...place }: Place & { readonly received: ReceivedFile; readonly quotaBytes: number },
): Promise<FactoryState> {
  const { factoryId, certificateId } = place;
  const { path, sha256, sizeBytes: bytes } = received;
  listed((await factoryState(deps, factoryId)).certificates, 'certificate', certificateId);
  const mediaType = await mediaTypeOf(path);
  if (mediaType === null) {
    throw new Refusal('unsupported_media_type', 'The file is neither a PDF nor a PNG or JPEG image.');
  }
  // Before anybody can be told of it, and beside the one before: until it is said, that one is the certificate's.
  const holdId = randomUUID();
  await fewAtOnce(() => holdFile(deps.database, { ...place, holdId, sha256, bytes, path, quotaBytes }));
  return show(deps, context, { ...place, holdId, file: { sha256, mediaType, bytes } });
}

/** The same with a copy that is stored for another certificate; one that has gone meanwhile is not attached. */
export async function attachStoredFile(
  deps: FileDependencies,
  context: CommandContext,
  { file, ...place }: Place & { readonly file: CertificateFile },
): Promise<void> {
  const holdId = randomUUID();
  if (await holdStoredFile(deps.database, { ...place, holdId, sha256: file.sha256 })) {
    await show(deps, context, { ...place, holdId, file });
  }
}

async function show(
  deps: FileDependencies,
  context: CommandContext,
  { file, holdId, ...place }: Place & { readonly holdId: string; readonly file: CertificateFile },
): Promise<FactoryState> {
  const { factoryId, certificateId } = place;
  const state = await say(deps, context, factoryId, { type: 'AttachFile', certificateId, file });
  await showNamedFile(deps.database, { ...place, holdId }, () => namedFile(deps, factoryId, certificateId));
  return state;
}

/** The file that the certificate has by its stream. */
export const namedFile = async (
  deps: Pick<FileDependencies, 'eventStore'>,
  factoryId: string,
  certificateId: string,
): Promise<string | null> => (await factoryState(deps, factoryId)).files.get(certificateId)?.sha256 ?? null;

export interface ServedFile extends CertificateFile {
  readonly content: Readable;
}

/** The certificate's file, for its factory and for members of the brands that it shares with; for anybody else it is not there. */
export async function fileFor(deps: FileDependencies, accountId: string, certificateId: string): Promise<ServedFile> {
  const [own, known] = await Promise.all([
    factoryOfAccount(deps.database, accountId),
    factoryOfCertificate(deps.database, certificateId),
  ]);
  const isAllowed =
    known !== null && (known === own.factoryId || (await isSharedWith(deps.database, accountId, known)));
  if (!isAllowed) throw notFound('file of certificate', certificateId);
  const state = await factoryState(deps, known);
  const file = state.files.get(certificateId);
  const content = file === undefined ? null : await contentOfFile(deps.database, file.sha256, file.bytes);
  if (file === undefined || content === null) throw notFound('file of certificate', certificateId);
  return { ...file, content };
}
