/** The definition of the persistent subscriptions' service for registration. */
import { PersistentSubscriptionsService } from '@eventstore/db-client/generated/persistent_grpc_pb';
import type { Node } from '../call-context';
import type { ServiceRegistration } from '../server-features';
import { decodeReadRequest } from './ack-decoder';
import { manageMethods } from './manage';
import { readGroup } from './read';

/** Replies with events are sent as bytes already; no others are sent. */
const passBytes = (reply: Buffer): Buffer => reply;

const definition = {
  ...PersistentSubscriptionsService,
  read: { ...PersistentSubscriptionsService.read, requestDeserialize: decodeReadRequest, responseSerialize: passBytes },
};

const supportsBoth: readonly string[] = ['stream', 'all'];

export const persistentSubscriptions = (node: Node): ServiceRegistration => {
  const implementation = { ...manageMethods(node), read: readGroup(node) };
  const features = Object.fromEntries(Object.keys(implementation).map((method) => [method, supportsBoth]));
  return { definition, implementation, features };
};
