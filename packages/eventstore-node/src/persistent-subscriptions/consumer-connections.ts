/** One consumer of a group, as the gRPC call that serves it sees it. */
import type { StoredRecord } from '../storage/records/record-format';
import type { Input, Message, NackAction } from './group/messages';
import type { Group } from './group/state';

/** Implemented by the gRPC call. */
export interface ConsumerCall {
  /** Queues the message until the client reads. */
  readonly send: (message: Message) => void;
  /** Ends the call. */
  readonly drop: (error: unknown) => void;
}

export interface ConsumerPeer {
  readonly userName: string;
  readonly connectionName: string;
  readonly slots: number;
}

/** Called by the gRPC call. */
export interface ConsumerConnection {
  readonly resolveLinks: boolean;
  readonly ack: (ids: readonly string[]) => void;
  readonly nack: (ids: readonly string[], action: NackAction, reason: string) => void;
  /** The record to send; undefined if the message no longer belongs to this consumer or no longer exists. */
  readonly load: (message: Message) => StoredRecord | undefined;
  /** This consumer may not see the message: it counts as handled. */
  readonly skip: (message: Message) => void;
  readonly leave: () => void;
}

/** The calls that consume a group. */
export interface Consumers {
  readonly peers: ReadonlyMap<number, ConsumerPeer>;
  readonly connect: (peer: ConsumerPeer, port: ConsumerCall) => ConsumerConnection;
  readonly send: (consumer: number, message: Message) => void;
  /** Ends all calls. */
  readonly dropAll: (reason: unknown) => void;
}

export interface ConsumersDeps {
  readonly group: Group;
  readonly feed: (input: Input) => void;
  readonly load: (message: Message) => StoredRecord | undefined;
}

/** A client may request a larger buffer than a node should keep for it. */
const maxSlots = 10_000;
const slotsOf = ({ slots }: ConsumerPeer): number => Math.min(Math.max(slots, 0), maxSlots);

const createConnection = (
  { group, feed, load }: ConsumersDeps,
  consumer: number,
  leave: () => void,
): ConsumerConnection => ({
  resolveLinks: group.settings.resolveLinks,
  ack: (ids) => feed({ kind: 'acked', ids }),
  nack: (ids, action, reason) => feed({ kind: 'nacked', ids, action, reason }),
  load: (message) => {
    const inFlight = group.inFlight.get(message.id);
    if (inFlight?.message !== message || inFlight.consumer.id !== consumer) return undefined;
    const record = load(message);
    if (record === undefined) feed({ kind: 'gone', id: message.id });
    return record;
  },
  skip: ({ id }) => feed({ kind: 'gone', id }),
  leave,
});

export const createConsumers = (deps: ConsumersDeps): Consumers => {
  const { feed } = deps;
  const ports = new Map<number, ConsumerCall>();
  const peers = new Map<number, ConsumerPeer>();
  let connected = 0;
  const leave = (consumer: number): void => {
    if (!ports.delete(consumer)) return;
    peers.delete(consumer);
    feed({ kind: 'disconnected', consumer });
  };
  return {
    peers,
    connect: (peer, port) => {
      connected += 1;
      const consumer = connected;
      ports.set(consumer, port);
      peers.set(consumer, peer);
      // Without consumers the group did not listen for commits.
      feed({ kind: 'rung' });
      feed({ kind: 'connected', consumer, slots: slotsOf(peer) });
      return createConnection(deps, consumer, () => leave(consumer));
    },
    send: (consumer, message) => ports.get(consumer)?.send(message),
    dropAll: (reason) => {
      for (const [consumer, port] of [...ports]) {
        leave(consumer);
        port.drop(reason);
      }
    },
  };
};
