import { randomBytes } from 'node:crypto';
import type { DataConverter } from '@temporalio/common';
import { createPayloadCodec } from '../../src/infrastructure/temporal/payload-codec.js';
import { FAILURE_CONVERTER_PATH } from '../../src/infrastructure/temporal/place.js';

const key = randomBytes(32);

/** The key of the services that this process starts, unless they bring their own. */
export const PAYLOAD_KEY = key.toString('base64url');

/** Reads and writes as they do, for the client of a server that is there before them. */
export const dataConverter: DataConverter = {
  payloadCodecs: [createPayloadCodec([key])],
  failureConverterPath: FAILURE_CONVERTER_PATH,
};
