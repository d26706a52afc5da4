/** Runs one session of a process: subscribes to the log, reacts, fires timers and saves checkpoints. */
import { isLeft } from 'fp-ts/Either';
import type { SubscriptionSignal } from '../../../infra/ports/event-store';
import { pause } from '../../../infra/server/runtime/backoff';
import { createWakeSignal } from '../wake-signal';
import { deliverEvent } from './deliver-event';
import { fireTimers } from './fire-timers';
import { createKeyedQueue } from './keyed-queue';
import type { RenewedLease } from './lease-renewal';
import type { ProcessRun, ProcessSession, SessionEnd, SessionStart } from './process-session';
import type { ReactionContext } from './send-command';

const saveMilliseconds = 200;
/** Of a session in which nothing happens; every message of the subscription ends it. */
const longestRestMilliseconds = 30_000;

const handleSignal = async (
  session: ProcessSession,
  message: SubscriptionSignal,
  head: bigint | null,
): Promise<void> => {
  const { queue, progress, tracker } = session;
  if (message.kind === 'event') await deliverEvent(session, message.event);
  if (message.kind === 'checkpoint') queue.skipTo(message.position);
  if (message.kind !== 'caught-up')
    progress.position = message.kind === 'event' ? message.event.position : message.position;
  if (message.kind !== 'caught-up' || progress.caughtUpAt !== undefined) return;
  // All relevant events up to the head were delivered, even without a checkpoint signal.
  if (head !== null && (progress.position === null || head > progress.position)) queue.skipTo(head);
  progress.caughtUpAt = progress.position;
  tracker.phase('live');
};

const subscribe = async (session: ProcessSession, after: bigint | null): Promise<void> => {
  const { deps, process, signal, end, tracker } = session;
  const head = await deps.store.head();
  if (isLeft(head)) return end('interrupted');
  if (tracker.status().phase !== 'stopped') tracker.phase('catching-up');
  const request = { after, filter: { streams: process.prefixes }, signal };
  for await (const message of deps.store.subscribeAll(request)) {
    await handleSignal(session, message, head.right);
    session.received.notify();
    if (signal.aborted) return;
  }
  if (!signal.aborted) end('interrupted');
};

const saveCheckpoint = async ({
  deps,
  process,
  queue,
  lease,
  tracker,
  end,
  progress,
}: ProcessSession): Promise<void> => {
  const position = queue.lowWatermark();
  const since = queue.oldestPendingSince();
  const seconds = since === undefined ? 0 : Math.max(0, Date.now() - since) / 1000;
  tracker.reached(position, { seconds, events: queue.pendingCount() });
  if (position === progress.saved) return;
  const saved = await deps.checkpoints.save(process.name, position, lease.token);
  if (isLeft(saved)) return;
  if (saved.right) progress.saved = position;
  else end('lost');
};

/** Whether the checkpoint is where it can be, and no event waits for its reaction. */
const isSaved = ({ queue, progress }: ProcessSession): boolean =>
  queue.pendingCount() === 0 && queue.lowWatermark() === progress.saved;

const saveCheckpoints = async (session: ProcessSession): Promise<void> => {
  const { signal, received } = session;
  while (!signal.aborted) {
    if (isSaved(session)) await received.wait(longestRestMilliseconds, signal);
    await pause(saveMilliseconds, signal);
    await saveCheckpoint(session);
  }
};

const isReady = ({ queue, progress: { caughtUpAt } }: ProcessSession): boolean => {
  const watermark = queue.lowWatermark();
  return caughtUpAt !== undefined && (caughtUpAt === null || (watermark !== null && watermark >= caughtUpAt));
};

const openSession = (processRun: ProcessRun, lease: RenewedLease, { position: start, skipped }: SessionStart) => {
  const over = new AbortController();
  const ended: { how: SessionEnd } = { how: 'drained' };
  const signal = AbortSignal.any([processRun.signal, over.signal, lease.lost]);
  const timerSet = createWakeSignal();
  const { deps, process, tracker } = processRun;
  const context: ReactionContext = {
    deps: { ...deps, sent: tracker.sent, scheduled: timerSet.notify },
    process,
  };
  const end = (how: SessionEnd): void => {
    if (!over.signal.aborted) ended.how = how;
    over.abort();
  };
  const queue = createKeyedQueue({ start, signal });
  const progress = { position: start, caughtUpAt: undefined, saved: start };
  const session: ProcessSession = {
    ...processRun,
    lease,
    queue,
    context,
    timerSet,
    received: createWakeSignal(),
    signal,
    end,
    progress,
    skipped,
  };
  return { session, ended };
};

export const runSession = async (
  processRun: ProcessRun,
  lease: RenewedLease,
  start: SessionStart,
): Promise<SessionEnd> => {
  const { session, ended } = openSession(processRun, lease, start);
  const { context, tracker, timerSet, signal, end } = session;
  const stopOnError = (error: unknown): void => {
    session.deps.log.warn({ error, process: session.process.name }, 'process was interrupted; it continues');
    end('interrupted');
  };
  const firing = { reaction: context, tracker, timerSet, signal, isReady: () => isReady(session) };
  const parts = [subscribe(session, start.position), saveCheckpoints(session), fireTimers(firing)];
  await Promise.all(parts.map((part) => part.catch(stopOnError)));
  await session.queue.settled();
  await saveCheckpoint(session);
  return lease.lost.aborted && ended.how === 'drained' ? 'lost' : ended.how;
};
