import { createHash, randomUUID } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';
import { factoryOfCertificate } from '../../../projections/factories/queries.js';
import { isSharedWith } from '../../../projections/suppliers/queries.js';
import type { CommandContext } from '../../core/context.js';
import { notFound, Refusal } from '../../core/errors.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Database } from '../../infrastructure/postgres/database.js';
import { listed } from './decider.js';
import type { CertificateFile } from './events.js';
import { factoryState, say } from './handlers.js';
import { factoryOfAccount } from './standing.js';
import type { FactoryState } from './state.js';
import { contentOfFile, holdFile, showNamedFile } from './store.js';

export const MAX_FILE_BYTES = 10 * 1024 * 1024;

interface FileDependencies {
  readonly eventStore: EventStore;
  readonly database: Database;
}

const MEDIA_TYPES: readonly CertificateFile['mediaType'][] = ['application/pdf', 'image/png', 'image/jpeg'];

/** What the content is, whatever it is called; null for anything but a PDF or an image that is shown without running it. */
export async function mediaTypeOf(content: Buffer): Promise<CertificateFile['mediaType'] | null> {
  const found = await fileTypeFromBuffer(content);
  return MEDIA_TYPES.find((type) => type === found?.mime) ?? null;
}

/** Puts a copy of the certificate in the place of the one before; the same one again changes nothing. */
export async function attachFile(
  deps: FileDependencies,
  context: CommandContext,
  {
    factoryId,
    certificateId,
    content,
  }: {
    readonly factoryId: string;
    readonly certificateId: string;
    readonly content: Buffer;
  },
): Promise<FactoryState> {
  listed((await factoryState(deps, factoryId)).certificates, 'certificate', certificateId);
  const mediaType = await mediaTypeOf(content);
  if (mediaType === null) {
    throw new Refusal('unsupported_media_type', 'The file is neither a PDF nor a PNG or JPEG image.');
  }
  const sha256 = createHash('sha256').update(content).digest('hex');
  // Before anybody can be told of it, and beside the one before: until it is said, that one is the certificate's.
  const holdId = randomUUID();
  await holdFile(deps.database, { holdId, factoryId, sha256, content });
  const file = { sha256, mediaType, bytes: content.length };
  const state = await say(deps, context, factoryId, { type: 'AttachFile', certificateId, file });
  await showNamedFile(deps.database, { certificateId, factoryId, holdId }, () =>
    namedFile(deps, factoryId, certificateId),
  );
  return state;
}

/** The file that the certificate has by its stream. */
export const namedFile = async (
  deps: Pick<FileDependencies, 'eventStore'>,
  factoryId: string,
  certificateId: string,
): Promise<string | null> => (await factoryState(deps, factoryId)).files.get(certificateId)?.sha256 ?? null;

export interface ServedFile extends CertificateFile {
  readonly content: Buffer;
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
  const content = file === undefined ? null : await contentOfFile(deps.database, file.sha256);
  if (file === undefined || content === null) throw notFound('file of certificate', certificateId);
  return { ...file, content };
}
