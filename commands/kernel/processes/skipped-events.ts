/** Events that operators let a process skip because it cannot handle them. Each skip is recorded in the log. */
import { randomUUID } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Fault, fault } from '../../../domain/kernel/rejection';
import { isOut, type Skip, type Skipped, skipDecider } from '../../../domain/platform/skips/decider';
import { skipsStream, platformTenant as tenant } from '../../../domain/platform/skips/events';
import type { EventStore, EventStoreFault } from '../../../infra/ports/event-store';
import { applyStoredEvents, emptyAggregate } from '../../../infra/server/aggregates/loaded-aggregate';
import { handle } from '../handle';
import type { HandleDeps } from '../handle-request';

const stream = skipsStream('processes');

export const readSkipped = async (store: EventStore): Promise<Either<EventStoreFault, Skipped>> => {
  const events = await store.read(stream);
  return isLeft(events)
    ? events
    : right(applyStoredEvents(skipDecider, emptyAggregate(skipDecider), events.right).state);
};

export const isSkipped = (
  skipped: Skipped,
  process: string,
  event: { readonly stream: string; readonly revision: number },
): boolean => isOut(skipped, { view: process, stream: event.stream, streamRevision: event.revision });

/** An operator's request. */
export interface SkipRequest {
  readonly verb: 'skip' | 'unskip';
  readonly process: string;
  readonly stream: string;
  readonly revision: number;
  readonly reason: string;
  readonly actor: string;
}

const skipOf = async (store: EventStore, word: SkipRequest): Promise<Either<Fault<string>, Skip>> => {
  const { process: view, stream: name, revision: streamRevision, reason } = word;
  const read = await store.read(name, streamRevision);
  if (isLeft(read)) return read;
  const [event] = read.right;
  if (event?.revision !== streamRevision)
    return left(fault('skip-refused', `There is no revision ${streamRevision} of ${name}.`));
  return right({ view, stream: name, streamRevision, reason, eventId: event.id, eventType: event.type });
};

/** False when it is recorded already. */
export const recordSkip = async (deps: HandleDeps, word: SkipRequest): Promise<Either<Fault<string>, boolean>> => {
  const skip = await skipOf(deps.store, word);
  if (isLeft(skip)) return skip;
  const { view, stream: name, streamRevision, reason } = skip.right;
  const withdrawal = { view, stream: name, streamRevision, reason };
  const command =
    word.verb === 'skip' ? ({ type: 'Skip', skip: skip.right } as const) : ({ type: 'Withdraw', withdrawal } as const);
  const commandId = randomUUID();
  const request = { stream, command, commandId, tenant, actor: word.actor, correlationId: commandId };
  const handled = await handle(deps, skipDecider, request);
  if (isLeft(handled)) return left(fault(handled.left.code, handled.left.detail));
  return right(handled.right.events.length > 0);
};
