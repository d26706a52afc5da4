/** Wide numbers against the platform's own. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eventKey, numberOf, positionKey } from '../../../../packages/eventstore-node/src/storage/lmdb-tables';
import { readUint64, writeUint64 } from '../../../../packages/eventstore-node/src/storage/records/binary-encoding';
import {
  encodeRecord,
  revisionOf,
  tombstoneRevision,
} from '../../../../packages/eventstore-node/src/storage/records/record-format';

const recordAt = (revision: number): Buffer =>
  encodeRecord(
    {
      id: '00000000-0000-4000-8000-000000000001',
      type: 'T',
      json: false,
      data: Buffer.alloc(0),
      metadata: Buffer.alloc(0),
    },
    { stream: Buffer.from('s'), streamNumber: 64, revision, position: 64, created: 0 },
  );

describe('wide numbers', () => {
  it('are what BigInt makes of them, and come back', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const [bytes, expected] = [Buffer.alloc(8), Buffer.alloc(8)];
        writeUint64(bytes, value, 0);
        expected.writeBigUInt64BE(BigInt(value));
        assert.deepEqual(bytes, expected);
        assert.equal(readUint64(bytes, 0), value);
      }),
    );
  });

  it('order keys as numbers, infinity last', () => {
    const number = fc.oneof(fc.maxSafeNat(), fc.nat(300), fc.constant(Number.POSITIVE_INFINITY));
    fc.assert(
      fc.property(number, number, (one, other) => {
        const order = one === other ? 0 : Math.sign(one - other);
        assert.equal(Buffer.compare(positionKey(one), positionKey(other)), order);
        assert.equal(Buffer.compare(eventKey(64, one), eventKey(64, other)), order);
        assert.equal(numberOf(eventKey(64, one)), 64);
      }),
    );
  });

  it('tell a tombstone from every other revision', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (revision) => assert.equal(revisionOf(recordAt(revision)), revision)));
    assert.equal(revisionOf(recordAt(tombstoneRevision)), tombstoneRevision);
    assert.equal(recordAt(tombstoneRevision).readBigInt64BE(20), 0x7fffffffffffffffn);
  });
});
