/** A stored event as processes see it, or why they cannot. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decode } from '../../../domain/kernel/codec';
import { parseStreamName } from '../../../domain/kernel/ids';
import { EventMetadata } from '../../../domain/kernel/metadata';
import type { Followed, Happened } from '../../../domain/kernel/process';
import type { StoredEvent } from '../../../infra/ports/event-store';

/** An event that a process cannot take: it stops there, because what follows may depend on it. */
export interface Defect {
  readonly stored: StoredEvent;
  readonly reason: string;
}

export interface Cause {
  readonly happened: Happened;
  readonly position: bigint;
  readonly correlationId: string;
  readonly depth: number;
  /** Of the span that recorded the event. */
  readonly traceparent: string | undefined;
}

const followedBy = (follows: readonly Followed[], { context, aggregate }: { context: string; aggregate: string }) =>
  follows.find((followed) => followed.family.context === context && followed.aggregate === aggregate);

export const causeOf = (follows: readonly Followed[], stored: StoredEvent, actor: string): Either<Defect, Cause> => {
  const named = parseStreamName(stored.stream);
  const followed = named && followedBy(follows, named);
  if (named === undefined || followed === undefined)
    return left({ stored, reason: 'The name of its stream has no tenant.' });
  const metadata = decode(EventMetadata, stored.metadata);
  if (isLeft(metadata)) return left({ stored, reason: 'Its metadata cannot be read.' });
  const event = followed.family.decode(stored.type, stored.data);
  if (isLeft(event)) return left({ stored, reason: 'Its data cannot be read.' });
  const { tenant, at, actor: by, $correlationId: correlationId, depth = 0, traceparent } = metadata.right;
  if (tenant !== named.tenant) return left({ stored, reason: 'Stream and metadata name different tenants.' });
  const happened = { id: stored.id, event: event.right, tenant, entity: named.id, at, own: by === actor };
  return right({ happened, position: stored.position, correlationId, depth, traceparent });
};
