/** Delivers one event of the log: skips it, queues its reaction, or stops the session. */
import { isLeft } from 'fp-ts/Either';
import type { StoredEvent } from '../../../infra/ports/event-store';
import type { AttemptOutcome } from './keyed-queue';
import type { EventDelivery, UndeliverableEvent } from './process-binding';
import type { ProcessSession } from './process-session';
import { type ReactionOutcome, reactToEvent } from './react-to-event';
import { maxCausationDepth } from './send-command';
import { isSkipped } from './skipped-events';

const stopAt = ({ tracker, end }: ProcessSession, defect: UndeliverableEvent): AttemptOutcome => {
  tracker.defect(defect);
  end('stopped');
  return 'stop';
};

/** Continues the event's trace; an event that was recorded without one is handled without one. */
const traceDelivery = (
  { context, deps: { trace } }: ProcessSession,
  arrival: EventDelivery,
): Promise<ReactionOutcome> => {
  const react = () => reactToEvent(context, arrival);
  if (trace === undefined || arrival.traceparent === undefined) return react();
  const name = `react ${context.process.name}`;
  const under = { parent: arrival.traceparent };
  return trace.traceCall({ name, kind: 'consumer', under, requestId: arrival.correlationId }, react, ({ kind }) =>
    kind === 'done' ? {} : { failed: kind },
  );
};

const attemptReaction = async (
  session: ProcessSession,
  stored: StoredEvent,
  arrival: EventDelivery,
): Promise<AttemptOutcome> => {
  const { tracker, lease } = session;
  // Another instance holds the lease and handles this event.
  if (!lease.isValid()) return 'stop';
  try {
    const answered = await traceDelivery(session, arrival);
    if (answered.kind === 'impossible') return stopAt(session, { stored, reason: answered.detail });
    if (answered.kind === 'again') return 'again';
    tracker.answered();
    return 'done';
  } catch (error) {
    session.deps.log.error({ error, process: session.process.name }, 'process is defective');
    const name = error instanceof Error ? error.name : 'it threw';
    return stopAt(session, { stored, reason: `The process is defective: ${name}.` });
  }
};

export const deliverEvent = async (session: ProcessSession, stored: StoredEvent): Promise<void> => {
  const { process, queue: lanes, deps } = session;
  const { position } = stored;
  if (isSkipped(session.skipped, process.name, stored)) return lanes.skipTo(position);
  const arrival = process.deliveryOf(stored);
  if (isLeft(arrival)) return void stopAt(session, arrival.left);
  if (arrival.right === undefined) return lanes.skipTo(position);
  if (arrival.right.depth > maxCausationDepth) {
    // The refusal at the chain's end is recorded; reacting to it would extend the chain for ever.
    deps.log.warn({ process: process.name, eventId: stored.id }, 'an event at the end of a long chain is not answered');
    return lanes.skipTo(position);
  }
  const { right } = arrival;
  const queued = { position, key: right.instance, since: Date.parse(right.happened.at) };
  await lanes.add(queued, () => attemptReaction(session, stored, right));
};
