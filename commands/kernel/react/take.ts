/** One event of the log, taken: answered in its lane, passed by, or the end of the turn. */
import { isLeft } from 'fp-ts/Either';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { answer, type Performed } from './answer';
import type { Arrival } from './bound';
import { mostDepth } from './dispatch';
import type { Attempt } from './lanes';
import type { Defect } from './recorded';
import { isSkipped } from './skips';
import type { Turn } from './turn';

const stopAt = ({ tracker, end }: Turn, defect: Defect): Attempt => {
  tracker.defect(defect);
  end('stopped');
  return 'stop';
};

/** A part of the trace that its event is of; what was recorded without one is answered without one. */
const traced = ({ answering, deps: { trace } }: Turn, arrival: Arrival): Promise<Performed> => {
  const react = () => answer(...answering, arrival);
  if (trace === undefined || arrival.traceparent === undefined) return react();
  const name = `react ${answering[1].name}`;
  const under = { parent: arrival.traceparent };
  return trace.during({ name, kind: 'consumer', under, requestId: arrival.correlationId }, react, ({ kind }) =>
    kind === 'done' ? {} : { failed: kind },
  );
};

const attempt = async (turn: Turn, stored: StoredEvent, arrival: Arrival): Promise<Attempt> => {
  const { tracker, lease } = turn;
  // Somebody else goes on: to do it here as well would be harmless, and useless.
  if (!lease.isHeld()) return 'stop';
  try {
    const answered = await traced(turn, arrival);
    if (answered.kind === 'impossible') return stopAt(turn, { stored, reason: answered.detail });
    if (answered.kind === 'again') return 'again';
    tracker.answered();
    return 'done';
  } catch (error) {
    turn.deps.log.error({ error, process: turn.process.name }, 'process is defective');
    const name = error instanceof Error ? error.name : 'it threw';
    return stopAt(turn, { stored, reason: `The process is defective: ${name}.` });
  }
};

export const take = async (turn: Turn, stored: StoredEvent): Promise<void> => {
  const { process, lanes, deps } = turn;
  const { position } = stored;
  if (isSkipped(turn.skipped, process.name, stored)) return lanes.reach(position);
  const arrival = process.arrival(stored);
  if (isLeft(arrival)) return void stopAt(turn, arrival.left);
  if (arrival.right === undefined) return lanes.reach(position);
  if (arrival.right.depth > mostDepth) {
    // Its refusal is recorded already; to answer that as well would go on for ever.
    deps.log.warn({ process: process.name, eventId: stored.id }, 'an event at the end of a long chain is not answered');
    return lanes.reach(position);
  }
  const { right } = arrival;
  const queued = { position, lane: right.instance, since: Date.parse(right.happened.at) };
  await lanes.add(queued, () => attempt(turn, stored, right));
};
