/** The projector: keeps every view up to date, independently of the others, from one shared subscription. */
import { setMaxListeners } from 'node:events';
import { isLeft } from 'fp-ts/Either';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Log } from '../../../infra/ports/runtime/log';
import type { Metrics } from '../../../infra/ports/runtime/metrics';
import type { Tracer } from '../../../infra/ports/runtime/trace';
import type { ViewStatusStore } from '../../../infra/ports/views/view-status';
import type { Generation, ViewWriter } from '../../../infra/ports/views/view-store';
import { backoff, pause } from '../../../infra/server/runtime/backoff';
import type { ContentSource } from '../content';
import { type Projection, prefixesOf } from '../projection';
import { rebuildAutomatically } from '../rebuild/automatic-rebuild';
import { readSkips, skipping, skipsOf } from '../skipped-events';
import { withBackgroundPriority } from './background-priority';
import { openSharedSubscription, type SharedSubscription } from './shared-subscription';
import { type FollowEnd, followView, isLost, type ProjectorContext } from './view-follower';
import { openTracker, type ViewStatus } from './view-status';

export interface RunOptions {
  readonly store: EventStore;
  /** Undefined: the store of this view is off. */
  readonly writerOf: (projection: Projection) => ViewWriter | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly trace?: Tracer | undefined;
  readonly pulseMilliseconds?: number;
  /** Where rebuilds are recorded. */
  readonly ledger?: ViewStatusStore | undefined;
  /** Where content is that rows are made of. */
  readonly blobs?: ContentSource | undefined;
  /** Which code this is: what it left unfinished it goes on with. */
  readonly code?: string | undefined;
}

export interface Projector {
  readonly status: () => readonly ViewStatus[];
  /** Batches under way are finished. */
  readonly close: () => Promise<void>;
}

const supersededMilliseconds = 5_000;
const reopenMilliseconds = 20;
const stoppedMilliseconds = 500;
/** A stopped view tries again, as content in object storage may have been restored. After each attempt in vain it waits twice as long. */
const firstRetryMilliseconds = 10_000;
const maxRetryMilliseconds = 600_000;
const retryMilliseconds = (stops: number): number =>
  Math.min(firstRetryMilliseconds * 2 ** Math.min(stops, 10), maxRetryMilliseconds);

const open = async (
  { writer, signal, tracker }: ProjectorContext,
  { view }: Projection,
): Promise<Generation | undefined> => {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const opened = await writer.open(view);
    if (!isLeft(opened)) {
      tracker.opened(opened.right.position);
      return opened.right;
    }
    tracker.phase('waiting', opened.left.detail);
    await backoff(attempt, signal);
  }
  return undefined;
};

/** Counts the skipped events of the view. A stopped view reads them again, so that a new skip lets it continue. */
const skipsBy = async ({ store, tracker }: ProjectorContext, projection: Projection) => {
  const skips = await readSkips(store);
  if (isLeft(skips)) throw new Error(skips.left.detail);
  const own = skipsOf(skips.right, projection.view.name);
  tracker.skips(own.length);
  return { skips: skips.right, text: JSON.stringify(own) };
};

/** Waits until an operator skips the poison event, or withdraws a skip; `stopped` when it is time to try again without. */
const waitForSkips = async (
  around: ProjectorContext,
  projection: Projection,
  { before, milliseconds }: { readonly before: string; readonly milliseconds: number },
): Promise<FollowEnd> => {
  const until = performance.now() + milliseconds;
  while (!around.signal.aborted) {
    await pause(stoppedMilliseconds, around.signal);
    const now = await skipsBy(around, projection).catch(() => undefined);
    if (now !== undefined && now.text !== before) return 'reopen';
    if (performance.now() >= until) return 'stopped';
  }
  return 'drained';
};

/** Why the view is to be built again; undefined when it is not. */
const rebuildReason = async (
  around: ProjectorContext,
  projection: Projection,
  { number, version }: Generation,
): Promise<string | undefined> => {
  if (version < projection.view.version) return 'The version of the view was raised.';
  return (await isLost(around, projection, number)) ? 'The rows of the view were lost.' : undefined;
};

interface ViewRun {
  readonly log: Log;
  /** How often it has stopped in a row. */
  readonly stops: number;
}

const runView = async (around: ProjectorContext, whole: Projection, { log, stops }: ViewRun): Promise<FollowEnd> => {
  const { signal, tracker } = around;
  const { skips, text } = await skipsBy(around, whole);
  const projection = skipping(whole, skips);
  const generation = await open(around, projection);
  if (generation === undefined) return 'drained';
  const { version } = projection.view;
  if (generation.version <= version) {
    const reason = await rebuildReason(around, projection, generation);
    const end =
      reason === undefined
        ? await followView(around, projection, generation)
        : await rebuildAutomatically(around, whole, { reason, log });
    if (end !== 'stopped') return end;
    return waitForSkips(around, whole, { before: text, milliseconds: retryMilliseconds(stops) });
  }
  tracker.phase('superseded', `Version ${generation.version} of the view serves; this process knows ${version}.`);
  await pause(supersededMilliseconds, signal);
  return 'reopen';
};

const runUntilAborted = async (around: ProjectorContext, projection: Projection, log: Log): Promise<void> => {
  let stops = 0;
  for (let attempt = 0; !around.signal.aborted; attempt += 1) {
    try {
      const end = await runView(around, projection, { log, stops });
      stops = end === 'stopped' ? stops + 1 : 0;
      attempt = 0;
      await pause(reopenMilliseconds, around.signal);
    } catch (error) {
      log.warn({ error, view: projection.view.name }, 'view was interrupted; it is opened again');
      around.tracker.phase('waiting', 'The log cannot be read right now.');
      await backoff(attempt, around.signal);
    }
  }
};

const start = (projections: readonly Projection[], options: RunOptions, signal: AbortSignal) => {
  const { store, log, ledger, code, blobs } = options;
  const trackers = projections.map((projection) => openTracker(projection.view.name, options));
  const others = { trackers: trackers.filter((_, index) => projections[index]?.view.patient !== true), signal };
  const run = async (): Promise<void> => {
    const hub: SharedSubscription = await openSharedSubscription({
      ...options,
      signal,
      filter: { streams: prefixesOf(projections) },
    });
    const views = projections.map((projection, index) => {
      const tracker = trackers[index];
      const own = options.writerOf(projection);
      const writer = own !== undefined && projection.view.patient === true ? withBackgroundPriority(own, others) : own;
      if (writer === undefined || tracker === undefined) return Promise.resolve();
      return runUntilAborted(
        { store, writer, hub, signal, tracker, ledger, code, blobs, trace: options.trace },
        projection,
        log,
      );
    });
    await Promise.all([...views, hub.closed]);
  };
  return { trackers, done: run() };
};

export const runProjector = (projections: readonly Projection[], options: RunOptions): Projector => {
  const draining = new AbortController();
  // Every view listens for it.
  setMaxListeners(0, draining.signal);
  const served = projections.filter((projection) => options.writerOf(projection) !== undefined);
  const { trackers, done } = start(served, options, draining.signal);
  return {
    status: () => trackers.map(({ status }) => status()),
    close: async () => {
      draining.abort();
      await done;
    },
  };
};
