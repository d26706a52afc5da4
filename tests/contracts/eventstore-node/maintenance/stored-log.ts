/** A log of everything there is, written without a server: for what looks at files. */
import { randomBytes, randomUUID } from 'node:crypto';
import { append } from '../../../../packages/eventstore-node/src/storage/append';
import { softDelete, tombstone } from '../../../../packages/eventstore-node/src/storage/delete';
import type { NewRecord } from '../../../../packages/eventstore-node/src/storage/records/record-format';
import { openStorage, type Storage } from '../../../../packages/eventstore-node/src/storage/storage';
import { startWriter, type Writer } from '../../../../packages/eventstore-node/src/storage/writer';

export interface Stored {
  readonly storage: Storage;
  readonly writer: Writer;
}

export const withStored = async <Result>(
  directory: string,
  use: (stored: Stored) => Promise<Result>,
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

export const write = async ({ writer }: Stored, stream: string, events: readonly NewRecord[]): Promise<void> => {
  const outcome = await writer.write(append({ stream: Buffer.from(stream), expected: 'any', events }));
  if (outcome.kind !== 'appended') throw new Error(outcome.kind);
};

export const several = (count: number, size?: number): readonly NewRecord[] =>
  Array.from({ length: count }, () => newEvent(size));

export const setMetadata = (stored: Stored, stream: string, json: string): Promise<void> =>
  write(stored, `$$${stream}`, [{ ...newEvent(0, '$metadata'), json: true, data: Buffer.from(json) }]);

export const remove = async ({ writer }: Stored, stream: string, how: 'soft' | 'hard'): Promise<void> => {
  const request = { stream: Buffer.from(stream), expected: 'any' } as const;
  await writer.write(how === 'soft' ? softDelete(request) : tombstone(request));
};

/** Small and large events, names of every length, metadata, deletes, and what follows them. */
export const fill = async (stored: Stored, streams = 40): Promise<void> => {
  for (let index = 0; index < streams; index += 1) await write(stored, `stream-${index}`, several(10, 20 + 9 * index));
  for (const size of [1_900, 4_000, 9_000, 60_000]) await write(stored, 'large', several(2, size));
  for (const length of [1_500, 1_901, 3_000]) {
    await write(stored, 'n'.repeat(length), several(3));
    await setMetadata(stored, 'n'.repeat(length), '{"$maxCount":2}');
  }
  await setMetadata(stored, 'stream-1', '{"$maxCount":4}');
  await setMetadata(stored, 'stream-1', '{"$maxCount":3,"$acl":{"$r":["$all"],"$w":"someone"}}');
  await setMetadata(stored, 'stream-2', '{"$tb":7}');
  await setMetadata(stored, 'stream-3', '{"$maxAge":3600,"own":"field"}');
  await setMetadata(stored, 'never-written', '{"$maxCount":1}');
  for (const stream of ['stream-4', 'stream-5']) await remove(stored, stream, 'soft');
  await write(stored, 'stream-5', several(2));
  for (const stream of ['stream-6', 'never-there', 'stream-1']) await remove(stored, stream, 'hard');
};

/** Every record and every stream as reads show them. */
export const namesIn = (streams = 40): readonly string[] => [
  ...Array.from({ length: streams }, (_, index) => `stream-${index}`),
  ...[1_500, 1_901, 3_000].map((length) => 'n'.repeat(length)),
  ...['large', 'never-there', 'never-written'],
];
