/** Rows of streams that have ended are held against nothing else: their metadata is gone. */
import assert from 'node:assert/strict';
import { encodeChecksummed } from '../../../../packages/eventstore-node/src/storage/records/checksummed-json';
import { CorruptionError } from '../../../../packages/eventstore-node/src/verify/corruption-error';
import { parseStreamRow } from '../../../../packages/eventstore-node/src/verify/stream-row';

const place = { table: 'streams' } as const;
const ended = {
  number: 4711,
  tombstoned: true,
  retention: { maxCount: 3 },
  acl: { read: ['$all'], write: ['someone'] },
};

describe('a row of a stream', () => {
  it('is read as it was written', () => {
    assert.deepEqual(parseStreamRow(encodeChecksummed(ended), place), ended);
  });

  it('is read as it was written before rows had checksums', () => {
    assert.deepEqual(parseStreamRow(Buffer.from(JSON.stringify(ended)), place), ended);
  });

  it('is damaged by any other byte at any place', () => {
    const stored = encodeChecksummed(ended);
    for (let at = 0; at < stored.length; at += 1)
      for (const change of [1, 2, 4, 8, 16, 32, 64, 70, 128, 204, 255]) {
        const changed = Buffer.from(stored);
        changed[at] = (changed[at] ?? 0) ^ change;
        assert.throws(() => parseStreamRow(changed, place), CorruptionError, `byte ${at} ^ ${change}`);
      }
  });
});
