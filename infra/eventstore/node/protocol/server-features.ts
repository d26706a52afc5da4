/** What this node can do, as clients ask before they choose how to append; and the one member of its cluster. */
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import { UUID } from '@eventstore/db-client/generated/shared_pb';

/** The server whose behaviour is followed. */
export const followedVersion = '23.10.6';

interface MethodDefinition {
  readonly path: string;
}

/** A service as it is registered: its definition, who answers, and what its methods can do. */
export interface Served {
  readonly definition: Readonly<Record<string, unknown>>;
  /** By the methods' names in the definition; those that are absent are not supported. */
  readonly implementation: object;
  readonly features?: Readonly<Record<string, readonly string[]>>;
}

const methodOf = (path: string, features: readonly string[]): SupportedMethod => {
  const [, service = '', name = ''] = path.split('/');
  const method = new SupportedMethod();
  method.setServiceName(service.toLowerCase());
  method.setMethodName(name.toLowerCase());
  method.setFeaturesList([...features]);
  return method;
};

const methodsOf = ({ definition, implementation, features = {} }: Served): readonly SupportedMethod[] =>
  Object.keys(implementation).map((name) =>
    methodOf((definition[name] as MethodDefinition).path, features[name] ?? []),
  );

const itself = methodOf('/event_store.client.server_features.ServerFeatures/GetSupportedMethods', []);

export const supportedMethods = (services: readonly Served[]): SupportedMethods => {
  const reply = new SupportedMethods();
  reply.setEventStoreServerVersion(followedVersion);
  reply.setMethodsList([...services.flatMap(methodsOf), itself]);
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
