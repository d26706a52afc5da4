/** Writes a log straight into a data directory, as the node's own writer would, without the calls. */
import { randomUUID } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { append } from '../../../packages/eventstore-node/src/storage/append';
import { openStorage } from '../../../packages/eventstore-node/src/storage/storage';
import { startWriter } from '../../../packages/eventstore-node/src/storage/writer';
import { fromCallers } from '../measure';
import { eventData } from './events';

export const streamCount = 100_000;
const perAppend = 10;
/** As many appends share a commit. */
const callers = 1_000;

export const streamName = (index: number): string => `bench.filled-${index % streamCount}`;

export const gigabytesFree = (): number => {
  const { bavail, bsize } = statfsSync(tmpdir());
  return (bavail * bsize) / 1024 ** 3;
};

/** Adds so many events to streams in turn, ten at a time. */
export const fill = async (data: string, events: number): Promise<void> => {
  const storage = openStorage(data);
  const writer = startWriter(storage, () => undefined);
  const bytes = Buffer.from(JSON.stringify(eventData(0)));
  const event = () => ({
    id: randomUUID(),
    type: 'Benched',
    json: true,
    data: bytes,
    metadata: Buffer.alloc(0),
  });
  await fromCallers(callers, events / perAppend, async (index) => {
    const stream = Buffer.from(streamName(index));
    const written = Array.from({ length: perAppend }, event);
    const outcome = await writer.write(append({ stream, expected: 'any', events: written }));
    if (outcome.kind !== 'appended') throw new Error(outcome.kind);
  });
  await writer.idle();
  await storage.tables.root.close();
};
