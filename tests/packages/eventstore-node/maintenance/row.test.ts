/** Rows of streams that have ended are held against nothing else: their metadata is gone. */
import assert from 'node:assert/strict';
import { Damage } from '../../../../packages/eventstore-node/src/maintenance/verify/damage';
import { rowOf } from '../../../../packages/eventstore-node/src/maintenance/verify/row';
import { seal } from '../../../../packages/eventstore-node/src/storage/sealed';

const place = { table: 'streams' } as const;
const ended = {
  number: 4711,
  tombstoned: true,
  retention: { maxCount: 3 },
  acl: { read: ['$all'], write: ['someone'] },
};

describe('a row of a stream', () => {
  it('is read as it was written', () => {
    assert.deepEqual(rowOf(seal(ended), place), ended);
  });

  it('is read as it was written before rows had checksums', () => {
    assert.deepEqual(rowOf(Buffer.from(JSON.stringify(ended)), place), ended);
  });

  it('is damaged by any other byte at any place', () => {
    const stored = seal(ended);
    for (let at = 0; at < stored.length; at += 1)
      for (const change of [1, 2, 4, 8, 16, 32, 64, 70, 128, 204, 255]) {
        const changed = Buffer.from(stored);
        changed[at] = (changed[at] ?? 0) ^ change;
        assert.throws(() => rowOf(changed, place), Damage, `byte ${at} ^ ${change}`);
      }
  });
});
