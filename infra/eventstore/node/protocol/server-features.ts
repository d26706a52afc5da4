/** What this node can do, as clients ask before they choose how to append; and the one member of its cluster. */
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import { UUID } from '@eventstore/db-client/generated/shared_pb';

/** The server whose behaviour is followed. */
const followedVersion = '23.10.6';

const methods: readonly (readonly [service: string, method: string, features: readonly string[]])[] = [
  ['event_store.client.streams.streams', 'read', ['position', 'events']],
  ['event_store.client.streams.streams', 'append', []],
  ['event_store.client.streams.streams', 'delete', []],
  ['event_store.client.streams.streams', 'tombstone', []],
  ['event_store.client.streams.streams', 'batchappend', []],
  ['event_store.client.gossip.gossip', 'read', []],
  ['event_store.client.server_features.serverfeatures', 'getsupportedmethods', []],
];

export const supportedMethods = (): SupportedMethods => {
  const reply = new SupportedMethods();
  reply.setEventStoreServerVersion(followedVersion);
  reply.setMethodsList(
    methods.map(([service, name, features]) => {
      const method = new SupportedMethod();
      method.setServiceName(service);
      method.setMethodName(name);
      method.setFeaturesList([...features]);
      return method;
    }),
  );
  return reply;
};

export interface Member {
  readonly instanceId: string;
  readonly host: string;
  readonly port: number;
}

export const clusterOf = ({ instanceId, host, port }: Member): ClusterInfo => {
  const endPoint = new EndPoint();
  endPoint.setAddress(host);
  endPoint.setPort(port);
  const id = new UUID();
  id.setString(instanceId);
  const member = new MemberInfo();
  member.setInstanceId(id);
  member.setTimeStamp(`${Date.now()}0000`);
  member.setState(MemberInfo.VNodeState.LEADER);
  member.setIsAlive(true);
  member.setHttpEndPoint(endPoint);
  const reply = new ClusterInfo();
  reply.setMembersList([member]);
  return reply;
};
