/** Applies changes of places: those of one place in their order, those of different places at once. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { EntityId } from '../../../domain/geo/ids';
import { type PlaceChangeCommand, place } from '../../../domain/geo/place/decider';
import { placeStream } from '../../../domain/geo/place/events';
import type { TenantId } from '../../../domain/kernel/ids';
import { groupBy } from '../../../infra/server/http/group-by';
import { handle } from '../../kernel/handle';
import type { HandleDeps, HandleRequest, Refusal } from '../../kernel/handle-request';

export type ChangeOutcome =
  | { readonly outcome: 'recorded' | 'unchanged'; readonly position: bigint }
  /** A newer version is recorded already. */
  | { readonly outcome: 'outdated' }
  /** This version is recorded already, with other content. */
  | { readonly outcome: 'conflicting' }
  /** The place belongs to another source; the detail names it. */
  | { readonly outcome: 'foreign'; readonly detail: string };

/** A later attempt may succeed. */
type Failure = Refusal<never>;

/** A decoded change and who sends it. */
export interface AppliedChange extends Pick<HandleRequest<never>, 'commandId' | 'actor' | 'correlationId'> {
  readonly tenant: TenantId;
  readonly command: PlaceChangeCommand;
}

const entityOf = (command: PlaceChangeCommand): EntityId =>
  command.type === 'RecordPlace' ? command.place.entityId : command.entityId;

interface Applied {
  readonly outcome: ChangeOutcome;
  /** The place had no stream before. */
  readonly wasNew: boolean;
}

/** `isNew` is a guess that saves reading the stream first; where it is wrong, the append is refused, and the stream is read then. */
const applyChange = async (
  deps: HandleDeps,
  { tenant, command, ...request }: AppliedChange,
  isNew: boolean,
): Promise<Either<Failure, Applied>> => {
  const stream = placeStream(tenant, entityOf(command));
  const handled = await handle(deps, place, { ...request, tenant, command, stream, fresh: isNew });
  if (!isLeft(handled)) {
    const { events, repeated, position, revision } = handled.right;
    const outcome = events.length > 0 || repeated ? 'recorded' : 'unchanged';
    return right({ outcome: { outcome, position }, wasNew: events.length > 0 && revision === 0 });
  }
  const refusal = handled.left;
  if (refusal.code === 'version-outdated') return right({ outcome: { outcome: 'outdated' }, wasNew: false });
  if (refusal.code === 'version-reused') return right({ outcome: { outcome: 'conflicting' }, wasNew: false });
  if (refusal.code === 'owned-by-another-source')
    return right({ outcome: { outcome: 'foreign', detail: refusal.detail }, wasNew: false });
  return left(refusal as Failure);
};

/** Streams that are read and appended to at once. The log commits appends that wait together in one write. */
const concurrency = 64;

/** Outcomes in the order of the changes. Ends at the first failure: all can be sent again. */
export const applyChanges = async (
  deps: HandleDeps,
  changes: readonly AppliedChange[],
): Promise<Either<Failure, readonly ChangeOutcome[]>> => {
  const numbered = changes.map((change, index) => ({ change, index }));
  const byEntity = groupBy(numbered, ({ change }) => entityOf(change.command));
  const outcomes = new Array<ChangeOutcome>(changes.length);
  const waiting = byEntity.values();
  let failure: Failure | undefined;
  // As the last one was: a file brings places that are new, or places that are known.
  let areNew = true;
  const applyNext = async (): Promise<void> => {
    for (const ofEntity of waiting)
      for (const { change, index } of ofEntity) {
        if (failure !== undefined) return;
        const applied = await applyChange(deps, change, areNew);
        if (isLeft(applied)) failure = applied.left;
        else {
          outcomes[index] = applied.right.outcome;
          areNew = applied.right.wasNew;
        }
      }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, byEntity.size) }, applyNext));
  return failure === undefined ? right(outcomes) : left(failure);
};
