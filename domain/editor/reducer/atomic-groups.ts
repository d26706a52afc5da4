/** Groups a batch's operations: single ones, and atomic groups. */
import type { Operation } from '../operation';

export type AtomicGroup = readonly Operation[];

export const groupAtomic = (operations: readonly Operation[]): readonly AtomicGroup[] => {
  const groups: Operation[][] = [];
  for (const operation of operations) {
    const last = groups.at(-1);
    const { atomicGroup } = operation;
    if (last !== undefined && atomicGroup !== undefined && last[0]?.atomicGroup === atomicGroup) last.push(operation);
    else groups.push([operation]);
  }
  return groups;
};
