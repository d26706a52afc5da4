/** Fires the timers of one process as they fall due. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import type { Timer } from '../../../infra/ports/timers';
import type { Bell } from './bell';
import type { Outcome } from './dispatch';
import { backoffMilliseconds, pause } from './pause';
import { type Answering, settle } from './settle';
import type { Tracker } from './status';

export interface Firing {
  readonly answering: Answering;
  readonly tracker: Tracker;
  /** Rung when a timer was set. */
  readonly bell: Bell;
  /** All that was recorded before this run began is answered: what was cancelled there is cancelled. */
  readonly isReady: () => boolean;
  readonly signal: AbortSignal;
}

/** At once; the rest of many that are due together follows. */
const width = 16;
const longestMilliseconds = 500;

const Body = record('TimerBody', {
  envelope: record('Envelope', {
    send: record('Send', { kind: t.literal('send'), to: t.string, id: t.string, command: t.unknown }),
    commandId: t.string,
    tenant: t.string,
    actor: t.string,
    correlationId: t.string,
    causationId: t.string,
    depth: t.Integer,
  }),
  owner: record('Owner', {
    tenant: TenantId,
    instance: t.string,
    eventId: t.string,
    correlationId: t.string,
    depth: t.Integer,
  }),
});

const fire = async ({ answering, tracker }: Firing, timer: Timer): Promise<Outcome> => {
  const body = decode(Body, timer.body);
  if (isLeft(body)) {
    const { process, instance, id, key } = timer;
    answering[0].log?.error(
      { process, instance, id, key, faults: body.left },
      'a timer cannot be read and is given up',
    );
    return { kind: 'refused', code: 'timer-unreadable', detail: 'The timer cannot be read.' };
  }
  const outcome = await settle(answering, body.right.owner, body.right.envelope);
  if (outcome.kind !== 'again') tracker.fired(Math.max(0, Date.now() - Date.parse(timer.at)) / 1000);
  return outcome;
};

/** Those that are over with. */
const fireAll = async (firing: Firing, timers: readonly Timer[]): Promise<readonly string[]> => {
  const over: string[] = [];
  const waiting = timers[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const timer of waiting) {
      if (firing.signal.aborted) return;
      if ((await fire(firing, timer)).kind !== 'again') over.push(timer.id);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return over;
};

/** Answers how long to wait. */
const round = async (firing: Firing, attempt: number): Promise<{ readonly went: boolean; readonly wait: number }> => {
  const [{ timers }, { name }] = firing.answering;
  const failed = { went: false, wait: backoffMilliseconds(attempt) };
  const due = await timers.due(name, 8 * width);
  if (isLeft(due)) return failed;
  const over = await fireAll(firing, due.right.timers);
  if (over.length > 0 && isLeft(await timers.fired(over))) return failed;
  if (over.length < due.right.timers.length) return failed;
  return { went: true, wait: due.right.timers.length > 0 ? 0 : (due.right.nextMilliseconds ?? longestMilliseconds) };
};

export const fireTimers = async (firing: Firing): Promise<void> => {
  const { signal, bell } = firing;
  for (let attempt = 0; !signal.aborted; ) {
    if (!firing.isReady()) {
      await pause(20, signal);
      continue;
    }
    const { went, wait } = await round(firing, attempt);
    attempt = went ? 0 : attempt + 1;
    // Not longer than so: the clock that decides what is due may be stepped.
    if (wait > 0) await bell.wait(Math.min(Math.ceil(wait), went ? longestMilliseconds : wait), signal);
  }
};
