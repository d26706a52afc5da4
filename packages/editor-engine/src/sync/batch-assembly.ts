/** Assembles the next batch of pending operations: in order, within the limits, with whole atomic groups. */
import { limits } from '../../../../domain/editor/limits';
import { groupPending, type PendingOperation } from '../replica/pending-operation';

export interface BatchLimit {
  readonly operations: number;
  readonly bytes: number;
}

/** Bytes of the message besides the operations. */
const frameBytes = 512;

export const fullBatch: BatchLimit = { operations: limits.operations, bytes: limits.batchBytes - frameBytes };

export const halveLimit = ({ operations, bytes }: BatchLimit): BatchLimit => ({
  operations: Math.max(1, Math.floor(operations / 2)),
  bytes: Math.max(1, Math.floor(bytes / 2)),
});

export const doubleLimit = ({ operations, bytes }: BatchLimit): BatchLimit => ({
  operations: Math.min(fullBatch.operations, operations * 2),
  bytes: Math.min(fullBatch.bytes, bytes * 2),
});

const bytesOf = (items: readonly PendingOperation[]): number => items.reduce((sum, { bytes }) => sum + bytes + 1, 0);

/** Sequences within a batch are consecutive. */
const isNext = (batch: readonly PendingOperation[], group: readonly PendingOperation[]): boolean =>
  group[0]?.operation.clientSeq === (batch.at(-1)?.operation.clientSeq ?? 0) + 1;

/** Contains at least one group that may be sent, whatever its size. */
export const nextBatch = (items: readonly PendingOperation[], limit: BatchLimit): readonly PendingOperation[] => {
  const batch: PendingOperation[] = [];
  let bytes = 0;
  for (const group of groupPending(items.slice(0, limit.operations + limits.operations))) {
    const more = bytesOf(group);
    const isFull = batch.length + group.length > limit.operations || bytes + more > limit.bytes;
    if (group.some(({ isStored }) => !isStored) || (batch.length > 0 && (isFull || !isNext(batch, group)))) break;
    batch.push(...group);
    bytes += more;
  }
  return batch;
};
