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

/** A part of the trace that its event is of; what was recorded without one is answered without one. */
const traceDelivery = (
  { context: answering, deps: { trace } }: ProcessSession,
  arrival: EventDelivery,
): Promise<ReactionOutcome> => {
  const react = () => reactToEvent(...answering, arrival);
  if (trace === undefined || arrival.traceparent === undefined) return react();
  const name = `react ${answering[1].name}`;
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
    // Its refusal is recorded already; to answer that as well would go on for ever.
    deps.log.warn({ process: process.name, eventId: stored.id }, 'an event at the end of a long chain is not answered');
    return lanes.skipTo(position);
  }
  const { right } = arrival;
  const queued = { position, key: right.instance, since: Date.parse(right.happened.at) };
  await lanes.add(queued, () => attemptReaction(session, stored, right));
};
