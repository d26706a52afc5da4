import assert from 'node:assert/strict';
import type { OperationFrame } from '../../../commands/editor/document-owner/document-handle';
import {
  batchMilliseconds,
  createBatchTimer,
  unbatchedListeners,
} from '../../../commands/editor/sessions/outbound/batch-timer';
import { deferred } from '../../support/waiting/deferred';

const frame = (version: number, json = '{}'): OperationFrame => ({
  ...{ kind: 'operations', fromVersion: version, toVersion: version },
  operations: [json],
});

/** Versions that were told together, or that the scene is another one. */
const toldTo = (listeners: number) => {
  const told: string[] = [];
  const later = deferred();
  let time = 0;
  const beat = createBatchTimer({
    ...{ listeners: () => listeners, now: () => time },
    send: (one) => {
      told.push(one === undefined ? 'another' : `${one.fromVersion}-${one.toVersion}`);
      if (told.length > 1) later.resolve();
    },
  });
  return {
    beat,
    told,
    later,
    pass: () => {
      time += batchMilliseconds;
    },
  };
};

describe('batching of committed frames', () => {
  it('sends at once in a small room', () => {
    const { beat, told } = toldTo(unbatchedListeners);
    for (const version of [1, 2, 3]) beat.enqueue(frame(version));
    assert.deepEqual(told, ['1-1', '2-2', '3-3']);
  });

  it('sends at once in a large room after a pause, then merges what follows', async () => {
    const { beat, told, later, pass } = toldTo(unbatchedListeners + 1);
    beat.enqueue(frame(1));
    pass();
    beat.enqueue(frame(2));
    for (const version of [3, 4]) beat.enqueue(frame(version));
    assert.deepEqual(told, ['1-1', '2-2']);
    await later.promise;
    beat.close();
    assert.deepEqual(told.at(-1), '3-4');
  });

  it('sends when its timer fires', async () => {
    const { beat, told, later } = toldTo(unbatchedListeners + 1);
    for (const version of [1, 2, 3]) beat.enqueue(frame(version));
    await later.promise;
    assert.deepEqual(told, ['1-1', '2-3']);
  });

  it('flushes before a rebase and before the last session leaves', () => {
    const { beat, told } = toldTo(unbatchedListeners + 1);
    for (const version of [1, 2, 3]) beat.enqueue(frame(version));
    beat.enqueue(undefined);
    beat.enqueue(frame(4));
    beat.close();
    assert.deepEqual(told, ['1-1', '2-3', 'another', '4-4']);
  });

  it('bounds a merged frame by the buffer of a slow client, except for a single large frame', () => {
    const { beat, told } = toldTo(unbatchedListeners + 1);
    beat.enqueue(frame(1));
    const large = JSON.stringify('x'.repeat(200_000));
    for (const version of [2, 3, 4]) beat.enqueue(frame(version, large));
    beat.close();
    assert.deepEqual(told, ['1-1', '2-2', '3-3', '4-4']);
  });
});
