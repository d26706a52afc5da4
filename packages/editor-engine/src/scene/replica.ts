/**
 * What is committed, and on top of it what was edited here and is not: taken off, put back, and resolved anew whenever something else
 * was committed before it. So one's own write stays visible until it is known what became of it, whatever others write meanwhile.
 */
import type { Operation } from '../../../../domain/editor/operation';
import { apply } from '../../../../domain/editor/scene/apply';
import { nodesOf, type Scene, type SceneNode } from '../../../../domain/editor/scene/scene';
import type { Mark } from '../ports/store';
import { grouped, type Pending } from './pending';
import { type Replica, resolved, undone } from './units';

export type { Replica } from './units';

/** Takes everything pending off, does something below it, puts on again what is still to be there. */
const below = (replica: Replica, work: () => void, isLeft: (item: Pending) => boolean): void => {
  const { units } = replica;
  for (const unit of units.toReversed()) undone(replica, unit);
  replica.units = [];
  work();
  const left = units.flatMap(({ items }) => items).filter(isLeft);
  for (const items of grouped(left)) replica.units.push(resolved(replica, items).unit);
};

export const pendingIn = ({ units }: Replica): readonly Pending[] => units.flatMap(({ items }) => items);

/** Some are no longer pending, and were not committed. */
export const remove = (replica: Replica, gone: ReadonlySet<Pending>): void => {
  if (gone.size > 0)
    below(
      replica,
      () => undefined,
      (item) => !gone.has(item),
    );
};

const isSame = (one: Operation, other: Operation | undefined): boolean =>
  other !== undefined &&
  one.opId === other.opId &&
  one.type === other.type &&
  JSON.stringify([one.targetIds, one.payload]) === JSON.stringify([other.targetIds, other.payload]);

/** How many were committed just as they already stand here: nothing has to be taken off for them. */
const asExpected = (replica: Replica, operations: readonly Operation[]): number => {
  const { units } = replica;
  let count = 0;
  while (count < operations.length) {
    const [first] = units;
    if (first === undefined || first.committed.length === 0 || first.version !== replica.version + 1) break;
    if (first.committed.length !== first.items.length) break;
    const at = count;
    if (!first.committed.every((one, index) => isSame(one, operations[at + index]))) break;
    units.shift();
    replica.version += first.committed.length;
    count += first.committed.length;
  }
  return count;
};

/** Committed operations, the first of them with the next version. */
export const commit = (replica: Replica, operations: readonly Operation[]): void => {
  replica.opId = operations.at(-1)?.opId ?? replica.opId;
  const rest = operations.slice(asExpected(replica, operations));
  if (rest.length === 0) return;
  const committed = new Set(rest.map(({ opId }) => opId));
  const applyRest = (): void => {
    for (const operation of rest) {
      replica.version += 1;
      replica.changes.note(apply(replica.scene, operation, replica.version));
    }
  };
  below(replica, applyRest, ({ operation }) => !committed.has(operation.opId));
};

/** Another scene takes the place of what was committed. */
export const load = (replica: Replica, scene: Scene, { version, opId }: Mark): void => {
  const work = (): void => {
    Object.assign(replica, { scene, version, opId });
    replica.changes.noteAll();
  };
  below(replica, work, () => true);
};

/** Kept from before, and pending still. */
export const resume = (replica: Replica, items: readonly Pending[]): void => {
  for (const group of grouped(items)) replica.units.push(resolved(replica, group).unit);
};

/** Nodes as they are committed. They do not change: they may be looked at later. */
export const committedNodes = (replica: Replica): readonly SceneNode[] => {
  let nodes: readonly SceneNode[] = [];
  const look = (): void => {
    nodes = [...nodesOf(replica.scene)];
  };
  if (replica.units.length === 0) look();
  else below(replica, look, () => true);
  return nodes;
};
