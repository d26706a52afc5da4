/** A log of everything there is, written without a server: for what looks at files. */
import { randomBytes, randomUUID } from 'node:crypto';
import { append } from '../../../../packages/eventstore-node/src/storage/append';
import { softDelete, tombstone } from '../../../../packages/eventstore-node/src/storage/delete';
import type { NewRecord } from '../../../../packages/eventstore-node/src/storage/records/record-format';
import { openStorage, type Storage } from '../../../../packages/eventstore-node/src/storage/storage';
import { startWriter, type Writer } from '../../../../packages/eventstore-node/src/storage/writer';

export interface StoredLog {
  readonly storage: Storage;
  readonly writer: Writer;
}

export const withStoredLog = async <Result>(
  directory: string,
  use: (stored: StoredLog) => Promise<Result>,
): Promise<Result> => {
  const storage = openStorage(directory);
  const writer = startWriter(storage, () => undefined);
  try {
    return await use({ storage, writer });
  } finally {
    await writer.idle();
    await storage.tables.root.close();
  }
};

export const newEvent = (size = 60, type = 'Stored'): NewRecord => ({
  id: randomUUID(),
  type,
  json: false,
  data: randomBytes(size),
  metadata: Buffer.from('{"by":"test"}'),
});

export const storeEvents = async (
  { writer }: StoredLog,
  stream: string,
  events: readonly NewRecord[],
): Promise<void> => {
  const outcome = await writer.write(append({ stream: Buffer.from(stream), expected: 'any', events }));
  if (outcome.kind !== 'appended') throw new Error(outcome.kind);
};

export const newEvents = (count: number, size?: number): readonly NewRecord[] =>
  Array.from({ length: count }, () => newEvent(size));

export const setMetadata = (stored: StoredLog, stream: string, json: string): Promise<void> =>
  storeEvents(stored, `$$${stream}`, [{ ...newEvent(0, '$metadata'), json: true, data: Buffer.from(json) }]);

export const deleteStream = async ({ writer }: StoredLog, stream: string, how: 'soft' | 'hard'): Promise<void> => {
  const request = { stream: Buffer.from(stream), expected: 'any' } as const;
  await writer.write(how === 'soft' ? softDelete(request) : tombstone(request));
};

/** Small and large events, names of every length, metadata, deletes, and what follows them. */
export const fillStreams = async (stored: StoredLog, streams = 40): Promise<void> => {
  for (let index = 0; index < streams; index += 1)
    await storeEvents(stored, `stream-${index}`, newEvents(10, 20 + 9 * index));
  for (const size of [1_900, 4_000, 9_000, 60_000]) await storeEvents(stored, 'large', newEvents(2, size));
  for (const length of [1_500, 1_901, 3_000]) {
    await storeEvents(stored, 'n'.repeat(length), newEvents(3));
    await setMetadata(stored, 'n'.repeat(length), '{"$maxCount":2}');
  }
  await setMetadata(stored, 'stream-1', '{"$maxCount":4}');
  await setMetadata(stored, 'stream-1', '{"$maxCount":3,"$acl":{"$r":["$all"],"$w":"someone"}}');
  await setMetadata(stored, 'stream-2', '{"$tb":7}');
  await setMetadata(stored, 'stream-3', '{"$maxAge":3600,"own":"field"}');
  await setMetadata(stored, 'never-written', '{"$maxCount":1}');
  for (const stream of ['stream-4', 'stream-5']) await deleteStream(stored, stream, 'soft');
  await storeEvents(stored, 'stream-5', newEvents(2));
  for (const stream of ['stream-6', 'never-there', 'stream-1']) await deleteStream(stored, stream, 'hard');
};

/** Every record and every stream as reads show them. */
export const namesIn = (streams = 40): readonly string[] => [
  ...Array.from({ length: streams }, (_, index) => `stream-${index}`),
  ...[1_500, 1_901, 3_000].map((length) => 'n'.repeat(length)),
  ...['large', 'never-there', 'never-written'],
];
