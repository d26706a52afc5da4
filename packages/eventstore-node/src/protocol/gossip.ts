/** The Gossip service: the one member of this node's cluster, for clients that discover it. */
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import type { Empty } from '@eventstore/db-client/generated/shared_pb';
import type { handleUnaryCall } from '@grpc/grpc-js';
import { type ClusterMember, type Node, sendReply } from './call-context';
import { structuredUuid } from './streams/read-replies';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** `host:port` as a caller addressed the node; undefined without a port or with an invalid host. */
export const parseAuthority = (authority: string): Endpoint | undefined => {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(authority) ?? [];
  if (host === undefined || port === undefined || Number(port) === 0 || Number(port) > 65_535) return undefined;
  return { host, port: Number(port) };
};

const clusterOf = ({ instanceId }: ClusterMember, { host, port }: Endpoint): ClusterInfo => {
  const endPoint = new EndPoint();
  endPoint.setAddress(host);
  endPoint.setPort(port);
  const member = new MemberInfo();
  member.setInstanceId(structuredUuid(instanceId));
  member.setTimeStamp(`${Date.now()}0000`);
  member.setState(MemberInfo.VNodeState.LEADER);
  member.setIsAlive(true);
  member.setHttpEndPoint(endPoint);
  const reply = new ClusterInfo();
  reply.setMembersList([member]);
  return reply;
};

/**
 * Answers with the address at which the caller reached the node. The address it listens on may be any of the machine's,
 * a different one behind a mapped port, or one that its certificate does not name.
 */
const read =
  (node: Node): handleUnaryCall<Empty, ClusterInfo> =>
  (call, callback) => {
    const run = async (): Promise<ClusterInfo> => {
      await node.access.callerFromMetadata(call.metadata);
      const member = node.member();
      return clusterOf(member, parseAuthority(call.getHost()) ?? member);
    };
    sendReply(node, run(), callback);
  };

export const gossipMethods = (node: Node) => ({ read: read(node) });
