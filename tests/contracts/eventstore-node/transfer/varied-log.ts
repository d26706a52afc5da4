/** A log with whatever a log may hold, and what of it has to be the same elsewhere. */
import { createHash, randomUUID } from 'node:crypto';
import { append } from '../../../../packages/eventstore-node/src/storage/append';
import { softDelete, tombstone } from '../../../../packages/eventstore-node/src/storage/delete';
import { openReadOnlyTables } from '../../../../packages/eventstore-node/src/storage/lmdb-tables';
import type { NewRecord } from '../../../../packages/eventstore-node/src/storage/records/record-format';
import { openStorage } from '../../../../packages/eventstore-node/src/storage/storage';
import { type Write as StorageWrite, startWriter } from '../../../../packages/eventstore-node/src/storage/writer';

const event = (data: string | Buffer = '{"a":1}', fields: Partial<NewRecord> = {}): NewRecord => ({
  id: randomUUID(),
  type: 'Happened',
  json: true,
  data: Buffer.from(data),
  metadata: Buffer.from('{"tenant":"t"}'),
  ...fields,
});

type Write = StorageWrite<unknown>;

/** Streams named with a prefix, so that a server may hold several such logs; metadata and the system's keep their signs. */
const logNamed = (prefix: string) => {
  const nameOf = (stream: string): Buffer => Buffer.from(stream.replace(/^\$*/, (signs) => `${signs}${prefix}`));
  return {
    prefix: Buffer.from(prefix),
    to: (stream: string | Buffer, ...events: readonly NewRecord[]): Write =>
      append({ stream: Buffer.isBuffer(stream) ? stream : nameOf(stream), expected: 'any', events }),
    at: (stream: string) => ({ stream: nameOf(stream), expected: 'any' }) as const,
  };
};
type Log = ReturnType<typeof logNamed>;

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

const awkward = ({ to, prefix }: Log): readonly Write[] => [
  to('binary', event(everyByte, { json: false, metadata: everyByte })),
  to('broken', event('{"a":'), event('{"a": 1}'), event(everyByte), event('9007199254740993'), event('{"a":1,"a":2}')),
  to('empty', event('', { metadata: Buffer.alloc(0) })),
  to('large', event(Buffer.alloc(1_048_576, 'x'), { json: false })),
  to('Straße/日本 🎬 "\\\n', event('{"ü":"🎬\\n"}', { type: 'Ümläut 🎬' })),
  to('n'.repeat(5_000), event()),
  to(Buffer.concat([prefix, Buffer.from([0xff, 0x00, 0xfe])]), event()),
  to('links', event('0@binary', { type: '$>', json: false }), event('0@nowhere', { type: '$>' })),
  to('twice', ...Array.from({ length: 2 }, () => event('1', { id: '3fe40710-9ebf-4651-acbe-f40b2f3674a2' }))),
  to('long', ...Array.from({ length: 1_200 }, (_, index) => event(`{"index":${index}}`))),
];

const endings = ({ to, at }: Log): readonly Write[] => [
  to('kept', event(), event(), event()),
  to('$$kept', event('{"$maxCount":2}', { type: '$metadata' }), event('{"$tb":1,"mine":[1]}', { type: '$metadata' })),
  to('deleted', event(), event()),
  softDelete(at('deleted')),
  to('again', event(), event()),
  softDelete(at('again')),
  to('again', event()),
  softDelete(at('again')),
  to('again', event(), event()),
  to('over', event(), event()),
  to('$$over', event('{"$maxCount":1}', { type: '$metadata' })),
  tombstone(at('over')),
  tombstone(at('never')),
  to('$system', event()),
  to('$$$system', event('{"$maxAge":1}', { type: '$metadata' })),
];

const scattered = ({ to }: Log): readonly Write[] =>
  Array.from({ length: 900 }, (_, index) => to(`orders.order-t.${index % 300}`, event(`{"index":${index}}`)));

/** Fills a directory that no node serves. */
export const fillLog = async (directory: string, prefix = ''): Promise<void> => {
  const storage = openStorage(directory);
  const writer = startWriter(storage, () => undefined);
  const log = logNamed(prefix);
  for (const writes of [awkward(log), scattered(log), endings(log)])
    await Promise.all(writes.map((write) => writer.write(write)));
  await storage.tables.root.close();
};

/** Every record as it is stored, by its position. */
export const recordsIn = async (directory: string): Promise<readonly string[]> => {
  const tables = openReadOnlyTables(directory);
  if (tables === undefined) return [];
  const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  const records = [...tables.log.getRange({})].map(({ key, value }) => `${key.toString('hex')} ${digest(value)}`);
  await tables.root.close();
  return records;
};

type Fields = Readonly<Record<string, unknown>>;

/** By stream, without what a server gives an event itself: its position and its time, and a tombstone's id. */
export const streamsIn = (log: string): Readonly<Record<string, readonly string[]>> => {
  const streams: Record<string, string[]> = {};
  for (const line of log.trimEnd().split('\n').slice(1, -1)) {
    const { stream, streamBase64, position: _, created: __, id, ...rest } = JSON.parse(line) as Fields;
    const name = `${stream ?? ''}/${streamBase64 ?? ''}`;
    const record = JSON.stringify([rest, rest.type === '$streamDeleted' ? '' : id]);
    streams[name] = [...(streams[name] ?? []), record];
  }
  return streams;
};
