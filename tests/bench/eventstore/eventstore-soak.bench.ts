/** A million events in a hundred thousand streams from several clients, subscribers coming and going: memory stays flat. */
import { randomUUID } from 'node:crypto';
import { batchOf } from '../../contracts/eventstore-node/protocol/append/batch-calls';
import { connectTo } from '../../contracts/eventstore-node/protocol/harness/local-node';
import { openBatch } from '../../contracts/eventstore-node/protocol/harness/raw-calls';
import { proposed, textId } from '../../contracts/eventstore-node/protocol/harness/stream-requests';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { type NodeProcess, startEventStoreNode } from '../../support/servers/event-store-node';
import { rate, report } from '../measure';
import { eventData } from './events';
import { streamCount } from './fill';
import { startVisits } from './visits';

const events = 1_000_000;
const perAppend = 5;
const clients = 4;
const callsPerClient = 8;
const printedEvery = 100_000;
const steadyAfter = 200_000;

export const soakStream = (index: number): string => `soak.thing-${index % streamCount}`;

const data = Buffer.from(JSON.stringify(eventData(0)));
const someEvents = () => Array.from({ length: perAppend }, () => proposed({ data }));

const write = async (node: NodeProcess, written: (count: number) => void): Promise<void> => {
  let next = 0;
  const connections = Array.from({ length: clients }, () => connectTo(node));
  const caller = async (client: (typeof connections)[number]): Promise<void> => {
    const call = openBatch(client);
    while (next < events / perAppend) {
      const stream = soakStream(next);
      next += 1;
      call.send(batchOf(stream, 'any', { events: someEvents(), correlationId: textId(randomUUID()) }));
      const reply = await call.next();
      if (!reply.hasSuccess()) throw new Error(JSON.stringify(reply.toObject()));
      written(perAppend);
    }
    await call.end();
  };
  await Promise.all(connections.flatMap((client) => Array.from({ length: callsPerClient }, () => caller(client))));
  for (const client of connections) client.close();
};

export const run = async (): Promise<void> => {
  const home = temporaryDirectory('bench-soak');
  const node = await startEventStoreNode(home.path);
  let total = 0;
  let baseline: number | undefined;
  const reportMemory = (at: string): void => {
    const value = node.unsharedMemory() / 1024;
    report({ name: `eventstore-soak.unsharedMemory.${at}`, value, unit: 'MiB', ...(baseline && { baseline }) });
    // Later measurements are compared with this one, when caches are full and everything is compiled.
    if (total === steadyAfter) baseline = value;
  };
  reportMemory('start');
  const visits = await startVisits(node, soakStream);
  const value = await rate(events, () =>
    write(node, (count) => {
      total += count;
      if (total % printedEvery === 0) reportMemory(`${total / 1_000}k`);
    }),
  );
  report({ name: 'eventstore-soak.written', value, unit: 'events/s' });
  const { visitors, received } = await visits.stop();
  report({ name: 'eventstore-soak.subscriptions', value: visitors, unit: 'subscriptions' });
  report({ name: 'eventstore-soak.delivered', value: received, unit: 'events' });
  reportMemory('end');
  await node.stop();
  home.remove();
};
