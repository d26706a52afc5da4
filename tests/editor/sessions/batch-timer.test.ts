import assert from 'node:assert/strict';
import type { OperationFrame } from '../../../commands/editor/document-owner/document-handle';
import {
  batchMilliseconds,
  createBatchTimer,
  unbatchedListeners,
} from '../../../commands/editor/sessions/outbound/batch-timer';
import { deferred } from '../../support/waiting/deferred';

const frame = (version: number, json = '{}'): OperationFrame => ({
  kind: 'operations',
  fromVersion: version,
  toVersion: version,
  operations: [json],
});

/** Versions that were broadcast together, or `another` for another scene. */
const openTimer = (listeners: number) => {
  const broadcasts: string[] = [];
  const later = deferred();
  let time = 0;
  const timer = createBatchTimer({
    listeners: () => listeners,
    now: () => time,
    send: (one) => {
      broadcasts.push(one === undefined ? 'another' : `${one.fromVersion}-${one.toVersion}`);
      if (broadcasts.length > 1) later.resolve();
    },
  });
  return {
    timer,
    broadcasts,
    later,
    pass: () => {
      time += batchMilliseconds;
    },
  };
};

describe('batching of committed frames', () => {
  it('sends at once in a small room', () => {
    const { timer, broadcasts } = openTimer(unbatchedListeners);
    for (const version of [1, 2, 3]) timer.enqueue(frame(version));
    assert.deepEqual(broadcasts, ['1-1', '2-2', '3-3']);
  });

  it('sends at once in a large room after a pause, then merges what follows', async () => {
    const { timer, broadcasts, later, pass } = openTimer(unbatchedListeners + 1);
    timer.enqueue(frame(1));
    pass();
    timer.enqueue(frame(2));
    for (const version of [3, 4]) timer.enqueue(frame(version));
    assert.deepEqual(broadcasts, ['1-1', '2-2']);
    await later.promise;
    timer.close();
    assert.deepEqual(broadcasts.at(-1), '3-4');
  });

  it('sends when its timer fires', async () => {
    const { timer, broadcasts, later } = openTimer(unbatchedListeners + 1);
    for (const version of [1, 2, 3]) timer.enqueue(frame(version));
    await later.promise;
    assert.deepEqual(broadcasts, ['1-1', '2-3']);
  });

  it('flushes before a rebase and before the last session leaves', () => {
    const { timer, broadcasts } = openTimer(unbatchedListeners + 1);
    for (const version of [1, 2, 3]) timer.enqueue(frame(version));
    timer.enqueue(undefined);
    timer.enqueue(frame(4));
    timer.close();
    assert.deepEqual(broadcasts, ['1-1', '2-3', 'another', '4-4']);
  });

  it('bounds a merged frame by the buffer of a slow client, except for a single large frame', () => {
    const { timer, broadcasts } = openTimer(unbatchedListeners + 1);
    timer.enqueue(frame(1));
    const large = JSON.stringify('x'.repeat(200_000));
    for (const version of [2, 3, 4]) timer.enqueue(frame(version, large));
    timer.close();
    assert.deepEqual(broadcasts, ['1-1', '2-2', '3-3', '4-4']);
  });
});
