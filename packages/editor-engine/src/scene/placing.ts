/** Edits put on top of what is shown, one after the other, or taken off again. */
import type { Operation } from '../../../../domain/editor/operation';
import type { Outcome } from '../../../../domain/editor/outcome';
import type { Journal } from '../../../../domain/editor/scene/journal';
import type { Pending } from './pending';
import { type Replica, resolved, undone } from './units';

export interface Placed {
  readonly outcomes: readonly Outcome[];
  readonly committed: readonly Operation[];
  readonly journals: readonly Journal[];
}

/** On top; nothing of it stays when it is not as asked. */
export const place = (replica: Replica, item: Pending, isWanted: (outcome: Outcome) => boolean): Placed => {
  const { unit, outcomes } = resolved(replica, [item]);
  if (outcomes.every(isWanted)) replica.units.push(unit);
  else undone(replica, unit);
  return { outcomes, committed: unit.committed, journals: unit.journals };
};

/** The last one, as another one; as it was, when that is not as asked. */
export const placeInstead = (replica: Replica, item: Pending, isWanted: (outcome: Outcome) => boolean): Placed => {
  const last = replica.units.pop();
  if (last !== undefined) undone(replica, last);
  const placed = place(replica, item, isWanted);
  const isPlaced = replica.units.at(-1)?.items[0] === item;
  if (!isPlaced && last !== undefined) replica.units.push(resolved(replica, last.items).unit);
  return placed;
};

/** The last ones become one unit: they are committed together. */
export const bind = (replica: Replica, count: number): void => {
  if (count < 2) return;
  const bound = replica.units.splice(-count);
  replica.units.push({
    items: bound.flatMap(({ items }) => items),
    version: bound[0]?.version ?? replica.version + 1,
    committed: bound.flatMap(({ committed }) => committed),
    journals: bound.flatMap(({ journals }) => journals),
  });
};

/** The last ones were never there. */
export const unplace = (replica: Replica, count: number): void => {
  if (count === 0) return;
  for (const unit of replica.units.splice(-count).toReversed()) undone(replica, unit);
};
