/** A batch in the parts that take effect by themselves: single operations, and atomic groups. */
import type { Operation } from '../../../domain/editor/operation';

export type Unit = readonly Operation[];

export const unitsOf = (operations: readonly Operation[]): readonly Unit[] => {
  const units: Operation[][] = [];
  for (const operation of operations) {
    const last = units.at(-1);
    const { atomicGroup } = operation;
    if (last !== undefined && atomicGroup !== undefined && last[0]?.atomicGroup === atomicGroup) last.push(operation);
    else units.push([operation]);
  }
  return units;
};
