/** What of the pending edits goes out next: in order, within the limits of one batch, and never half of what is committed together. */
import { limits } from '../../../../domain/editor/limits';
import { grouped, type Pending } from '../scene/pending';

export interface BatchRoom {
  readonly operations: number;
  readonly bytes: number;
}

/** Around the operations themselves. */
const frameBytes = 512;

export const fullRoom: BatchRoom = { operations: limits.operations, bytes: limits.batchBytes - frameBytes };

export const smaller = ({ operations, bytes }: BatchRoom): BatchRoom => ({
  operations: Math.max(1, Math.floor(operations / 2)),
  bytes: Math.max(1, Math.floor(bytes / 2)),
});

export const larger = ({ operations, bytes }: BatchRoom): BatchRoom => ({
  operations: Math.min(fullRoom.operations, operations * 2),
  bytes: Math.min(fullRoom.bytes, bytes * 2),
});

const bytesOf = (items: readonly Pending[]): number => items.reduce((sum, { bytes }) => sum + bytes + 1, 0);

/** Numbers of a batch are consecutive. */
const isNext = (batch: readonly Pending[], group: readonly Pending[]): boolean =>
  group[0]?.operation.clientSeq === (batch.at(-1)?.operation.clientSeq ?? 0) + 1;

/** At least one group when there is any that may go, whatever its size. */
export const nextBatch = (items: readonly Pending[], room: BatchRoom): readonly Pending[] => {
  const batch: Pending[] = [];
  let bytes = 0;
  for (const group of grouped(items.slice(0, room.operations + limits.operations))) {
    const more = bytesOf(group);
    const isFull = batch.length + group.length > room.operations || bytes + more > room.bytes;
    if (group.some(({ isKept }) => !isKept) || (batch.length > 0 && (isFull || !isNext(batch, group)))) break;
    batch.push(...group);
    bytes += more;
  }
  return batch;
};
