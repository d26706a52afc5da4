/** Scavenges that do not go as they should: damage in their way, a disk that refuses, an end before theirs. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createReclaimedSpace, scavenge } from '../../../../packages/eventstore-node/src/scavenge/scavenge';
import type { CompletedScavenge } from '../../../../packages/eventstore-node/src/scavenge/scavenge-history';
import { createScavenger, type Scavenger } from '../../../../packages/eventstore-node/src/scavenge/scavenger';
import { eventKey } from '../../../../packages/eventstore-node/src/storage/lmdb-tables';
import { lastPositionOf } from '../../../../packages/eventstore-node/src/storage/read-pages';
import { dataOf } from '../../../../packages/eventstore-node/src/storage/records/record-format';
import { readUnfinishedScavenge } from '../../../../packages/eventstore-node/src/storage/scavenge-state';
import { writeEvents } from '../../../../packages/eventstore-node/src/storage/write-events';
import type { Writer } from '../../../../packages/eventstore-node/src/storage/writer';
import {
  deleteStream,
  newEvents,
  type StoredLog,
  setMetadata,
  storeEvents,
  withStoredLog,
} from '../../../contracts/eventstore-node/maintenance/stored-log';
import { temporaryDirectory } from '../../../support/files/temporary-directory';

const scavengerOf = (stored: StoredLog, reported: unknown[] = []): Scavenger =>
  createScavenger({ ...stored, nodeEndpoint: () => 'here:1', report: (error) => reported.push(error) });

const scavenged = async (stored: StoredLog): Promise<CompletedScavenge | undefined> =>
  (await scavengerOf(stored).start()).over;

const capped = async (stored: StoredLog, stream: string): Promise<void> => {
  await storeEvents(stored, stream, newEvents(10));
  await setMetadata(stored, stream, '{"$maxCount":1}');
};

const revisionsOf = ({ storage: { tables, heads } }: StoredLog, stream: string): readonly number[] => {
  const number = heads.get(Buffer.from(stream))?.number ?? 0;
  return Array.from({ length: 10 }, (_, revision) => revision).filter((revision) =>
    tables.events.doesExist(eventKey(number, revision)),
  );
};

/** The record's last byte, in the table. */
const damage = async ({ storage: { tables, heads } }: StoredLog, stream: string, revision: number): Promise<number> => {
  const key = tables.events.get(eventKey(heads.get(Buffer.from(stream))?.number ?? 0, revision));
  assert.ok(key !== undefined);
  const record = Buffer.from(tables.log.get(key) ?? []);
  record[record.length - 1] = (record.at(-1) ?? 0) ^ 1;
  await tables.root.transaction(() => tables.log.putSync(key, record));
  return Number(key.readBigUInt64BE());
};

/** Refuses every write while `full` returns true. */
const refusing = (writer: Writer, full: () => boolean): Writer => ({
  ...writer,
  write: (body) => (full() ? Promise.resolve({ kind: 'refused', reason: 'disk full' }) : writer.write(body)),
});

describe('scavenger', () => {
  const home = temporaryDirectory('scavenger');
  after(() => home.remove());
  let made = 0;
  const withLog = <Result>(use: (stored: StoredLog) => Promise<Result>): Promise<Result> => {
    made += 1;
    return withStoredLog(join(home.path, String(made)), use);
  };

  it('leaves a damaged record and what follows it, does the rest, and says so', () =>
    withLog(async (stored) => {
      for (const stream of ['a', 'b']) await capped(stored, stream);
      const position = await damage(stored, 'a', 4);
      const completed = await scavenged(stored);
      assert.deepEqual(
        [completed?.result, completed?.error, completed?.eventsRemoved],
        ['Errored', `The record at position ${position} is damaged.`, 4 + 9],
      );
      assert.deepEqual(revisionsOf(stored, 'a'), [4, 5, 6, 7, 8, 9]);
      assert.deepEqual(revisionsOf(stored, 'b'), [9]);
    }));

  it('starts nothing that the disk does not let it record', () =>
    withLog(async ({ storage, writer }) => {
      let full = true;
      const stored = { storage, writer: refusing(writer, () => full) };
      const scavenger = scavengerOf(stored);
      await assert.rejects(scavenger.start(), /disk full/);
      full = false;
      assert.equal((await (await scavenger.start()).over)?.result, 'Success');
    }));

  it('throws what the disk says, and keeps what was removed before', () =>
    withLog(async ({ storage, writer }) => {
      await capped({ storage, writer }, 'a');
      const saved = createReclaimedSpace();
      const stored = { storage, writer: refusing(writer, () => true) };
      await assert.rejects(scavenge(stored, saved, new AbortController().signal), /disk full/);
      assert.deepEqual([saved.events, revisionsOf(stored, 'a').length], [0, 10]);
    }));

  it('writes nothing to tombstoned streams, and never lowers positions', () =>
    withLog(async (stored) => {
      await capped(stored, 'a');
      await scavenged(stored);
      for (const stream of ['$scavenges', 'a']) await deleteStream(stored, stream, 'hard');
      const { tables, heads } = stored.storage;
      // As a defect elsewhere would: the newest record belongs to a stream that has ended.
      await stored.writer.write((transaction) => writeEvents(transaction, Buffer.from('a'), newEvents(1)));
      const saved = createReclaimedSpace();
      const end = lastPositionOf(tables);
      await scavenge(stored, saved, new AbortController().signal);
      assert.ok(saved.events > 0);
      assert.equal(lastPositionOf(tables), end);
      const last = heads.get(Buffer.from('$scavenges'))?.last;
      assert.equal((await scavenged(stored))?.result, 'Success');
      assert.equal(heads.get(Buffer.from('$scavenges'))?.last, last);
    }));

  it('writes nothing once it is abandoned, and the next one records it as interrupted', () =>
    withLog(async (stored) => {
      await capped(stored, 'a');
      const abandoned = scavengerOf(stored);
      const starting = abandoned.start();
      abandoned.abandon();
      const { over, scavengeId } = await starting;
      assert.equal(await over, undefined);
      assert.equal(readUnfinishedScavenge(stored.storage.tables)?.scavengeId, scavengeId);
      assert.equal((await scavenged(stored))?.result, 'Success');
      assert.equal(readUnfinishedScavenge(stored.storage.tables), undefined);
      const { tables, heads } = stored.storage;
      const head = heads.get(Buffer.from(`$scavenges-${scavengeId}`));
      const key = tables.events.get(eventKey(head?.number ?? 0, head?.last ?? 0));
      const recorded = JSON.parse(
        dataOf(tables.log.get(key ?? Buffer.alloc(8)) ?? Buffer.alloc(0)).toString(),
      ) as CompletedScavenge;
      assert.deepEqual([recorded.result, recorded.nodeEndpoint], ['Interrupted', 'here:1']);
    }));
});
