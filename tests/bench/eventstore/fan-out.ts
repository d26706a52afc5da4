/** A thousand live subscriptions to one stream: how fast they all get its events, and how long one event is on its way. */

import { type AppendBy, append } from '../../contracts/event-store-protocol/calls';
import { type Crowd, gather } from '../../contracts/event-store-protocol/crowd';
import { connectTo } from '../../contracts/event-store-protocol/local-node';
import { proposed } from '../../contracts/event-store-protocol/messages';
import { isFailed } from '../../contracts/event-store-protocol/replies';
import { startEventStoreNode, startListening, temporaryDirectory } from '../../support/event-store-node';
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

const deliveredTogether = async (crowd: Crowd, write: Write): Promise<number> =>
  rate(subscribers * together, async () => {
    const all = crowd.reach(together);
    await write(together);
    await all;
  });

export const benchFanOut = async (): Promise<void> => {
  const baseline = await floorRate();
  const data = temporaryDirectory('bench-fan-out');
  const node = await startEventStoreNode(data.path);
  const client = connectTo(node);
  const write: Write = async (count) => {
    const answer = await append(client, events(count));
    if (isFailed(answer)) throw new Error(answer.details);
  };
  const sent: number[] = [];
  const delays: number[] = [];
  const arrived = (count: number): void => {
    const started = sent[count - together - 1];
    if (started !== undefined) delays.push(performance.now() - started);
  };
  const crowd = await gather(node, { size: subscribers, by: () => ({ stream, from: 'end' }), arrived });
  const value = await deliveredTogether(crowd, write);
  report({ name: 'eventstore.fanOut.delivered', value, unit: 'events/s', baseline });
  for (let index = 0; index < single; index += 1) {
    const all = crowd.reach(together + index + 1);
    sent.push(performance.now());
    await write(1);
    await all;
  }
  report({ name: 'eventstore.fanOut.delay.p50', value: percentile(delays, 0.5), unit: 'ms' });
  report({ name: 'eventstore.fanOut.delay.p99', value: percentile(delays, 0.99), unit: 'ms' });
  report({ name: 'eventstore.fanOut.unsharedMemory', value: node.unsharedMemory() / 1024, unit: 'MiB' });
  crowd.close();
  client.close();
  await node.stop();
  data.remove();
};
