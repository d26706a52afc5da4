/** What is edited here and not committed, as it would be on top of what is. */
import type { OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import type { Outcome } from '../../../../domain/editor/outcome';
import { runBatch } from '../../../../domain/editor/scene/batch';
import { type Journal, takeBack } from '../../../../domain/editor/scene/journal';
import type { Scene } from '../../../../domain/editor/scene/scene';
import type { Changes } from './changes';
import type { Pending } from './pending';

/** One operation, or several that are committed together, as they would be at present. */
export interface Unit {
  readonly items: readonly Pending[];
  /** That the first of them would get. */
  readonly version: number;
  readonly committed: readonly Operation[];
  readonly journals: readonly Journal[];
}

export interface Replica {
  scene: Scene;
  /** Of what is committed. */
  version: number;
  /** The operation that made it so; undefined: it came without. */
  opId: OperationId | undefined;
  units: Unit[];
  /** That its owner speaks as well: what is newer cannot be meant there. */
  schema: number;
  readonly actorId: string;
  readonly changes: Changes;
}

const nextVersion = ({ version, units }: Replica): number => {
  const last = units.at(-1);
  return last === undefined ? version + 1 : last.version + last.committed.length;
};

export const resolved = (replica: Replica, items: readonly Pending[]): { unit: Unit; outcomes: readonly Outcome[] } => {
  const { scene, schema, actorId, changes } = replica;
  const version = nextVersion(replica);
  const clientId = items[0]?.clientId as Pending['clientId'];
  const operations = items.map(({ operation }) => operation);
  const { outcomes, committed, journal } = runBatch(scene, operations, { actorId, clientId, version, schema });
  changes.note(journal);
  return { unit: { items, version, committed, journals: [journal] }, outcomes };
};

export const undone = ({ scene, changes }: Replica, unit: Unit): void => {
  for (const journal of unit.journals.toReversed()) {
    changes.noteBack(scene, journal);
    takeBack(scene, journal);
  }
};
