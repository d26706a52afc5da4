/** What a start reads back, and that neither long names nor large events make it or the cache grow. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  numberOf,
  openTables,
  positionKey,
  type Tables,
} from '../../../../packages/eventstore-node/src/storage/lmdb-tables';
import { loadRecentEventIds } from '../../../../packages/eventstore-node/src/storage/recent-event-ids';
import { encodeRecord } from '../../../../packages/eventstore-node/src/storage/records/record-format';
import {
  createHeadCache,
  type StreamHead,
} from '../../../../packages/eventstore-node/src/storage/streams/stream-heads';
import { temporaryDirectory } from '../../../support/files/temporary-directory';

const head: StreamHead = { number: 64, last: 3, tombstoned: false, retention: {} };

/** Tables without streams that count their lookups. */
const emptyTables = (): { readonly tables: Tables; readonly lookups: () => number } => {
  let lookups = 0;
  const streams = {
    get: () => {
      lookups += 1;
      return undefined;
    },
  };
  return { tables: { streams } as unknown as Tables, lookups: () => lookups };
};

const longName = (index: number): Buffer => Buffer.alloc(64 * 1024, `${index}-`);

describe('heads in memory', () => {
  it('keeps those used last, however many there were', () => {
    const { tables, lookups } = emptyTables();
    const heads = createHeadCache(tables);
    const busy = Buffer.from('busy');
    heads.set(busy, head);
    for (let index = 0; index < 100_000; index += 1) {
      heads.set(Buffer.from(`stream-${index}`), { ...head, number: index });
      if (index % 1000 === 0) assert.equal(heads.get(busy), head);
    }
    assert.equal(heads.get(Buffer.from('stream-99999'))?.number, 99_999);
    assert.equal(lookups(), 0);
    assert.equal(heads.get(Buffer.from('stream-0')), undefined);
    assert.equal(lookups(), 1);
  });

  it('bounds bytes, not names: long ones push each other out', () => {
    const { tables, lookups } = emptyTables();
    const heads = createHeadCache(tables);
    for (let index = 0; index < 200; index += 1) heads.set(longName(index), { ...head, number: index });
    const cached = Array.from({ length: 200 }, (_, index) => index).filter(
      (index) => heads.get(longName(199 - index))?.number === 199 - index,
    );
    assert.ok(cached.length > 32 && cached.length <= 128, `${cached.length} kept`);
    assert.deepEqual(
      cached,
      cached.map((_, index) => index),
    );
    assert.equal(lookups(), 200 - cached.length);
  });

  it('counts access lists, of which a stream may have a long one', () => {
    const { tables, lookups } = emptyTables();
    const heads = createHeadCache(tables);
    const acl = { read: Array.from({ length: 1_000 }, (_, index) => `reader-${index}`) };
    for (let index = 0; index < 500; index += 1) {
      heads.set(Buffer.from(`s-${index}`), head);
      heads.set(Buffer.from(`s-${index}`), { ...head, acl });
    }
    assert.equal(heads.get(Buffer.from('s-499'))?.acl, acl);
    assert.equal(heads.get(Buffer.from('s-0')), undefined);
    assert.equal(lookups(), 1);
  });

  it('answers with the newest value', () => {
    const heads = createHeadCache(emptyTables().tables);
    const name = Buffer.from('one');
    for (let last = 0; last < 50; last += 1) {
      heads.set(name, { ...head, last });
      for (let index = 0; index < 40; index += 1) heads.set(longName(index), head);
      assert.equal(heads.get(name)?.last, last);
    }
  });
});

describe('ids read back at start', () => {
  const home = temporaryDirectory('recall');
  after(() => home.remove());

  /** Answers the events' ids in order. */
  const write = async (tables: Tables, count: number, dataBytes: number): Promise<readonly string[]> => {
    const ids = Array.from({ length: count }, () => randomUUID());
    let position = 64;
    await tables.root.transaction(() => {
      ids.forEach((id, revision) => {
        const event = { id, type: 'T', json: false, data: Buffer.alloc(dataBytes), metadata: Buffer.alloc(0) };
        const place = { stream: Buffer.from('s'), streamNumber: 64, revision, position, created: 0 };
        const record = encodeRecord(event, place);
        tables.log.putSync(positionKey(position), record);
        position += record.length;
      });
    });
    return ids;
  };

  it('knows all of a short log, and nothing of an empty one', async () => {
    const tables = openTables(`${home.path}/short`);
    assert.equal(loadRecentEventIds(tables).get(randomUUID()), undefined);
    const ids = await write(tables, 1000, 10);
    const recalled = loadRecentEventIds(tables);
    const positions = [...tables.log.getKeys()].map((key) => numberOf(key));
    assert.deepEqual(
      ids.map((id) => recalled.get(id)),
      positions.map((position, revision) => ({ stream: 64, revision, position })),
    );
    await tables.root.close();
  });

  it('can be closed before all are read', async () => {
    const tables = openTables(`${home.path}/closed`);
    const ids = await write(tables, 1000, 10);
    const recalled = loadRecentEventIds(tables);
    await tables.root.close();
    await new Promise(setImmediate);
    assert.throws(() => recalled.get(ids[0] ?? ''), /closed/);
  });

  it('does not take for stored what is not committed yet', async () => {
    const tables = openTables(`${home.path}/uncommitted`);
    await write(tables, 5, 10);
    const recalled = loadRecentEventIds(tables);
    const id = randomUUID();
    tables.root.transactionSync(() => {
      const event = { id, type: 'T', json: false, data: Buffer.alloc(1), metadata: Buffer.alloc(0) };
      const place = { stream: Buffer.from('s'), streamNumber: 64, revision: 5, position: 100_000, created: 0 };
      tables.log.putSync(positionKey(place.position), encodeRecord(event, place));
      assert.equal(recalled.get(id), undefined);
    });
    assert.equal(recalled.get(id), undefined);
    await tables.root.close();
  });

  it('reads no more than 64 MiB of large events', async () => {
    const tables = openTables(`${home.path}/large`);
    const ids = await write(tables, 80, 1024 * 1024);
    const recalled = loadRecentEventIds(tables);
    const known = ids.map((id) => recalled.get(id)?.revision);
    assert.deepEqual(
      known,
      ids.map((_, revision) => (revision < 80 - 64 ? undefined : revision)),
    );
    await tables.root.close();
  });
});
