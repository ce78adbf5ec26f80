import { readFileSync } from 'node:fs';
import {
  Metadata,
  connectivityState,
  credentials,
  makeGenericClientConstructor,
  type ChannelCredentials,
  type Client,
  type ClientReadableStream,
  type ClientUnaryCall,
  type ClientWritableStream,
  type ServiceError,
} from '@grpc/grpc-js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { AppendReq, AppendResp, ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { EventStoreAddress, Host } from './address.js';
import { decodeReadAnswer, type ReadAnswer } from './read-response.js';

/** Events of up to 16 MiB can have been written by others. */
const MAX_ANSWER_BYTES = 17 * 1024 * 1024;
/** A server that comes back is found within these. */
const FIRST_RECONNECT_MS = 100;
const MAX_RECONNECT_MS = 500;

type Callback<T> = (error: ServiceError | null, answer: T) => void;

interface RawNode extends Client {
  append(
    metadata: Metadata,
    options: { deadline: number },
    callback: Callback<AppendResp>,
  ): ClientWritableStream<AppendReq>;
  read(request: ReadReq, metadata: Metadata): ClientReadableStream<ReadAnswer>;
  gossip(
    request: InstanceType<typeof shared.Empty>,
    metadata: Metadata,
    callback: Callback<ClusterInfo>,
  ): ClientUnaryCall;
}

/** `Streams/Read` with answers decoded to bytes by us, where the client package's own would parse JSON. */
const RawNode = makeGenericClientConstructor(
  {
    append: streamsService.StreamsService.append,
    read: { ...streamsService.StreamsService.read, responseDeserialize: decodeReadAnswer },
    gossip: gossipService.GossipService.read,
  },
  'EventStoreNode',
);

/** What a node says of one of its cluster, itself among them. */
export interface Member {
  readonly host: Host;
  readonly isLeader: boolean;
}

/** One node of the event store, over one connection. Calls fail with what gRPC says. */
export interface EventStoreNode {
  readonly host: Host;
  /** Has calls open whose end somebody waits for. */
  readonly isBusy: () => boolean;
  readonly isConnected: () => boolean;
  readonly append: (messages: readonly AppendReq[], limitMs: number) => Promise<AppendResp>;
  readonly read: (request: ReadReq) => ClientReadableStream<ReadAnswer>;
  readonly members: (limitMs: number) => Promise<readonly Member[]>;
  /** Ends every open call, as cancelled. */
  readonly close: () => void;
}

/** Makes connections as the address has them secured; each is opened by its first call. */
export function nodesOf(address: EventStoreAddress): (host: Host) => EventStoreNode {
  const channel = channelCredentialsOf(address);
  const options = {
    'grpc.keepalive_time_ms': address.keepAlive.intervalMs,
    'grpc.keepalive_timeout_ms': address.keepAlive.timeoutMs,
    'grpc.max_receive_message_length': MAX_ANSWER_BYTES,
    'grpc.initial_reconnect_backoff_ms': FIRST_RECONNECT_MS,
    'grpc.max_reconnect_backoff_ms': MAX_RECONNECT_MS,
    // A connection that is given up for a new one must not be handed out again.
    'grpc.use_local_subchannel_pool': 1,
  };
  return (host) =>
    createNode(host, new RawNode(targetOf(host), channel, options) as unknown as RawNode, () => metadataOf(address));
}

/** A cluster may name its nodes by IPv6 addresses. */
const targetOf = ({ name, port }: Host): string => `${name.includes(':') ? `[${name}]` : name}:${port}`;

function createNode(host: Host, client: RawNode, metadata: () => Metadata): EventStoreNode {
  const calls = new Set<{ cancel(): void }>();
  const leaderOnly = (): Metadata => {
    const asked = metadata();
    // What a follower passes on to a leader that has just died is lost; it is to say at once that it does not lead.
    asked.set('requires-leader', 'true');
    return asked;
  };
  return {
    host,
    isBusy: () => calls.size > 0,
    isConnected: () => client.getChannel().getConnectivityState(false) === connectivityState.READY,
    append: (messages, limitMs) =>
      new Promise((resolve, reject) => {
        const call = client.append(leaderOnly(), { deadline: Date.now() + limitMs }, (error, answer) => {
          calls.delete(call);
          if (error === null) resolve(answer);
          else reject(error);
        });
        // Told by the callback.
        call.on('error', () => undefined);
        calls.add(call);
        for (const message of messages) call.write(message);
        call.end();
      }),
    read: (request) => {
      const call = client.read(request, leaderOnly());
      calls.add(call);
      call.once('close', () => calls.delete(call));
      // A cancelled call tells so as an error, long after anybody listens.
      call.on('error', () => undefined);
      return call;
    },
    members: (limitMs) =>
      new Promise((resolve, reject) => {
        // What arrived while this process was busy is read before the call is given up.
        const timer = setTimeout(() => setImmediate(() => call.cancel()), limitMs);
        const call = client.gossip(new shared.Empty(), metadata(), (error, answer) => {
          clearTimeout(timer);
          if (error === null) resolve(membersOf(answer));
          else reject(error);
        });
      }),
    close() {
      for (const call of calls) call.cancel();
      client.close();
    },
  };
}

function membersOf(answer: ClusterInfo): Member[] {
  return answer.getMembersList().flatMap((member) => {
    const place = member.getHttpEndPoint();
    if (place === undefined || !member.getIsAlive()) return [];
    const isLeader = member.getState() === gossip.MemberInfo.VNodeState.LEADER;
    return [{ host: { name: place.getAddress(), port: place.getPort() }, isLeader }];
  });
}

function channelCredentialsOf({ isSecure, files }: EventStoreAddress): ChannelCredentials {
  if (!isSecure) return credentials.createInsecure();
  const contentOf = (file: string | null): Buffer | null => (file === null ? null : readFileSync(file));
  return credentials.createSsl(contentOf(files.ca), contentOf(files.key), contentOf(files.certificate));
}

function metadataOf({ credentials: user, isSecure, connectionName }: EventStoreAddress): Metadata {
  const metadata = new Metadata();
  if (connectionName !== null) metadata.set('connection-name', connectionName);
  // Over an insecure connection a password stays here.
  if (user !== null && isSecure) {
    const pair = Buffer.from(`${user.username}:${user.password}`, 'utf8').toString('base64');
    metadata.set('authorization', `Basic ${pair}`);
  }
  return metadata;
}
