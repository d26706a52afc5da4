/** Ways in which a log's tables can disagree, and how verify names each. */
import assert from 'node:assert/strict';
import {
  eventKey,
  numberOf,
  positionKey,
  type Tables,
} from '../../../../packages/eventstore-node/src/storage/lmdb-tables';
import { lastPositionOf } from '../../../../packages/eventstore-node/src/storage/read-pages';
import { encodeRecord } from '../../../../packages/eventstore-node/src/storage/records/record-format';
import { loadHead, type StreamHead } from '../../../../packages/eventstore-node/src/storage/streams/stream-heads';
import { newEvent } from '../../../contracts/eventstore-node/maintenance/stored-log';

const numbered = (tables: Tables, name: string): number => loadHead(tables, Buffer.from(name))?.number ?? 0;

const positionOf = (tables: Tables, name: string, revision: number): Buffer => {
  const position = tables.events.get(eventKey(numbered(tables, name), revision));
  assert.ok(position !== undefined);
  return position;
};

const changeRow = (tables: Tables, name: string, change: Partial<StreamHead>): void => {
  const { last: _, ...row } = loadHead(tables, Buffer.from(name)) as StreamHead;
  tables.streams.putSync(Buffer.from(name), Buffer.from(JSON.stringify({ ...row, ...change })));
};

/** Another record in place of one, with a checksum that holds. */
const replace = (
  tables: Tables,
  name: string,
  revision: number,
  place: { stream?: string; revision?: number },
): void => {
  const key = positionOf(tables, name, revision);
  const length = tables.log.get(key)?.length ?? 0;
  const stream = Buffer.from(place.stream ?? name);
  const placement = { stream, streamNumber: numbered(tables, name), position: numberOf(key), created: 0 };
  const record = encodeRecord(newEvent(0), { ...placement, revision: place.revision ?? revision });
  const size = length - record.length;
  tables.log.putSync(key, encodeRecord(newEvent(size), { ...placement, revision: place.revision ?? revision }));
};

const lastKey = (tables: Tables): Buffer => positionKey(lastPositionOf(tables) ?? 0);

export const damages: readonly (readonly [what: string, damage: (tables: Tables) => void, found: RegExp])[] = [
  [
    'a record that is gone, with its index entry',
    (tables) => {
      const position = positionOf(tables, 'stream-39', 9);
      tables.log.removeSync(position);
      tables.events.removeSync(eventKey(numbered(tables, 'stream-39'), 9));
    },
    /^Damage in table log.*(missing|nothing)/,
  ],
  [
    'a record that is gone, but not its index entry',
    (tables) => void tables.log.removeSync(positionOf(tables, 'stream-30', 5)),
    /^Damage in table log.*(missing|nothing)/,
  ],
  [
    'the newest record that is gone',
    (tables) => void tables.log.removeSync(lastKey(tables)),
    /^Damage in table events.*position \d+.*no record is there/,
  ],
  [
    'a record that no index entry leads to',
    (tables) => void tables.events.removeSync(eventKey(numbered(tables, 'stream-9'), 3)),
    /^Damage in table events.*"stream-9", revision 3.*does not find/,
  ],
  [
    'an index entry that leads elsewhere',
    (tables) => void tables.events.putSync(eventKey(numbered(tables, 'stream-9'), 3), positionOf(tables, 'large', 1)),
    /^Damage in table events.*"stream-9", revision 3.*leads to/,
  ],
  [
    'an index entry too many',
    (tables) => void tables.events.putSync(eventKey(numbered(tables, 'stream-9'), 10), positionOf(tables, 'large', 1)),
    /^Damage in table events.*entries/,
  ],
  [
    'a record under a position that is not its own',
    (tables) => {
      const record = tables.log.get(positionOf(tables, 'large', 7)) as Buffer;
      const end = numberOf(lastKey(tables)) + (tables.log.get(lastKey(tables))?.length ?? 0);
      tables.log.putSync(positionKey(end), record);
    },
    /^Damage in table log.*header/,
  ],
  [
    'a record of another stream',
    (tables) => replace(tables, 'stream-20', 4, { stream: 'stream-21' }),
    /^Damage in table log.*"stream-21".*numbered/,
  ],
  [
    'a record of another revision',
    (tables) => replace(tables, 'stream-20', 4, { revision: 40 }),
    /^Damage in table events.*"stream-20", revision 40/,
  ],
  [
    'a stream without a row',
    (tables) => void tables.streams.removeSync(Buffer.from('stream-22')),
    /^Damage in table streams.*"stream-22"/,
  ],
  [
    'a row of another number',
    (tables) => changeRow(tables, 'stream-22', { number: numbered(tables, 'stream-23') }),
    /^Damage in table log.*"stream-22".*numbered/,
  ],
  [
    'a row that hides what metadata does not',
    (tables) => changeRow(tables, 'stream-22', { retention: { maxCount: 1 } }),
    /^Damage in table streams.*"stream-22".*no metadata/,
  ],
  [
    'a row that hides other than metadata says',
    (tables) => changeRow(tables, 'stream-2', { retention: { before: 8 } }),
    /^Damage in table streams.*"stream-2".*newest metadata/,
  ],
  [
    'a row that lets others in than metadata says',
    (tables) => changeRow(tables, 'stream-3', { acl: { read: ['$all'] } }),
    /^Damage in table streams.*"stream-3".*newest metadata/,
  ],
  [
    'a tombstone the row does not know of',
    (tables) => changeRow(tables, 'stream-6', { tombstoned: false }),
    /^Damage in table streams.*"stream-6".*tombstone/,
  ],
  [
    'a row that knows of a tombstone that is not there',
    (tables) => changeRow(tables, 'stream-7', { tombstoned: true }),
    /^Damage in table streams.*"stream-7".*tombstone/,
  ],
  [
    'a row without a reason',
    (tables) => changeRow(tables, 'never-written', { retention: {} }),
    /^Damage in table streams.*"never-written"/,
  ],
  [
    'a row that cannot be read',
    (tables) => void tables.streams.putSync(Buffer.from('stream-8'), Buffer.from('{"number":')),
    /^Damage in table streams.*"stream-8".*cannot be read/,
  ],
  [
    'marks that cannot be read',
    (tables) => void tables.marks.putSync(Buffer.from('removed'), Buffer.from('{"position":true}')),
    /^Damage in table marks/,
  ],
  [
    'marks of more than is missing',
    (tables) => void tables.marks.putSync(Buffer.from('removed'), Buffer.from('{"position":1,"events":1,"bytes":1}')),
    /^Damage in table log.*removed/,
  ],
];
