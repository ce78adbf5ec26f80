import {
  Metadata,
  Server,
  ServerCredentials,
  credentials,
  makeGenericClientConstructor,
  status,
  type Client,
  type ClientReadableStream,
  type ClientWritableStream,
  type ServerReadableStream,
  type ServerWritableStream,
  type ServiceError,
  type sendUnaryData,
} from '@grpc/grpc-js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

/** What the reference keeps of live events for a subscriber that does not take them. */
const LIVE_ANSWERS = 32;

export interface EventStoreDoor {
  readonly url: string;
  /** Subscribers that could not keep up so far. */
  lagged(): number;
  /** The next so many appends are stored, and their callers are told that the commit took too long. */
  timeOutCommits(count: number): void;
  /** Appends that came to the door, by the ids of their events. */
  appends(): readonly (readonly string[])[];
  /** Each subscription ends after so many answers, as if it had been too slow on its way to live ones. */
  dropAfter(answers: number): void;
  close(): Promise<void>;
}

interface RawStreams extends Client {
  read(request: Buffer): ClientReadableStream<Buffer>;
  append(answered: (error: ServiceError | null, answer?: Buffer) => void): ClientWritableStream<Buffer>;
}

const asItIs = (bytes: Buffer): Buffer => bytes;
const raw = {
  requestSerialize: asItIs,
  requestDeserialize: asItIs,
  responseSerialize: asItIs,
  responseDeserialize: asItIs,
};
const METHODS = {
  read: { ...streamsService.StreamsService.read, ...raw },
  append: { ...streamsService.StreamsService.append, ...raw },
};
const RawStreamsClient = makeGenericClientConstructor(METHODS, 'RawStreams');

const timedOut = (what: string): ServiceError =>
  Object.assign(new Error(what), {
    code: status.ABORTED,
    details: `Operation timed out: ${what}`,
    metadata: new Metadata(),
  });

type ReadRequest = InstanceType<typeof streams.ReadReq>;
type ReadAnswer = InstanceType<typeof streams.ReadResp>;

/**
 * Stands before the embedded event store and does to subscribers and writers what EventStoreDB does, by its version. 23.10 sends no
 * checkpoint right before it says that somebody has caught up, and drops who lags behind; 24.10 tells them, and has them catch up.
 */
