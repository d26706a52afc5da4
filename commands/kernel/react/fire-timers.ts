/** Fires the timers of one process as they fall due. */
import { isLeft } from 'fp-ts/Either';
import { backoffMilliseconds, pause } from '../../../infra/backoff';
import { type Bell, openBell } from './bell';
import { type Firing, fire } from './fire';

/** At once; the rest of many that are due together follows. */
const width = 16;
const longestMilliseconds = 500;

/** Timers on their way: found, and not yet known to be settled. */
interface Flight {
  readonly firing: Firing;
  readonly away: Set<string>;
  /** Fired, and to be marked as such. */
  readonly over: string[];
  /** Rung when a timer is done with, or one is to be marked. */
  readonly bell: Bell;
  underWay: number;
  /** Thrown while one was fired: the turn ends. */
  failure: unknown;
}

const launch = async (flight: Flight, timer: Parameters<typeof fire>[1]): Promise<void> => {
  const { firing, away, over, bell } = flight;
  away.add(timer.id);
  flight.underWay += 1;
  try {
    const { kind } = await fire(firing, timer);
    if (kind !== 'again') over.push(timer.id);
    else {
      await pause(backoffMilliseconds(3), firing.signal);
      away.delete(timer.id);
    }
  } catch (error) {
    flight.failure = error;
  } finally {
    flight.underWay -= 1;
    bell.ring();
  }
};

/** Beside the firing, so that no timer waits for another's mark. */
const keepMarking = async ({ firing, away, over, bell }: Flight, ended: AbortSignal): Promise<void> => {
  const [{ timers }] = firing.answering;
  for (let attempt = 0; !ended.aborted || over.length > 0; ) {
    if (over.length === 0) {
      await bell.wait(1_000, ended);
      continue;
    }
    const ids = over.splice(0);
    if (!isLeft(await timers.fired(ids))) {
      for (const id of ids) away.delete(id);
      attempt = 0;
      continue;
    }
    // Not marked, they are fired again by the next run, which changes nothing.
    if (ended.aborted) return;
    over.push(...ids);
    attempt += 1;
    await pause(backoffMilliseconds(attempt), ended);
  }
};

/** Answers how long to wait for the next. */
const look = async (flight: Flight, attempt: number): Promise<{ readonly went: boolean; readonly wait: number }> => {
  const { firing, away, bell } = flight;
  const [{ timers }, { name }] = firing.answering;
  const limit = away.size + 8 * width;
  const due = await timers.due(name, limit);
  if (isLeft(due)) return { went: false, wait: backoffMilliseconds(attempt) };
  for (const timer of due.right.timers.filter(({ id }) => !away.has(id))) {
    while (flight.underWay >= width && !firing.signal.aborted) await bell.wait(1_000, firing.signal);
    if (firing.signal.aborted) break;
    void launch(flight, timer);
  }
  const isMore = due.right.timers.length === limit;
  return { went: true, wait: isMore ? 0 : (due.right.nextMilliseconds ?? longestMilliseconds) };
};

const keepLooking = async (flight: Flight): Promise<void> => {
  const { signal, bell, isReady } = flight.firing;
  for (let attempt = 0; !signal.aborted; ) {
    if (flight.failure !== undefined) throw flight.failure;
    if (!isReady()) {
      await pause(20, signal);
      continue;
    }
    const { went, wait } = await look(flight, attempt);
    attempt = went ? 0 : attempt + 1;
    // Not longer than so: the clock that decides what is due may be stepped.
    if (wait > 0) await bell.wait(Math.min(Math.ceil(wait), longestMilliseconds), signal);
  }
};

export const fireTimers = async (firing: Firing): Promise<void> => {
  const flight: Flight = { firing, away: new Set(), over: [], bell: openBell(), underWay: 0, failure: undefined };
  const ended = new AbortController();
  const marking = keepMarking(flight, ended.signal);
  try {
    await keepLooking(flight);
    while (flight.underWay > 0) await flight.bell.wait(1_000, ended.signal);
  } finally {
    ended.abort();
    await marking;
  }
};
