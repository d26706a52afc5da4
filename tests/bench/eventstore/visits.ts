/** Subscribers that come, take some events and go, again and again: to streams and to `$all`, filtered and persistent. */

import { connectTo } from '../../contracts/eventstore-node/protocol/harness/local-node';
import { follow } from '../../contracts/eventstore-node/protocol/harness/raw-calls';
import type { ReadBy } from '../../contracts/eventstore-node/protocol/harness/read-requests';
import { isFailed } from '../../contracts/eventstore-node/protocol/harness/replies';
import {
  consume,
  createGroupToAll,
} from '../../contracts/eventstore-node/protocol/persistent-subscriptions/harness/stream-consumer';
import type { NodeProcess } from '../../support/servers/event-store-node';
import { streamCount } from './fill';

const visitorsAtOnce = 24;
const workersAtOnce = 4;
const group = 'soak';
const mostTaken = 500;

const upTo = (limit: number): number => Math.floor(Math.random() * limit);

const kinds = (streamOf: (index: number) => string): readonly (() => ReadBy)[] => [
  () => ({ stream: streamOf(upTo(streamCount)) }),
  () => ({ from: 'end' }),
  () => ({ from: 'start' }),
  () => ({ from: 'end', filter: { on: 'stream', prefixes: [streamOf(upTo(10))], window: 100 } }),
  () => ({ from: 'start', filter: { on: 'type', regex: '^Prop', window: 100 } }),
];

interface Soak {
  readonly node: NodeProcess;
  readonly streamOf: (index: number) => string;
  /** Ends whatever is being waited for. */
  readonly leaving: Set<() => void>;
  readonly over: () => boolean;
  readonly came: () => void;
  readonly got: () => void;
}

const visit = async ({ node, leaving, over, came, got }: Soak, by: ReadBy, wanted: number): Promise<void> => {
  const client = connectTo(node);
  const following = follow(client, by);
  leaving.add(following.cancel);
  came();
  for (let taken = 0; taken < wanted && !over(); taken += 1) {
    const reply = await following.next();
    if (!isFailed(reply)) got();
    else if (!over()) throw new Error(reply.details);
  }
  leaving.delete(following.cancel);
  following.cancel();
  client.close();
};

const visitor = async (soak: Soak, first: number): Promise<void> => {
  const all = kinds(soak.streamOf);
  for (let turn = first; !soak.over(); turn += 1) {
    const by = (all[turn % all.length] as () => ReadBy)();
    // A single stream has few events: a reader that waits for more would never end.
    await visit(soak, by, by.stream === undefined ? 1 + upTo(mostTaken) : 2);
  }
};

/** A consumer of the persistent subscription: acknowledges what it gets, and leaves the last to the others. */
const worker = async ({ node, leaving, over, came, got }: Soak): Promise<void> => {
  while (!over()) {
    const consumer = consume(node, { group, bufferSize: 20 });
    leaving.add(consumer.close);
    came();
    for (let left = 1 + upTo(mostTaken); left > 0 && !over(); left -= 1) {
      const delivered = await consumer.next();
      if (delivered === undefined && !over()) throw new Error('A persistent subscription ended.');
      if (delivered !== undefined && left > 1) consumer.ack([delivered.id]);
      got();
    }
    leaving.delete(consumer.close);
    consumer.close();
  }
};

export interface Visits {
  /** Answers how many came and how many replies they took. */
  readonly stop: () => Promise<{ readonly visitors: number; readonly received: number }>;
}

export const startVisits = async (node: NodeProcess, streamOf: (index: number) => string): Promise<Visits> => {
  await createGroupToAll(node, group);
  let ended = false;
  let visitors = 0;
  let received = 0;
  const came = (): void => {
    visitors += 1;
  };
  const got = (): void => {
    received += 1;
  };
  const soak = { node, streamOf, leaving: new Set<() => void>(), over: () => ended, came, got };
  const visiting = Promise.all([
    ...Array.from({ length: visitorsAtOnce }, (_, index) => visitor(soak, index)),
    ...Array.from({ length: workersAtOnce }, () => worker(soak)),
  ]);
  return {
    stop: async () => {
      ended = true;
      for (const leave of soak.leaving) leave();
      await visiting;
      return { visitors, received };
    },
  };
};
