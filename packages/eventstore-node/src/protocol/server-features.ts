/** The ServerFeatures service: clients read what this node supports before they choose how to append. */
import { SupportedMethod, SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';

/** The version of EventStoreDB whose behaviour this node follows. */
export const emulatedVersion = '23.10.6';

interface MethodDefinition {
  readonly path: string;
}

/** A service for registration: its definition, its handlers, and the features of its methods. */
export interface ServiceRegistration {
  readonly definition: Readonly<Record<string, unknown>>;
  /** Features by method name; methods that are absent are not supported. */
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

const methodsOf = ({ definition, implementation, features = {} }: ServiceRegistration): readonly SupportedMethod[] =>
  Object.keys(implementation).map((name) =>
    methodOf((definition[name] as MethodDefinition).path, features[name] ?? []),
  );

const ownMethod = methodOf('/event_store.client.server_features.ServerFeatures/GetSupportedMethods', []);

export const supportedMethods = (services: readonly ServiceRegistration[]): SupportedMethods => {
  const reply = new SupportedMethods();
  reply.setEventStoreServerVersion(emulatedVersion);
  reply.setMethodsList([...services.flatMap(methodsOf), ownMethod]);
  return reply;
};
