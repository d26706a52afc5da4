/** By what pinned strategies keep events together. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createPinningKey } from '../../../../packages/eventstore-node/src/persistent-subscriptions/group/pinned-strategy';
import type { Strategy } from '../../../../packages/eventstore-node/src/persistent-subscriptions/settings';
import {
  encodeRecord,
  type NewRecord,
  type StoredRecord,
} from '../../../../packages/eventstore-node/src/storage/records/record-format';
import type { Storage } from '../../../../packages/eventstore-node/src/storage/storage';
import { settings } from './world';

/** Links are not resolved here: nothing is read. */
const storage = {} as Storage;

const recordIn = (stream: string, fields: Partial<NewRecord> = {}): StoredRecord => {
  const event = { id: randomUUID(), type: 'Happened', json: true, data: Buffer.from('{}'), metadata: Buffer.alloc(0) };
  const place = { stream: Buffer.from(stream), streamNumber: 1, revision: 300, position: 70_000, created: 1 };
  return { position: place.position, bytes: encodeRecord({ ...event, ...fields }, place) };
};

const pin = (strategy: Strategy, record: StoredRecord): number =>
  createPinningKey(storage, { ...settings, strategy })(record);

const correlated = (id: unknown): Partial<NewRecord> => ({
  metadata: Buffer.from(JSON.stringify({ $causationId: 'x', $correlationId: id })),
});

describe('key of a pinned event', () => {
  it('is its stream, or the stream that its link leads to', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (stream, other) => {
        const own = pin('Pinned', recordIn(stream));
        const link = recordIn(other, { type: '$>', json: false, data: Buffer.from(`7@${stream}`) });
        assert.equal(pin('Pinned', link), own);
      }),
    );
  });

  it('is its correlation id, whatever else the event holds', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.uint8Array({ maxLength: 300 }), (id, stream, data) => {
        const one = pin('PinnedByCorrelation', recordIn(stream, { ...correlated(id), data }));
        assert.equal(one, pin('PinnedByCorrelation', recordIn('other', correlated(id))));
      }),
    );
  });

  it('is the stream where there is no correlation id', () => {
    const own = pin('Pinned', recordIn('orders-1'));
    for (const fields of [{}, correlated(7), { metadata: Buffer.from('no json') }, { metadata: Buffer.from('null') }])
      assert.equal(pin('PinnedByCorrelation', recordIn('orders-1', fields)), own);
  });

  it('is not asked for by other strategies', () => {
    assert.equal(pin('RoundRobin', recordIn('orders-1')), 0);
  });
});
