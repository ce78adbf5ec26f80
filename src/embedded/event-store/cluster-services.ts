import { randomUUID } from 'node:crypto';
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';

/** The version whose rules are followed. */
const REFERENCE_VERSION = '24.10.0';
const STREAMS_SERVICE = 'event_store.client.streams.streams';
// Batch append is served but not offered: clients that look here use the unary call, which has a deadline.
const OFFERED_METHODS = ['read', 'append', 'delete', 'tombstone'];

type Unary<Answer> = (call: ServerUnaryCall<unknown, Answer>, answer: sendUnaryData<Answer>) => void;

export const getSupportedMethods: Unary<SupportedMethods> = (_call, answer) => {
  const supported = new features.SupportedMethods().setEventStoreServerVersion(REFERENCE_VERSION);
  for (const method of OFFERED_METHODS) {
    supported.addMethods(new features.SupportedMethod().setServiceName(STREAMS_SERVICE).setMethodName(method));
  }
  answer(null, supported);
};

/** A cluster of one, whose only member is its leader. */
export const createGossipHandler = (options: { host: string; port: () => number }): Unary<ClusterInfo> => {
  const instanceId = randomUUID();
  return (call, answer) => {
    // Bound to every address, the one that the caller has used is the one it can reach.
    const asked = URL.parse(`http://${call.getHost()}`);
    const isWildcard = options.host === '0.0.0.0' || options.host === '::';
    const address = isWildcard ? (asked?.hostname ?? '127.0.0.1') : options.host;
    const member = new gossip.MemberInfo()
      .setInstanceId(new shared.UUID().setString(instanceId))
      .setTimeStamp(`${Date.now()}0000`)
      .setState(gossip.MemberInfo.VNodeState.LEADER)
      .setIsAlive(true)
      .setHttpEndPoint(new gossip.EndPoint().setAddress(address).setPort(options.port()));
    answer(null, new gossip.ClusterInfo().setMembersList([member]));
  };
};
