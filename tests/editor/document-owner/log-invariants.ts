/** What must be true of every document's log, whatever happened. */
import assert from 'node:assert/strict';
import { epochOf, type OperationLogEvent } from '../../../domain/editor/operation-log/events';
import { apply } from '../../../domain/editor/reducer/apply';
import { emptyScene } from '../../../domain/editor/scene/scene';
import { textOf } from './fixture';

/** After each change of owner, events of that owner alone. */
export const assertOneOwnerAtATime = (log: readonly OperationLogEvent[]): void => {
  let epoch = 0;
  for (const event of log) {
    if (event.type === 'OwnershipTaken') {
      assert.ok(event.data.epoch > epoch, `epoch ${event.data.epoch} after ${epoch}`);
      epoch = event.data.epoch;
    } else assert.equal(epochOf(event), epoch);
  }
};

/** Every version once and in order, every operation once, every client's in their order. */
export const assertWhole = (log: readonly OperationLogEvent[]): ReadonlyMap<string, number> => {
  const versions = new Map<string, number>();
  const sequences = new Map<string, number>();
  let version = 0;
  for (const event of log) {
    if (event.type !== 'OperationsCommitted') continue;
    const { fromVersion, toVersion, clientId, operations } = event.data;
    assert.equal(fromVersion, version + 1);
    assert.equal(toVersion - fromVersion + 1, operations.length);
    for (const { opId, clientSeq } of operations) {
      version += 1;
      assert.ok(!versions.has(opId), `${opId} is there twice`);
      assert.ok(clientSeq > (sequences.get(clientId) ?? 0), `${opId} is out of order`);
      versions.set(opId, version);
      sequences.set(clientId, clientSeq);
    }
  }
  return versions;
};

export const replayLog = (log: readonly OperationLogEvent[]): string => {
  const scene = emptyScene();
  let version = 0;
  for (const event of log)
    for (const operation of event.type === 'OperationsCommitted' ? event.data.operations : []) {
      version += 1;
      apply(scene, operation, version);
    }
  return textOf(scene);
};