export async function startEventStoreDoor(options: {
  readonly server: string;
  readonly version: '23.10' | '24.10';
}): Promise<EventStoreDoor> {
  const { host } = new URL(options.server.replace('esdb:', 'http:'));
  const upstream = new RawStreamsClient(host, credentials.createInsecure()) as unknown as RawStreams;
  const appends: string[][] = [];
  let lagged = 0;
  let commitsToTimeOut = 0;
  let dropAfter = Infinity;

  const append = (call: ServerReadableStream<Buffer, Buffer>, answer: sendUnaryData<Buffer>): void => {
    const ids: string[] = [];
    const toServer = upstream.append((error, answered) => {
      if (error !== null) return answer(error);
      if (commitsToTimeOut === 0) return answer(null, answered);
      commitsToTimeOut -= 1;
      answer(timedOut('Commit phase timeout'));
    });
    call.on('data', (bytes: Buffer) => {
      const id = streams.AppendReq.deserializeBinary(bytes).getProposedMessage()?.getId()?.getString();
      if (id !== undefined) ids.push(id);
      toServer.write(bytes);
    });
    call.on('end', () => {
      appends.push(ids);
      toServer.end();
    });
    call.on('cancelled', () => toServer.cancel());
  };

  const read = (call: ServerWritableStream<Buffer, Buffer>): void => {
    const request = streams.ReadReq.deserializeBinary(new Uint8Array(call.request));
    if (request.getOptions()?.hasSubscription() !== true) {
      const answers = upstream.read(call.request);
      answers.on('error', (error) => call.emit('error', error));
      call.on('cancelled', () => answers.cancel());
      answers.pipe(call as unknown as NodeJS.WritableStream);
      return;
    }
    subscribe(call, request);
  };

  const subscribe = (call: ServerWritableStream<Buffer, Buffer>, request: ReadRequest): void => {
    const live: Buffer[] = [];
    let answers: ClientReadableStream<Buffer>;
    let isLive = false;
    let isOver = false;
    let mustCatchUp = false;
    let sent = 0;
    let sentPosition: string | undefined;
    /** A checkpoint that may be the last before catching up. */
    let held: Buffer | undefined;

    const end = (error?: ServiceError): void => {
      if (isOver) return;
      isOver = true;
      answers.cancel();
      if (error !== undefined) call.emit('error', error);
    };
    const tell = (bytes: Buffer): boolean => {
      const position = streams.ReadResp.deserializeBinary(new Uint8Array(bytes)).getEvent()?.getCommitPosition();
      sentPosition = position ?? sentPosition;
      sent += 1;
      const isRoom = call.write(bytes);
      if (sent >= dropAfter) end(timedOut(tooSlow('transitioning to live')));
      return isRoom;
    };
    const lag = (): void => {
      lagged += 1;
      if (options.version === '23.10') return end(timedOut(tooSlow('live')));
      live.length = 0;
      mustCatchUp = true;
      answers.cancel();
    };
    const follow = (from: ReadRequest): void => {
      const these = upstream.read(Buffer.from(from.serializeBinary()));
      answers = these;
      isLive = false;
      these.on('error', (error) => {
        if (these === answers && !mustCatchUp) end(error as ServiceError);
      });
      these.on('data', (bytes: Buffer) => {
        if (these !== answers || isOver || mustCatchUp) return;
        const answer = streams.ReadResp.deserializeBinary(new Uint8Array(bytes));
        if (answer.hasConfirmation() && sent > 0) return;
        if (isLive) take(bytes);
        else catchUp(answer, bytes);
      });
    };
    const catchUp = (answer: ReadAnswer, bytes: Buffer): void => {
      if (answer.hasCheckpoint() && options.version === '23.10') {
        held = bytes;
        return;
      }
      isLive = answer.hasCaughtUp();
      if (held !== undefined && !isLive) tell(held);
      held = undefined;
      if (!tell(bytes) && !isLive) answers.pause();
    };
    const take = (bytes: Buffer): void => {
      if (live.length === 0 && !call.writableNeedDrain) tell(bytes);
      else if (live.length < LIVE_ANSWERS) live.push(bytes);
      else lag();
    };
    call.on('cancelled', () => end());
    call.on('drain', () => {
      if (isOver) return;
      if (mustCatchUp) {
        mustCatchUp = false;
        tell(bytesOf(new streams.ReadResp().setFellBehind(new streams.ReadResp.FellBehind())));
        if (sentPosition !== undefined) tell(bytesOf(checkpointAt(sentPosition)));
        follow(after(request, sentPosition));
        return;
      }
      for (let next = live[0]; next !== undefined && !call.writableNeedDrain; next = live[0]) {
        live.shift();
        tell(next);
      }
      answers.resume();
    });
    follow(request);
  };

  const server = new Server();
  server.addService(METHODS, { read, append });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    lagged: () => lagged,
    timeOutCommits: (count) => void (commitsToTimeOut = count),
    appends: () => appends,
    dropAfter: (answers) => void (dropAfter = answers),
    close: () => {
      server.forceShutdown();
      upstream.close();
      return Promise.resolve();
    },
  };
}

const tooSlow = (state: string): string =>
  `Consumer too slow to handle event while ${state}. Client resubscription required.`;

const bytesOf = (answer: ReadAnswer): Buffer => Buffer.from(answer.serializeBinary());

const checkpointAt = (position: string): ReadAnswer =>
  new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint().setCommitPosition(position).setPreparePosition(position),
  );

/** The same subscription after a position; from where it began when nothing of it was sent. */
function after(request: ReadRequest, position: string | undefined): ReadRequest {
  if (position === undefined) return request;
  const again = request.clone();
  const all = new streams.ReadReq.Options.AllOptions();
  all.setPosition(new streams.ReadReq.Options.Position().setCommitPosition(position).setPreparePosition(position));
  again.getOptions()?.setAll(all);
  return again;
}
