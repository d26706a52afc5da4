/** A thousand live subscriptions to one stream: how fast they all get its events, and how long one event is on its way. */

import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { connectTo } from '../../contracts/eventstore-node/protocol/harness/local-node';
import { type AppendBy, append } from '../../contracts/eventstore-node/protocol/harness/raw-calls';
import { isFailed } from '../../contracts/eventstore-node/protocol/harness/replies';
import { proposed } from '../../contracts/eventstore-node/protocol/harness/stream-requests';
import { type Crowd, gather } from '../../faults/eventstore-node/many-subscriptions';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { type NodeProcess, startEventStoreNode, startListening } from '../../support/servers/event-store-node';
import { percentile, rate, report } from '../measure';
import { eventData } from './events';

const subscribers = 1_000;
const together = 200;
const single = 50;
const stream = 'fan-out';

const events = (count: number): AppendBy => ({
  stream,
  events: Array.from({ length: count }, (_, index) =>
    proposed({ data: Buffer.from(JSON.stringify(eventData(index))) }),
  ),
});

/** What a server that stores nothing sends to as many. */
const floorRate = async (): Promise<number> => {
  process.env.FLOOR_EVENTS = String(together);
  const floor = await startListening(['tests/bench/eventstore/floor.main.ts']);
  const delivered = await rate(subscribers * together, async () => {
    const crowd = await gather(floor, { size: subscribers, by: () => ({ stream }) });
    crowd.close();
  });
  floor.child.kill();
  return delivered;
};

type Write = (count: number) => Promise<void>;

const writerTo =
  (client: StreamsClient): Write =>
  async (count) => {
    const answer = await append(client, events(count));
    if (isFailed(answer)) throw new Error(answer.details);
  };

const deliveredTogether = (crowd: Crowd, write: Write): Promise<number> =>
  rate(subscribers * together, async () => {
    const all = crowd.reach(together);
    await write(together);
    await all;
  });

/** Milliseconds from an append to each arrival. */
const delaysOf = async (node: NodeProcess, write: Write): Promise<readonly number[]> => {
  const sent: number[] = [];
  const delays: number[] = [];
  const arrived = (count: number): void => {
    delays.push(performance.now() - (sent[count - 1] ?? Number.NaN));
  };
  const crowd = await gather(node, { size: subscribers, by: () => ({ stream, from: 'end' }), arrived });
  for (let count = 1; count <= single; count += 1) {
    const all = crowd.reach(count);
    sent.push(performance.now());
    await write(1);
    await all;
  }
  crowd.close();
  // The first ones compile.
  return delays.slice(delays.length / 5);
};

export const benchFanOut = async (): Promise<void> => {
  const baseline = await floorRate();
  const data = temporaryDirectory('bench-fan-out');
  const node = await startEventStoreNode(data.path);
  const client = connectTo(node);
  const write = writerTo(client);
  const crowd = await gather(node, { size: subscribers, by: () => ({ stream, from: 'end' }) });
  const value = await deliveredTogether(crowd, write);
  report({ name: 'eventstore.fanOut.delivered', value, unit: 'events/s', baseline });
  crowd.close();
  const delays = await delaysOf(node, write);
  report({ name: 'eventstore.fanOut.delay.p50', value: percentile(delays, 0.5), unit: 'ms' });
  report({ name: 'eventstore.fanOut.delay.p99', value: percentile(delays, 0.99), unit: 'ms' });
  report({ name: 'eventstore.fanOut.unsharedMemory', value: node.unsharedMemory() / 1024, unit: 'MiB' });
  client.close();
  await node.stop();
  data.remove();
};
