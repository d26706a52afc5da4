/** Walks recorded events, refolds them, and answers with the first damage. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { StoredEvent } from '../../infra/ports/event-store';
import type { Audited, Step } from './audited';
import { type Poison, poisoned } from './recorded';

export type Damage = Poison;

interface Place {
  readonly revision: number;
  readonly state: unknown;
}

interface Walk {
  readonly places: Map<string, Place>;
  position: bigint | null;
}

/** Streams may have lost their beginning to retention, so density counts from the first event that is seen. */
const outOfOrder = ({ places, position }: Walk, stored: StoredEvent): string | undefined => {
  const before = places.get(stored.stream);
  if (before !== undefined && stored.revision !== before.revision + 1)
    return `The revision before it is ${before.revision}: events are missing or doubled.`;
  if (position !== null && stored.position <= position) return `Its position is not after ${position}.`;
  return undefined;
};

/** One call per event, in the log's order or in a stream's. */
export const openAudit = (aggregates: readonly Audited[]) => {
  const walk: Walk = { places: new Map(), position: null };
  return (stored: StoredEvent): Either<Damage, Step> => {
    const disorder = outOfOrder(walk, stored);
    if (disorder !== undefined) return poisoned(stored, disorder);
    const aggregate = aggregates.find(({ prefix }) => stored.stream.startsWith(prefix));
    if (aggregate === undefined) return poisoned(stored, 'No aggregate has such streams.');
    const before = walk.places.get(stored.stream);
    const step = aggregate.step(before === undefined ? aggregate.initial : before.state, stored);
    if (isLeft(step)) return step;
    walk.places.set(stored.stream, { revision: stored.revision, state: step.right.after });
    walk.position = stored.position;
    return step;
  };
};
