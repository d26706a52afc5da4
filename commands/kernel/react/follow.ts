/** One turn of a process: follows the log, answers, fires timers, and saves how far it has come. */
import { isLeft } from 'fp-ts/Either';
import { pause } from '../../../infra/backoff';
import type { SubscriptionSignal } from '../../../infra/ports/event-store';
import { openBell } from './bell';
import { fireTimers } from './fire-timers';
import type { HeldLease } from './keep-lease';
import { openLanes } from './lanes';
import type { Running } from './running';
import type { Answering } from './settle';
import { take } from './take';
import type { End, Start, Turn } from './turn';

const saveMilliseconds = 200;

const hear = async (turn: Turn, told: SubscriptionSignal, head: bigint | null): Promise<void> => {
  const { lanes, seen, tracker } = turn;
  if (told.kind === 'event') await take(turn, told.event);
  if (told.kind === 'checkpoint') lanes.reach(told.position);
  if (told.kind !== 'caught-up') seen.position = told.kind === 'event' ? told.event.position : told.position;
  if (told.kind !== 'caught-up' || seen.caughtUpAt !== undefined) return;
  // All that concerns the process up to here was delivered, although nothing may have told so.
  if (head !== null && (seen.position === null || head > seen.position)) lanes.reach(head);
  seen.caughtUpAt = seen.position;
  tracker.phase('live');
};

const listen = async (turn: Turn, after: bigint | null): Promise<void> => {
  const { deps, process, signal, end, tracker } = turn;
  const head = await deps.store.head();
  if (isLeft(head)) return end('interrupted');
  if (tracker.status().phase !== 'stopped') tracker.phase('catching-up');
  const request = { after, filter: { streams: process.prefixes }, signal };
  for await (const told of deps.store.subscribeAll(request)) {
    await hear(turn, told, head.right);
    if (signal.aborted) return;
  }
  if (!signal.aborted) end('interrupted');
};

const save = async ({ deps, process, lanes, lease, tracker, end, seen }: Turn): Promise<void> => {
  const position = lanes.mark();
  const since = lanes.busySince();
  const seconds = since === undefined ? 0 : Math.max(0, Date.now() - since) / 1000;
  tracker.reached(position, { seconds, events: lanes.waiting() });
  if (position === seen.saved) return;
  const saved = await deps.checkpoints.save(process.name, position, lease.token);
  if (isLeft(saved)) return;
  if (saved.right) seen.saved = position;
  else end('lost');
};

const keepSaving = async (turn: Turn): Promise<void> => {
  while (!turn.signal.aborted) {
    await pause(saveMilliseconds, turn.signal);
    await save(turn);
  }
};

const isReady = ({ lanes, seen: { caughtUpAt } }: Turn): boolean => {
  const mark = lanes.mark();
  return caughtUpAt !== undefined && (caughtUpAt === null || (mark !== null && mark >= caughtUpAt));
};

const openTurn = (running: Running, lease: HeldLease, { position: start, skipped }: Start) => {
  const over = new AbortController();
  const ended: { how: End } = { how: 'drained' };
  const signal = AbortSignal.any([running.signal, over.signal, lease.lost]);
  const bell = openBell();
  const { deps, process, tracker } = running;
  const answering: Answering = [{ ...deps, sent: tracker.sent, scheduled: bell.ring }, process];
  const end = (how: End): void => {
    if (!over.signal.aborted) ended.how = how;
    over.abort();
  };
  const lanes = openLanes({ start, signal });
  const seen = { position: start, caughtUpAt: undefined, saved: start };
  const turn: Turn = { ...running, lease, lanes, answering, bell, signal, end, seen, skipped };
  return { turn, ended };
};

export const follow = async (running: Running, lease: HeldLease, start: Start): Promise<End> => {
  const { turn, ended } = openTurn(running, lease, start);
  const { answering, tracker, bell, signal, end } = turn;
  const stopOnError = (error: unknown): void => {
    turn.deps.log.warn({ error, process: turn.process.name }, 'process was interrupted; it goes on');
    end('interrupted');
  };
  const firing = { answering, tracker, bell, signal, isReady: () => isReady(turn) };
  const parts = [listen(turn, start.position), keepSaving(turn), fireTimers(firing)];
  await Promise.all(parts.map((part) => part.catch(stopOnError)));
  await turn.lanes.settled();
  await save(turn);
  return lease.lost.aborted && ended.how === 'drained' ? 'lost' : ended.how;
};
