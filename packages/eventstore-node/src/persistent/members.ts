/** The calls that consume a group. */
import type { StoredRecord } from '../storage/record';
import type { Connection, Peer, Port } from './connection';
import type { Input, Message } from './message';
import type { Group } from './state';

export interface Members {
  readonly peers: ReadonlyMap<number, Peer>;
  readonly join: (peer: Peer, port: Port) => Connection;
  readonly send: (consumer: number, message: Message) => void;
  /** Ends all calls. */
  readonly dropAll: (reason: unknown) => void;
}

export interface Joining {
  readonly group: Group;
  readonly feed: (input: Input) => void;
  readonly load: (message: Message) => StoredRecord | undefined;
}

/** A client may ask to hold more than a node should remember for it. */
const mostSlots = 10_000;
const slotsOf = ({ slots }: Peer): number => Math.min(Math.max(slots, 0), mostSlots);

const connectionOf = ({ group, feed, load }: Joining, consumer: number, leave: () => void): Connection => ({
  resolveLinks: group.settings.resolveLinks,
  ack: (ids) => feed({ kind: 'acked', ids }),
  nack: (ids, action, reason) => feed({ kind: 'nacked', ids, action, reason }),
  load: (message) => {
    const held = group.held.get(message.id);
    if (held?.message !== message || held.consumer.id !== consumer) return undefined;
    const record = load(message);
    if (record === undefined) feed({ kind: 'gone', id: message.id });
    return record;
  },
  pass: ({ id }) => feed({ kind: 'gone', id }),
  leave,
});

export const createMembers = (joining: Joining): Members => {
  const { feed } = joining;
  const ports = new Map<number, Port>();
  const peers = new Map<number, Peer>();
  let joined = 0;
  const leave = (consumer: number): void => {
    if (!ports.delete(consumer)) return;
    peers.delete(consumer);
    feed({ kind: 'disconnected', consumer });
  };
  return {
    peers,
    join: (peer, port) => {
      joined += 1;
      const consumer = joined;
      ports.set(consumer, port);
      peers.set(consumer, peer);
      // Nobody heard the bell while nobody was there.
      feed({ kind: 'rung' });
      feed({ kind: 'connected', consumer, slots: slotsOf(peer) });
      return connectionOf(joining, consumer, () => leave(consumer));
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
