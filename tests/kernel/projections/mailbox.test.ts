import assert from 'node:assert/strict';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { openMailbox } from '../../../projections/kernel/projector/mailbox';

const eventAt = (position: bigint, text = ''): StoredEvent => ({
  id: 'e',
  type: 'ticks.CounterMade.v1',
  stream: 's',
  revision: 0,
  metadata: {},
  position,
  data: { text },
});

describe('mailbox of a view', () => {
  it('lets everything go once there is too much of it, by number or by size, and counts on', () => {
    for (const [events, text] of [
      [2_001, ''],
      [500, 'x'.repeat(100_000)],
    ] as const) {
      const mailbox = openMailbox(null);
      for (let index = 1; index <= events; index += 1) mailbox.push(eventAt(BigInt(index), text));
      assert.deepEqual([mailbox.takeBatch(500), mailbox.isEmpty(), mailbox.arrived()], [undefined, false, events]);
    }
  });

  it('takes any number and size while it is emptied in time', () => {
    const mailbox = openMailbox(null);
    for (let index = 1; index <= 3_000; index += 1) {
      mailbox.push(eventAt(BigInt(index), 'x'.repeat(100_000)));
      if (index % 200 === 0) assert.equal(mailbox.takeBatch(500)?.position, BigInt(index));
    }
    assert.ok(mailbox.isEmpty());
  });
});
