/**
 * Moves every active run on as its events arrive. One copy does, by a lease; a second one that believes to have it is harmless, since each
 * append expects the revision that it was decided on.
 */
import { type Either, isLeft, isRight } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';
import type { RunId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import { runStream } from '../../../domain/workflow/run/events';
import type { StoredEvent } from '../../../infra/ports/event-store';
import type { ProcessCheckpoints } from '../../../infra/ports/processes/checkpoints';
import type { Leases } from '../../../infra/ports/processes/leases';
import type { PartHealth } from '../../../infra/ports/runtime/health';
import type { ActiveRun } from '../../../infra/ports/workflow/active-runs';
import { pause, resumeUntilAborted } from '../../../infra/server/runtime/backoff';
import { type Outage, trackOutage } from '../../../infra/server/runtime/outage';
import { createKeyedQueue, type KeyedQueue } from '../../kernel/processes/keyed-queue';
import { acquireAndRenew, type RenewedLease } from '../../kernel/processes/lease-renewal';
import { type AdvanceDeps, advanceRun, endLease, expectedClaims, restoreClaim } from './advance-run';
import { createRunFacts, type RunFactsDeps } from './run-facts';
import { type RunRegistry, runOfStream, runPrefix } from './run-registry';
import { dueCommands } from './timeouts';
import { type TrackedRun, trackedRun } from './tracked-run';

export interface CoordinatorDeps extends Omit<AdvanceDeps, 'wake' | 'runs' | 'facts'>, Pick<RunFactsDeps, 'publicUrl'> {
  readonly runs: RunRegistry;
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
const expiredAtOnce = 100;
const groupMilliseconds = 5_000;
const readAtOnce = 16;
const caughtUpAtOnce = 500;
const interrupted = {
  failing: 'the coordination of runs is interrupted; it is resumed',
  recovered: 'the coordination of runs is back',
};
const heldUp = { failing: 'a run is delayed and continues later', recovered: 'delayed runs continue' };
const attentionMilliseconds = 500;
/** A longer one leaves heartbeats unread for as long. */
const standstillMilliseconds = 2_000;

interface Session {
  readonly deps: CoordinatorDeps & Pick<AdvanceDeps, 'wake' | 'facts'>;
  readonly lease: RenewedLease;
  readonly signal: AbortSignal;
  readonly runs: Map<RunId, TrackedRun>;
  /** Revisions at which runs ended, so that their last events, which arrive later, do not make them be read again. */
  readonly ended: Map<RunId, number>;
  readonly queue: KeyedQueue;
  /** Runs whose events are to be looked at, with the last of them: any number of events is one look. */
  readonly changed: Map<RunId, number>;
  /** What happened before the session began is looked at, too. */
  isCaughtUp: boolean;
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

const forget = ({ deps, runs, ended }: Session, tracked: TrackedRun): void => {
  const { runId, revision } = tracked;
  runs.delete(runId);
  deps.runs.forget(tracked);
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

/** False: to be looked at again. */
const lookAt = async (session: Session, run: ActiveRun, revision: number): Promise<boolean> => {
  const known = session.runs.get(run.runId);
  if (known === undefined && (session.ended.get(run.runId) ?? -1) >= revision) return true;
  if (known !== undefined && known.revision >= revision && !known.isUnfinished) return true;
  // Before the checkpoint passes the event.
  const added = known === undefined ? await session.deps.activeRuns.add(run) : undefined;
  if (added !== undefined && isLeft(added)) return false;
  await advance(session, find(session, run));
  // The tick tries again what is not finished: the row remembers the run.
  return true;
};

const receive = (session: Session, { stream, revision, position }: StoredEvent): void => {
  const { queue, changed } = session;
  const run = runOfStream(stream);
  if (run === undefined || changed.has(run.runId)) queue.skipTo(position);
  if (run === undefined) return;
  const isFirst = !changed.has(run.runId);
  changed.set(run.runId, revision);
  if (!isFirst) return;
  const attempt = async () => {
    const last = changed.get(run.runId) ?? revision;
    changed.delete(run.runId);
    return (await lookAt(session, run, last)) ? ('done' as const) : ('again' as const);
  };
  // Not waited for: the queue holds one entry for each run that waits, and others follow the log as well.
  void queue.add({ position, key: stream, since: Date.now() }, attempt);
};

const advanceAll = async (session: Session, runs: readonly ActiveRun[]): Promise<void> => {
  for (let from = 0; from < runs.length && !session.signal.aborted; from += readAtOnce)
    await Promise.all(runs.slice(from, from + readAtOnce).map((run) => advance(session, find(session, run))));
};

/** Runs that began, or went on, after the checkpoint and before the session listened. */
const catchUp = async (session: Session, after: bigint | null, to: bigint | null): Promise<void> => {
  const { deps, signal } = session;
  let found = new Map<RunId, ActiveRun>();
  const addFound = async (): Promise<void> => {
    const runs = [...found.values()];
    found = new Map();
    for (const run of runs) {
      const added = await deps.activeRuns.add(run);
      if (isLeft(added)) throw new Error(added.left.detail);
    }
    await advanceAll(session, runs);
  };
  for await (const { stream, position } of deps.store.readAll({ after, filter: { streams: [runPrefix] } })) {
    if (signal.aborted || to === null || position > to) break;
    const run = runOfStream(stream);
    if (run !== undefined) found.set(run.runId, run);
    if (found.size >= caughtUpAtOnce) await addFound();
  }
  await addFound();
  session.isCaughtUp = !signal.aborted;
};

const saveCheckpoint = async (session: Session, saved: { position: bigint | null }): Promise<void> => {
  const { deps, lease, queue, isCaughtUp } = session;
  const position = queue.lowWatermark();
  if (!isCaughtUp || position === null || (saved.position !== null && position <= saved.position)) return;
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

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Until the lease is lost, what is stored cannot be read, or the process drains. */
const coordinate = async (deps: CoordinatorDeps, lease: RenewedLease, interruption: Outage): Promise<void> => {
  const [known, active] = await Promise.all([deps.checkpoints.load(name), deps.activeRuns.list()]);
  const livePosition = deps.runs.position();
  if (isLeft(known) || isLeft(active) || livePosition === undefined) return;
  const over = new AbortController();
  const signal = AbortSignal.any([deps.signal, lease.lost, over.signal]);
  const start = known.right ?? null;
  const queue = createKeyedQueue({ start: livePosition, signal, capacity: Number.POSITIVE_INFINITY });
  const session: Session = {
    deps: { ...deps, facts: createRunFacts(deps), wake: (runs) => wake(session, runs) },
    lease,
    signal,
    runs: new Map(),
    ended: new Map(),
    changed: new Map(),
    isCaughtUp: false,
    queue,
    interruption,
    attentiveSince: performance.now(),
    attentiveAt: performance.now(),
    comparedAt: performance.now(),
    sweptAt: Number.NEGATIVE_INFINITY,
  };
  const unlisten = deps.runs.listen({ onEvent: (stored) => receive(session, stored), onCheckpoint: queue.skipTo });
  deps.log.info({ runs: active.right.length }, 'this copy coordinates runs');
  const saved = { position: start };
  const attention = setInterval(() => noteAttention(session), attentionMilliseconds);
  const parts = [
    (async () => {
      await catchUp(session, start, livePosition);
      await advanceAll(session, active.right);
      interruption.recovered();
      await aborted(signal);
    })(),
    tick(session, saved),
  ];
  const endOnError = (error: unknown): void => {
    interruption.failed({ error });
    over.abort();
  };
  await Promise.all(parts.map((part) => part.catch(endOnError).finally(() => over.abort())));
  clearInterval(attention);
  unlisten();
  await queue.settled();
  await Promise.all([...session.runs.values()].map(({ turn }) => turn));
  for (const tracked of session.runs.values()) {
    tracked.holdUp?.end();
    deps.runs.forget(tracked);
  }
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
    await deps.runs.started;
    if (deps.signal.aborted) return;
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
