/** The persistent subscriptions' service, as it is registered. */
import { PersistentSubscriptionsService } from '@eventstore/db-client/generated/persistent_grpc_pb';
import type { Node } from './calls';
import { readRequest } from './persistent-acks';
import { manageMethods } from './persistent-manage';
import { readGroup } from './persistent-read';
import type { Served } from './server-features';

/** Events' replies are bytes already; others are not sent. */
const passBytes = (reply: Buffer): Buffer => reply;

const definition = {
  ...PersistentSubscriptionsService,
  read: { ...PersistentSubscriptionsService.read, requestDeserialize: readRequest, responseSerialize: passBytes },
};

const toBoth: readonly string[] = ['stream', 'all'];

export const persistentSubscriptions = (node: Node): Served => {
  const implementation = { ...manageMethods(node), read: readGroup(node) };
  const features = Object.fromEntries(Object.keys(implementation).map((method) => [method, toBoth]));
  return { definition, implementation, features };
};
