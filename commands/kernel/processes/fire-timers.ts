/** Fires the timers of one process as they fall due. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeStored, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import type { Timer } from '../../../infra/ports/processes/timers';
import { backoffMilliseconds, pause } from '../../../infra/server/runtime/backoff';
import { createWakeSignal, type WakeSignal } from '../wake-signal';
import type { Tracker } from './process-status';
import { type ReactionContext, type SendOutcome, sendAndRecordRefusal } from './send-command';

/** Limits concurrent commands when many timers are due together. */
const maxConcurrentTimers = 16;
/** A timer that is set wakes the loop. Bounded, because the database's clock, which decides what is due, may be adjusted. */
const maxWaitMilliseconds = 5_000;
/** Timers that were fired end it. */
const longestRestMilliseconds = 60_000;

/** State of one session: timers that are being fired, and fired ones that are not marked yet. */
interface TimerRun {
  readonly firing: TimerContext;
  readonly inFlight: Set<string>;
  /** Ids of fired timers that are not marked as fired yet. */
  readonly fired: string[];
  /** Notified when a timer has been fired or has failed. */
  readonly wakeSignal: WakeSignal;
  running: number;
  /** Error of a timer; it ends the session. */
  failure: unknown;
}

const startTimer = async (timerRun: TimerRun, timer: Parameters<typeof fireTimer>[1]): Promise<void> => {
  const { firing, inFlight, fired, wakeSignal } = timerRun;
  inFlight.add(timer.id);
  timerRun.running += 1;
  try {
    const { kind } = await fireTimer(firing, timer);
    if (kind !== 'again') fired.push(timer.id);
    else {
      await pause(backoffMilliseconds(3), firing.signal);
      inFlight.delete(timer.id);
      firing.timerSet.notify();
    }
  } catch (error) {
    timerRun.failure = error;
    firing.timerSet.notify();
  } finally {
    timerRun.running -= 1;
    wakeSignal.notify();
  }
};

/** Runs concurrently, so that no timer waits until another is marked as fired. */
const markFired = async ({ firing, inFlight, fired, wakeSignal }: TimerRun, ended: AbortSignal): Promise<void> => {
  const { timers } = firing.reaction.deps;
  for (let attempt = 0; !ended.aborted || fired.length > 0; ) {
    if (fired.length === 0) {
      await wakeSignal.wait(longestRestMilliseconds, ended);
      continue;
    }
    const ids = fired.splice(0);
    if (!isLeft(await timers.fired(ids))) {
      for (const id of ids) inFlight.delete(id);
      attempt = 0;
      continue;
    }
    // The next session fires unmarked timers again, which changes nothing.
    if (ended.aborted) return;
    fired.push(...ids);
    attempt += 1;
    await pause(backoffMilliseconds(attempt), ended);
  }
};

/** Starts all due timers and returns the time until the next one. */
const fireDueTimers = async (
  timerRun: TimerRun,
  attempt: number,
): Promise<{ readonly succeeded: boolean; readonly wait: number }> => {
  const { firing, inFlight, wakeSignal } = timerRun;
  const { deps, process } = firing.reaction;
  const limit = inFlight.size + 8 * maxConcurrentTimers;
  const due = await deps.timers.due(process.name, limit);
  if (isLeft(due)) return { succeeded: false, wait: backoffMilliseconds(attempt) };
  for (const timer of due.right.timers.filter(({ id }) => !inFlight.has(id))) {
    while (timerRun.running >= maxConcurrentTimers && !firing.signal.aborted)
      await wakeSignal.wait(1_000, firing.signal);
    if (firing.signal.aborted) break;
    void startTimer(timerRun, timer);
  }
  const isMore = due.right.timers.length === limit;
  const untilNext = due.right.nextMilliseconds ?? maxWaitMilliseconds;
  return { succeeded: true, wait: isMore ? 0 : Math.min(untilNext, maxWaitMilliseconds) };
};

const fireUntilAborted = async (timerRun: TimerRun): Promise<void> => {
  const { signal, timerSet, isReady } = timerRun.firing;
  for (let attempt = 0; !signal.aborted; ) {
    if (timerRun.failure !== undefined) throw timerRun.failure;
    if (!isReady()) {
      await pause(20, signal);
      continue;
    }
    const notifications = timerSet.notifications();
    const { succeeded, wait } = await fireDueTimers(timerRun, attempt);
    attempt = succeeded ? 0 : attempt + 1;
    // One that was set during the query may not be in its answer.
    if (succeeded && timerSet.notifications() !== notifications) continue;
    if (wait > 0) await timerSet.wait(Math.ceil(wait), signal);
  }
};

export const fireTimers = async (firing: TimerContext): Promise<void> => {
  const timerRun: TimerRun = {
    firing,
    inFlight: new Set(),
    fired: [],
    wakeSignal: createWakeSignal(),
    running: 0,
    failure: undefined,
  };
  const ended = new AbortController();
  const marking = markFired(timerRun, ended.signal);
  try {
    await fireUntilAborted(timerRun);
    while (timerRun.running > 0) await timerRun.wakeSignal.wait(1_000, ended.signal);
  } finally {
    ended.abort();
    await marking;
  }
};

export interface TimerContext {
  readonly reaction: ReactionContext;
  readonly tracker: Tracker;
  /** Notified when a timer is set, is to be tried again, or has failed. */
  readonly timerSet: WakeSignal;
  /** Every event recorded before this session is handled, so all earlier cancellations are known. */
  readonly isReady: () => boolean;
  readonly signal: AbortSignal;
}

const jobDepth = { jobDepth: t.Integer };
const Envelope = record(
  'Envelope',
  {
    send: record('Send', { kind: t.literal('send'), to: t.string, id: t.string, command: t.unknown }),
    commandId: t.string,
    tenant: t.string,
    actor: t.string,
    correlationId: t.string,
    causationId: t.string,
    depth: t.Integer,
  },
  jobDepth,
);
const Owner = record(
  'Owner',
  {
    tenant: TenantId,
    instance: t.string,
    eventId: t.string,
    correlationId: t.string,
    depth: t.Integer,
  },
  jobDepth,
);
const Body = record('TimerBody', { envelope: Envelope, owner: Owner }, { traceparent: t.string });
type Body = t.TypeOf<typeof Body>;

/** Starts a trace of its own with a link to the one that set the timer, which may be weeks old. */
const sendTimerCommand = (
  reaction: ReactionContext,
  { owner, envelope, traceparent: link }: Body,
): Promise<SendOutcome> => {
  const { trace } = reaction.deps;
  const send = () => sendAndRecordRefusal(reaction, owner, envelope);
  if (trace === undefined || link === undefined) return send();
  const spec = { name: `timer ${reaction.process.name}`, kind: 'consumer', under: { link } } as const;
  return trace.traceCall({ ...spec, requestId: owner.correlationId }, send, ({ kind }) =>
    kind === 'done' ? {} : { failed: kind },
  );
};

const fireTimer = async ({ reaction, tracker }: TimerContext, timer: Timer): Promise<SendOutcome> => {
  const body = decodeStored(Body, timer.body);
  if (isLeft(body)) {
    const { process, instance, id, key } = timer;
    reaction.deps.log?.error(
      { process, instance, id, key, faults: body.left },
      'a timer cannot be read and is dropped',
    );
    return { kind: 'refused', code: 'timer-unreadable', detail: 'The timer cannot be read.' };
  }
  const outcome = await sendTimerCommand(reaction, body.right);
  if (outcome.kind !== 'again') tracker.fired(Math.max(0, Date.now() - Date.parse(timer.at)) / 1000);
  return outcome;
};
