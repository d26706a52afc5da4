/**
 * Follows the log and moves every active run on. One copy does, by a lease; a second one that believes to have it is harmless, since each
 * append expects the revision that it was decided on.
 */
import { type Either, isLeft, isRight } from 'fp-ts/Either';
import { parseStreamName } from '../../../domain/kernel/ids';
import type { Fault } from '../../../domain/kernel/rejection';
import type { RunId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import { runStream } from '../../../domain/workflow/run/events';
import type { StoredEvent } from '../../../infra/ports/event-store';
import type { ProcessCheckpoints } from '../../../infra/ports/processes/checkpoints';
import type { Leases } from '../../../infra/ports/processes/leases';
import type { PartHealth } from '../../../infra/ports/runtime/health';
import type { ActiveRun } from '../../../infra/ports/workflow/active-runs';
import { pause, resumeUntilAborted } from '../../../infra/runtime/backoff';
import { type Outage, trackOutage } from '../../../infra/runtime/outage';
import { createKeyedQueue, type KeyedQueue } from '../../kernel/processes/keyed-queue';
import { acquireAndRenew, type RenewedLease } from '../../kernel/processes/lease-renewal';
import { type AdvanceDeps, advanceRun, endLease, expectedClaims, restoreClaim } from './advance-run';
import { dueCommands } from './timeouts';
import { type TrackedRun, trackedRun } from './tracked-run';

export interface CoordinatorDeps extends Omit<AdvanceDeps, 'wake'> {
  readonly leases: Leases;
  readonly checkpoints: ProcessCheckpoints;
  readonly signal: AbortSignal;
  /** Of the coordinator's own lease. Left out: ten seconds. */
  readonly leaseMilliseconds?: number;
  /** After a start or a standstill, expired leases of jobs are left alone for so long: their runners may have had no copy to renew them. */
  readonly graceMilliseconds?: number;
  readonly tickMilliseconds?: number;
}

const name = 'workflow-coordinator';
const prefixes = ['workflow.run-'];
const expiredAtOnce = 100;
const groupMilliseconds = 5_000;
const readAtOnce = 16;
const interrupted = {
  failing: 'the coordination of runs is interrupted; it is resumed',
  recovered: 'the coordination of runs is back',
};
const heldUp = { failing: 'a run is held up; it goes on later', recovered: 'runs that were held up go on' };
const attentionMilliseconds = 500;
/** A longer one leaves heartbeats unread for as long. */
const standstillMilliseconds = 2_000;

interface Session {
  readonly deps: CoordinatorDeps & Pick<AdvanceDeps, 'wake'>;
  readonly lease: RenewedLease;
  readonly signal: AbortSignal;
  readonly runs: Map<RunId, TrackedRun>;
  /** Revisions at which runs ended, so that their last events, which arrive later, do not make them be read again. */
  readonly ended: Map<RunId, number>;
  readonly queue: KeyedQueue;
  /** Since when this copy's event loop has not stood still, and when it was last seen not to. */
  attentiveSince: number;
  attentiveAt: number;
  /** When rows of claims were last compared with the log. */
  comparedAt: number;
  /** When leases were last looked for that have expired. */
  sweptAt: number;
  readonly interruption: Outage;
}

const find = ({ runs }: Session, { tenantId, runId }: ActiveRun): TrackedRun => {
  const known = runs.get(runId) ?? trackedRun(tenantId, runId, runStream(tenantId, runId));
  runs.set(runId, known);
  return known;
};

/** One at a time works on a run. False: to be tried again. */
const inTurn = (
  session: Session,
  tracked: TrackedRun,
  work: () => Promise<Either<Fault, unknown>>,
): Promise<boolean> => {
  const { log } = session.deps;
  tracked.holdUp ??= trackOutage(log, heldUp);
  const { holdUp } = tracked;
  const attempt = async (): Promise<boolean> => {
    if (session.signal.aborted) return false;
    try {
      const outcome = await work();
      tracked.isUnfinished = isLeft(outcome);
      if (isLeft(outcome)) holdUp.failed({ run: tracked.runId, code: outcome.left.code });
      else holdUp.recovered();
    } catch (error) {
      tracked.isUnfinished = true;
      log.error({ run: tracked.runId, error }, 'a run cannot be moved on');
    }
    return !tracked.isUnfinished;
  };
  tracked.turns += 1;
  const turn = tracked.turn.then(attempt).finally(() => {
    tracked.turns -= 1;
  });
  tracked.turn = turn;
  return turn;
};

const mostEnded = 1_000;

const forget = ({ runs, ended }: Session, { runId, revision }: TrackedRun): void => {
  runs.delete(runId);
  ended.set(runId, revision);
  const [oldest] = ended.keys();
  if (ended.size > mostEnded && oldest !== undefined) ended.delete(oldest);
};

const advance = (session: Session, tracked: TrackedRun): Promise<boolean> =>
  inTurn(session, tracked, async () => {
    const outcome = await advanceRun(session.deps, tracked);
    if (isRight(outcome) && outcome.right === 'ended') forget(session, tracked);
    return outcome;
  });

const wake = (session: Session, runs: readonly ActiveRun[]): void => {
  for (const run of runs) void advance(session, find(session, run));
};

const receiveRunEvent = async (session: Session, run: ActiveRun, stored: StoredEvent): Promise<boolean> => {
  const known = session.runs.get(run.runId);
  if (known === undefined && (session.ended.get(run.runId) ?? -1) >= stored.revision) return true;
  if (known !== undefined && known.revision >= stored.revision && !known.isUnfinished) return true;
  // Before the checkpoint passes the event.
  const added = known === undefined ? await session.deps.activeRuns.add(run) : undefined;
  if (added !== undefined && isLeft(added)) return false;
  await advance(session, find(session, run));
  // The tick tries again what is not finished: the row remembers the run.
  return true;
};

const receive = async (session: Session, stored: StoredEvent): Promise<boolean> => {
  const named = parseStreamName(stored.stream);
  if (named === undefined) return true;
  return receiveRunEvent(session, { tenantId: named.tenant, runId: named.id as RunId }, stored);
};

const follow = async (session: Session, after: bigint | null): Promise<void> => {
  const { deps, queue, signal } = session;
  for await (const item of deps.store.subscribeAll({ after, filter: { streams: prefixes }, signal })) {
    if (signal.aborted) return;
    session.interruption.recovered();
    if (item.kind === 'checkpoint') queue.skipTo(item.position);
    if (item.kind !== 'event') continue;
    const { event } = item;
    const attempt = async () => ((await receive(session, event)) ? ('done' as const) : ('again' as const));
    await queue.add({ position: event.position, key: event.stream, since: Date.now() }, attempt);
  }
};

const saveCheckpoint = async ({ deps, lease, queue }: Session, saved: { position: bigint | null }): Promise<void> => {
  const position = queue.lowWatermark();
  if (position === saved.position) return;
  const answer = await deps.checkpoints.save(name, position, lease.token);
  if (isRight(answer) && answer.right) saved.position = position;
};

const graceOf = ({ graceMilliseconds = limits.leaseSeconds * 1_000 }: CoordinatorDeps): number => graceMilliseconds;

/** After a standstill, heartbeats of runners that arrived meanwhile are still to be read. */
const noteAttention = (session: Session): void => {
  const now = performance.now();
  const stoodStill = now - session.attentiveAt - attentionMilliseconds;
  session.attentiveAt = now;
  if (stoodStill < standstillMilliseconds) return;
  session.attentiveSince = now;
  session.deps.log.warn(
    { milliseconds: Math.round(stoodStill) },
    'the coordination of runs was late: this copy stood still, or its machine is too busy',
  );
};

/** Leases belong to jobs of runs that are active. Where none is, a row that was left is looked for now and then. */
const strayMilliseconds = 30_000;

const sweepLeases = async (session: Session): Promise<void> => {
  const { deps, runs } = session;
  noteAttention(session);
  const now = performance.now();
  if (now - session.attentiveSince < graceOf(deps)) return;
  if (runs.size === 0 && now - session.sweptAt < strayMilliseconds) return;
  session.sweptAt = now;
  const expired = await deps.claims.expired(expiredAtOnce);
  if (isLeft(expired)) return;
  for (const lease of expired.right) {
    const tracked = find(session, lease);
    // It is listed again at the next tick.
    if (tracked.turns > 0) continue;
    void inTurn(session, tracked, () => endLease(deps, tracked, lease));
    void advance(session, tracked);
  }
};

/** Rows of claims that are lost are made again: nothing else would assign their jobs, or end them. */
const restoreClaims = async (session: Session): Promise<void> => {
  const { deps, runs } = session;
  if (performance.now() - session.comparedAt < graceOf(deps)) return;
  session.comparedAt = performance.now();
  const idle = [...runs.values()].filter(({ turns }) => turns === 0);
  const missing = await deps.claims.missing(idle.flatMap(expectedClaims));
  if (isLeft(missing)) return;
  for (const claim of missing.right) {
    const tracked = runs.get(claim.runId);
    if (tracked === undefined) continue;
    void inTurn(session, tracked, () => restoreClaim(deps, tracked, claim));
    void advance(session, tracked);
  }
};

/** A copy that coordinated before may have changed the group last. */
const isGroupDue = ({ groupWaitedAt }: TrackedRun): boolean =>
  groupWaitedAt !== undefined && performance.now() - groupWaitedAt >= groupMilliseconds;

/** Not waited for: a run that is slow, as one whose repository answers late, holds up no other. */
const advanceDue = (session: Session): void => {
  const now = Date.parse(session.deps.clock.now());
  const due = [...session.runs.values()].filter(
    (tracked) =>
      tracked.turns === 0 && (tracked.isUnfinished || isGroupDue(tracked) || dueCommands(tracked, now).length > 0),
  );
  for (const tracked of due) void advance(session, tracked);
};

const tick = async (session: Session, saved: { position: bigint | null }): Promise<void> => {
  const { deps, signal } = session;
  for (;;) {
    await pause(deps.tickMilliseconds ?? 1_000, signal);
    if (signal.aborted) return;
    await sweepLeases(session);
    await restoreClaims(session);
    advanceDue(session);
    await saveCheckpoint(session, saved);
  }
};

/** Until the lease is lost, the log breaks off, or the process drains. */
const coordinate = async (deps: CoordinatorDeps, lease: RenewedLease, interruption: Outage): Promise<void> => {
  const [known, active] = await Promise.all([deps.checkpoints.load(name), deps.activeRuns.list()]);
  if (isLeft(known) || isLeft(active)) return;
  const over = new AbortController();
  const signal = AbortSignal.any([deps.signal, lease.lost, over.signal]);
  const start = known.right ?? null;
  const queue = createKeyedQueue({ start, signal });
  const session: Session = {
    deps: { ...deps, wake: (runs) => wake(session, runs) },
    lease,
    signal,
    runs: new Map(),
    ended: new Map(),
    queue,
    interruption,
    ...{ attentiveSince: performance.now(), attentiveAt: performance.now() },
    ...{ comparedAt: performance.now(), sweptAt: Number.NEGATIVE_INFINITY },
  };
  deps.log.info({ runs: active.right.length }, 'this copy coordinates runs');
  const saved = { position: start };
  const attention = setInterval(() => noteAttention(session), attentionMilliseconds);
  const parts = [
    (async () => {
      for (let from = 0; from < active.right.length && !signal.aborted; from += readAtOnce)
        await Promise.all(
          active.right.slice(from, from + readAtOnce).map((run) => advance(session, find(session, run))),
        );
      await follow(session, start);
    })(),
    tick(session, saved),
  ];
  const endOnError = (error: unknown): void => {
    interruption.failed({ error });
    over.abort();
  };
  await Promise.all(parts.map((part) => part.catch(endOnError).finally(() => over.abort())));
  clearInterval(attention);
  await queue.settled();
  await Promise.all([...session.runs.values()].map(({ turn }) => turn));
  for (const { holdUp } of session.runs.values()) holdUp?.end();
  await saveCheckpoint(session, saved);
};

export interface Coordinator {
  /** Resolves after the signal, when nothing is under way any more. */
  readonly ended: Promise<void>;
  readonly health: () => PartHealth;
}

const standbyMilliseconds = 500;

export const startCoordinator = (deps: CoordinatorDeps): Coordinator => {
  let state: PartHealth = { ok: true, detail: 'starting' };
  const interruption = trackOutage(deps.log, interrupted);
  const attempt = async (progress: () => void): Promise<void> => {
    const acquired = await acquireAndRenew(deps.leases, name, deps.leaseMilliseconds ?? 10_000);
    if (isLeft(acquired)) {
      state = { ok: false, detail: acquired.left.detail };
      return;
    }
    progress();
    state = { ok: true, detail: acquired.right === undefined ? 'another copy coordinates' : 'coordinates runs' };
    if (acquired.right === undefined) return pause(standbyMilliseconds * (0.5 + Math.random()), deps.signal);
    try {
      await coordinate(deps, acquired.right, interruption);
    } finally {
      await acquired.right.release();
    }
  };
  const failed = (error: unknown): void => interruption.failed({ error });
  const resuming = { signal: deps.signal, failed, ended: interruption.end };
  return { ended: resumeUntilAborted(attempt, resuming), health: () => state };
};
