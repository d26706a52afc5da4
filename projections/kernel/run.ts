/** The projector: every view kept up with the log, each by itself, from one shared subscription. */
import { isLeft } from 'fp-ts/Either';
import type { EventStore } from '../../infra/ports/event-store';
import type { Log } from '../../infra/ports/log';
import type { Metrics } from '../../infra/ports/metrics';
import type { Generation, ViewWriter } from '../../infra/ports/view-store';
import { backoff, pause } from './backoff';
import { type Around, type End, follow } from './follow';
import { type Hub, openHub } from './hub';
import { type Projection, prefixesOf } from './projection';
import { rebuild } from './rebuild';
import { openTracker, type ViewStatus } from './status';

export interface RunOptions {
  readonly store: EventStore;
  /** Undefined: the store of this view is off. */
  readonly writerOf: (projection: Projection) => ViewWriter | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly pulseMilliseconds?: number;
}

export interface Projector {
  readonly status: () => readonly ViewStatus[];
  /** Batches under way are finished. */
  readonly close: () => Promise<void>;
}

const supersededMilliseconds = 5_000;
const reopenMilliseconds = 20;

const open = async ({ writer, signal, tracker }: Around, { view }: Projection): Promise<Generation | undefined> => {
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

/** The version was raised: the rows are made anew while the earlier generation goes on serving. */
const renew = async (around: Around, projection: Projection, log: Log): Promise<End> => {
  const { signal, tracker, store, writer } = around;
  tracker.phase('rebuilding');
  const progress = () => undefined;
  const rebuilt = await rebuild({ store, writer, signal, projection, acceptDifferences: true, progress });
  const { name: view, version } = projection.view;
  if (isLeft(rebuilt)) {
    tracker.phase('rebuilding', rebuilt.left.detail);
    log.warn({ view, version, fault: rebuilt.left }, 'rebuild did not succeed; it is tried again');
    if (rebuilt.left.code === 'poison-event' || rebuilt.left.code === 'view-refused') {
      tracker.phase('stopped', rebuilt.left.detail);
      return 'stopped';
    }
    await pause(1_000 + Math.random() * 1_000, signal);
  } else log.info({ view, version, events: rebuilt.right.events }, 'view rebuilt for its raised version');
  return 'reopen';
};

const turn = async (around: Around, projection: Projection, log: Log): Promise<End> => {
  const { signal, tracker } = around;
  const generation = await open(around, projection);
  if (generation === undefined) return 'drained';
  const { version } = projection.view;
  if (generation.version === version) return follow(around, projection, generation);
  if (generation.version < version) return renew(around, projection, log);
  tracker.phase('superseded', `Version ${generation.version} of the view serves; this process knows ${version}.`);
  await pause(supersededMilliseconds, signal);
  return 'reopen';
};

const keepUp = async (around: Around, projection: Projection, log: Log): Promise<void> => {
  for (let attempt = 0; !around.signal.aborted; attempt += 1) {
    try {
      if ((await turn(around, projection, log)) === 'stopped') return;
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
  const { store, log } = options;
  const trackers = projections.map((projection) => openTracker(projection.view.name, options));
  const run = async (): Promise<void> => {
    const hub: Hub = await openHub({ ...options, signal, filter: { streams: prefixesOf(projections) } });
    const views = projections.map((projection, index) => {
      const writer = options.writerOf(projection);
      const tracker = trackers[index];
      if (writer === undefined || tracker === undefined) return Promise.resolve();
      return keepUp({ store, writer, hub, signal, tracker }, projection, log);
    });
    await Promise.all([...views, hub.closed]);
  };
  return { trackers, done: run() };
};

export const runProjector = (projections: readonly Projection[], options: RunOptions): Projector => {
  const draining = new AbortController();
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
