import assert from 'node:assert/strict';
import { isLeft, right } from 'fp-ts/Either';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import { coalesceReads } from '../../../../infra/adapters/eventstore/read/coalesced-reads';
import type { EventStore } from '../../../../infra/ports/event-store';
import { deferred } from '../../../support/waiting/deferred';

/** Counts its calls, and answers each with its number when its gate opens. */
const slow = () => {
  const gates: ReturnType<typeof deferred>[] = [];
  const read: EventStore['read'] = async (stream, from = 0) => {
    const gate = deferred();
    const callNumber = gates.push(gate);
    await gate.promise;
    const about = { id: String(callNumber), type: 'sample.Read.v1', data: {}, metadata: {}, stream };
    return right([{ ...about, revision: from, position: 0n }]);
  };
  return { gates, store: coalesceReads({ ...openMemoryEventStore(), read }) };
};

const which = async (reading: ReturnType<EventStore['read']>): Promise<string | undefined> => {
  const read = await reading;
  return isLeft(read) ? undefined : read.right[0]?.id;
};

describe('reads of one stream at once', () => {
  it('never answer with what was read before they were asked', async () => {
    const { gates, store } = slow();
    const first = which(store.read('s-1'));
    const later = [which(store.read('s-1')), which(store.read('s-1', 0))];
    assert.equal(gates.length, 1);
    gates[0]?.resolve();
    assert.equal(await first, '1');
    const last = which(store.read('s-1'));
    gates[1]?.resolve();
    assert.deepEqual(await Promise.all(later), ['2', '2']);
    gates[2]?.resolve();
    assert.equal(await last, '3');
  });

  it('are apart for other streams, and from other revisions', async () => {
    const { gates, store } = slow();
    const all = [which(store.read('s-1')), which(store.read('s-2')), which(store.read('s-1', 3))];
    for (const gate of gates) gate.resolve();
    assert.deepEqual(await Promise.all(all), ['1', '2', '3']);
  });

  it('leave nothing behind', async () => {
    const { gates, store } = slow();
    for (const round of [1, 2, 3]) {
      const reading = which(store.read('s-1'));
      gates[round - 1]?.resolve();
      assert.equal(await reading, String(round));
    }
  });
});
