/** How fast a scavenge removes events, and what it costs programs that append meanwhile. */
import { randomUUID } from 'node:crypto';
import { EventStoreDBClient } from '@eventstore/db-client';
import { requestScavenge } from '../../../packages/eventstore-node/src/scavenge/request-scavenge';
import { append } from '../../../packages/eventstore-node/src/storage/append';
import { openStorage } from '../../../packages/eventstore-node/src/storage/storage';
import { startWriter } from '../../../packages/eventstore-node/src/storage/writer';
import { verify } from '../../../packages/eventstore-node/src/verify/verify';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { startEventStoreNode } from '../../support/servers/event-store-node';
import { fromCallers, report } from '../measure';
import { benchEvent, eventData } from './events';

const sizes = { streams: 2_000, perStream: 100, kept: 2, callers: 16, alone: 3_000 };

const event = (index: number) => ({
  id: randomUUID(),
  type: 'Benched',
  json: true,
  data: Buffer.from(JSON.stringify(eventData(index))),
  metadata: Buffer.alloc(0),
});

const metadata = () => ({
  ...event(0),
  type: '$metadata',
  data: Buffer.from(JSON.stringify({ $maxCount: sizes.kept })),
});

/** Streams of which most may go, their events spread over the log as appends at once spread them. */
const fill = async (data: string): Promise<void> => {
  const storage = openStorage(data);
  const writer = startWriter(storage, () => undefined);
  const write = (stream: string, events: readonly ReturnType<typeof event>[]) =>
    writer.write(append({ stream: Buffer.from(stream), expected: 'any', events }));
  const names = Array.from({ length: sizes.streams }, (_, index) => `capped-${index}`);
  await Promise.all(names.map((name) => write(`$$${name}`, [metadata()])));
  for (let written = 0; written < sizes.perStream; written += 10)
    await Promise.all(
      names.map((name) =>
        write(
          name,
          Array.from({ length: 10 }, (_, index) => event(index)),
        ),
      ),
    );
  await writer.idle();
  await storage.tables.root.close();
};

/** Appends per second while `goesOn`, and how many there were. */
const appendsWhile = async (url: string, goesOn: (done: number) => boolean): Promise<number> => {
  const client = EventStoreDBClient.connectionString(url);
  let done = 0;
  const started = performance.now();
  await fromCallers(sizes.callers, sizes.callers, async (caller) => {
    while (goesOn(done)) {
      await client.appendToStream(`beside-${caller}`, [benchEvent(done)]);
      done += 1;
    }
  });
  const rate = (done * 1_000) / (performance.now() - started);
  await client.dispose();
  return rate;
};

const reportVerify = async (data: string): Promise<void> => {
  const started = performance.now();
  const verified = await verify(data, () => undefined);
  if (verified.kind !== 'walked') throw new Error(`The log is ${verified.kind} after a scavenge.`);
  const seconds = (performance.now() - started) / 1_000;
  report({ name: 'eventstore.verify', value: verified.walked.events / seconds, unit: 'events/s' });
};

export const benchScavenge = async (): Promise<void> => {
  const data = temporaryDirectory('bench-scavenge');
  await fill(data.path);
  const node = await startEventStoreNode(data.path);
  await appendsWhile(node.url, (done) => done < sizes.alone);
  const alone = await appendsWhile(node.url, (done) => done < sizes.alone);
  let running = true;
  const started = performance.now();
  const scavenged = requestScavenge(node.url).finally(() => {
    running = false;
  });
  const beside = await appendsWhile(node.url, () => running);
  const { result, eventsRemoved } = (await scavenged) as { readonly result: string; readonly eventsRemoved: number };
  if (result !== 'Success') throw new Error(`The scavenge ended with ${result}.`);
  const seconds = (performance.now() - started) / 1_000;
  report({ name: 'eventstore.scavenge', value: eventsRemoved / seconds, unit: 'events/s' });
  report({ name: 'eventstore.scavenge.appendsBeside', value: beside, unit: 'appends/s', baseline: alone });
  await node.stop();
  await reportVerify(data.path);
  data.remove();
};
