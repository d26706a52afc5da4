/** What a document's own stream says now: who has which role, and whether it is in the trash or gone. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { document } from '../../../domain/editor/document/decider';
import { type DocumentState, roleOf } from '../../../domain/editor/document/state';
import { documentStream } from '../../../domain/editor/streams';
import type { EventStore, EventStoreFault } from '../../../infra/ports/event-store';
import { applyStoredEvents, type LoadedAggregate, emptyAggregate } from '../../../infra/aggregates/loaded-aggregate';
import type { Warm } from '../../kernel/warm';
import type { Place, Standing } from '../owner/needs';

export interface PlacedStanding extends Standing {
  /** Of the stream's last event; 0 where there is none. */
  readonly position: bigint;
}

export interface StandingSource {
  /** One that shares reads (`sharing-reads`): all who ask at once are answered by one. */
  readonly store: Pick<EventStore, 'read'>;
  readonly warm: Warm;
}

const titleOf = (state: DocumentState): string => ('title' in state ? state.title : '');

const standingOf = ({ state, revision, position }: LoadedAggregate<DocumentState>): PlacedStanding => ({
  state: state.kind,
  title: titleOf(state),
  revision,
  position,
  roleOf: (principalId) => roleOf(state, principalId),
});

/** The stream is asked each time, for what came after the state that is kept. */
export const readStanding = async (
  { store, warm }: StandingSource,
  { tenant, documentId }: Place,
): Promise<Either<EventStoreFault, PlacedStanding>> => {
  const stream = documentStream(tenant, documentId);
  const known = warm.find(document, stream) ?? emptyAggregate(document);
  const tail = await store.read(stream, known.revision + 1);
  if (isLeft(tail)) return tail;
  const now = applyStoredEvents(document, known, tail.right);
  // Names that do not exist are not kept, or guessing would push out those that do.
  if (tail.right.length > 0) warm.set(document, stream, now);
  return right(standingOf(now));
};
