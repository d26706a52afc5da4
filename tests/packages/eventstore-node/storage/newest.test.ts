/** What is kept of the newest records: always the last ones, never more than a bound. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createRecentRecords } from '../../../../packages/eventstore-node/src/storage/records/recent-records';
import type { StoredRecord } from '../../../../packages/eventstore-node/src/storage/records/record-format';

const mostBytes = 512 * 1024;

/** Records one behind the other, in commits. */
const commits = fc.array(fc.array(fc.integer({ min: 90, max: 200_000 }), { maxLength: 20 }), { maxLength: 20 });

const recordsOf = (sizes: readonly (readonly number[])[]): readonly (readonly StoredRecord[])[] => {
  let position = 64;
  return sizes.map((commit) =>
    commit.map((size) => {
      const record = { position, bytes: Buffer.alloc(size), shared: {} };
      position += size;
      return record;
    }),
  );
};

describe('newest records', () => {
  it('keeps the last of them without a gap, in bounded memory', () => {
    fc.assert(
      fc.property(commits, (sizes) => {
        const newest = createRecentRecords();
        const records = recordsOf(sizes);
        for (const commit of records) newest.add(commit);
        const all = records.flat();
        const cached = all.filter(({ position }) => newest.at(position) !== undefined);
        for (const record of cached) assert.equal(newest.at(record.position), record);
        assert.deepEqual(cached, cached.length === 0 ? [] : all.slice(-cached.length));
        assert.equal(newest.lowest(), cached[0]?.position ?? Number.POSITIVE_INFINITY);
        const bytes = cached.reduce((sum, record) => sum + record.bytes.length, 0);
        const [largest = 0] = cached.map((record) => record.bytes.length).sort((one, other) => other - one);
        assert.ok(bytes <= mostBytes + 2 * largest, `${bytes} bytes`);
      }),
      { numRuns: 50 },
    );
  });

  it('knows nothing of other positions', () => {
    const newest = createRecentRecords();
    assert.equal(newest.at(64), undefined);
    newest.add([{ position: 1_000, bytes: Buffer.alloc(100) }]);
    assert.deepEqual(
      [newest.at(64)?.position, newest.at(1_000)?.position, newest.at(1_100)],
      [undefined, 1_000, undefined],
    );
  });
});
