/** Subscribers that come, take some events and go, again and again: streams, `$all`, and `$all` through a filter. */
import { type Followed, follow } from '../../contracts/event-store-protocol/calls';
import { connectTo } from '../../contracts/event-store-protocol/local-node';
import type { ReadBy } from '../../contracts/event-store-protocol/read-request';
import { isFailed } from '../../contracts/event-store-protocol/replies';
import type { NodeProcess } from '../../support/event-store-node';
import { streamCount } from './fill';

const visitorsAtOnce = 24;
const mostTaken = 500;

const upTo = (limit: number): number => Math.floor(Math.random() * limit);

const kinds = (streamOf: (index: number) => string): readonly (() => ReadBy)[] => [
  () => ({ stream: streamOf(upTo(streamCount)) }),
  () => ({ from: 'end' }),
  () => ({ from: 'start' }),
  () => ({ from: 'end', filter: { on: 'stream', prefixes: [streamOf(upTo(10))], window: 100 } }),
  () => ({ from: 'start', filter: { on: 'type', regex: '^Prop', window: 100 } }),
];

export interface Visits {
  /** Answers how many came and how many replies they took. */
  readonly stop: () => Promise<{ readonly visitors: number; readonly received: number }>;
}

export const startVisits = (node: NodeProcess, streamOf: (index: number) => string): Visits => {
  let ended = false;
  const over = (): boolean => ended;
  let visitors = 0;
  let received = 0;
  const here = new Set<Followed>();
  const visit = async (by: ReadBy, wanted: number): Promise<void> => {
    const client = connectTo(node);
    const following = follow(client, by);
    here.add(following);
    visitors += 1;
    for (let taken = 0; taken < wanted && !over(); taken += 1) {
      const reply = await following.next();
      if (!isFailed(reply)) received += 1;
      else if (over()) break;
      else throw new Error(reply.details);
    }
    here.delete(following);
    following.cancel();
    client.close();
  };
  const visitor = async (index: number): Promise<void> => {
    const all = kinds(streamOf);
    for (let turn = index; !over(); turn += 1) {
      const by = (all[turn % all.length] as () => ReadBy)();
      // A single stream has few events: whoever wants more would stay for ever.
      await visit(by, by.stream === undefined ? 1 + upTo(mostTaken) : 2);
    }
  };
  const visiting = Promise.all(Array.from({ length: visitorsAtOnce }, (_, index) => visitor(index)));
  return {
    stop: async () => {
      ended = true;
      for (const following of here) following.cancel();
      await visiting;
      return { visitors, received };
    },
  };
};
