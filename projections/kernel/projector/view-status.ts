/** Phase, position and lag of each view, for health answers, logs and metrics. */
import type { Log } from '../../../infra/ports/runtime/log';
import type { Metrics } from '../../../infra/ports/runtime/metrics';
import type { PoisonEvent } from '../recorded-event';

export type Phase = 'starting' | 'catching-up' | 'live' | 'waiting' | 'rebuilding' | 'superseded' | 'stopped';

export interface ViewStatus {
  readonly view: string;
  readonly phase: Phase;
  /** Decimal; null before the first event. */
  readonly position: string | null;
  /** How long ago the newest event was recorded that is not in the view yet; 0 when it has all. */
  readonly lagSeconds: number;
  /** Events of the view's streams that it has not applied; null while it reads past events, whose number is unknown. */
  readonly lagEvents: number | null;
  /** What operators took out of it. */
  readonly skippedEvents: number;
  readonly detail?: string;
}

export interface Applied {
  readonly position: bigint;
  readonly events: number;
  /** Erasures that were carried out in the rows. */
  readonly erasures: number;
  readonly seconds: number;
  /** When the last of the events was recorded; undefined when the batch holds none. */
  readonly occurredAt: number | undefined;
  /** The view has all of the log. */
  readonly whole: boolean;
}

export interface Tracker extends Pick<Lag, 'attached' | 'caughtUp'> {
  readonly status: () => ViewStatus;
  readonly phase: (phase: Phase, detail?: string) => void;
  readonly opened: (position: bigint | null) => void;
  readonly applied: (batch: Applied) => void;
  /** The log is empty, so the view has all of it. */
  readonly noEventYet: () => void;
  readonly poisoned: (poison: PoisonEvent) => void;
  readonly skips: (events: number) => void;
}

const names = {
  lag: 'projection_lag_seconds',
  lagEvents: 'projection_lag_events',
  stopped: 'projection_stopped',
  skipped: 'projection_skipped_events',
} as const;

const createViewMetrics = (metrics: Metrics) => ({
  events: metrics.counter({ name: 'projection_events_total', help: 'Events applied.', labels: ['view'] }),
  erasures: metrics.counter({
    name: 'projection_erasures_total',
    help: 'Erasures of subjects, carried out in the rows of a personal view.',
    labels: ['view'],
  }),
  batch: metrics.histogram({ name: 'projection_batch_seconds', help: 'Time to write a batch.', labels: ['view'] }),
  lag: metrics.gauge({ name: names.lag, help: 'Age of the newest event not yet applied.', labels: ['view'] }),
  lagEvents: metrics.gauge({ name: names.lagEvents, help: 'Events not yet applied.', labels: ['view'] }),
  skipped: metrics.gauge({ name: names.skipped, help: 'Events that operators took out.', labels: ['view'] }),
  stopped: metrics.gauge({ name: names.stopped, help: '1 when the view has stopped.', labels: ['view'] }),
});

/** Nothing is written, so from now on the view falls behind. */
const isStuck = (phase: Phase): boolean => phase === 'waiting' || phase === 'stopped';

const sentenceOf = ({ type, stream, revision, reason }: PoisonEvent): string =>
  `${type} at ${stream} revision ${revision}: ${reason}`;

const isLoud = (phase: Phase): boolean => phase === 'stopped' || phase === 'superseded';

/** Current status of one view. */
interface TrackedView {
  readonly lag: Lag;
  status: ViewStatus;
  /** When the last applied event was recorded, while the view is behind. */
  behindSince: number | undefined;
}

const seconds = (milliseconds: number): number => Math.max(0, Math.round(milliseconds) / 1000);

const startOf = (view: string): TrackedView => ({
  lag: openLag(),
  status: { view, phase: 'starting', position: null, lagSeconds: 0, lagEvents: null, skippedEvents: 0 },
  behindSince: undefined,
});

type ViewMetrics = ReturnType<typeof createViewMetrics>;

const lagOf = ({ behindSince }: Pick<TrackedView, 'behindSince'>): number =>
  behindSince === undefined ? 0 : seconds(Date.now() - behindSince);

/** NaN while unknown, so that comparisons are false. */
const publishLag = ({ status: { view }, ...tracked }: TrackedView, viewMetrics: ViewMetrics): void => {
  viewMetrics.lag(lagOf(tracked), { view });
  viewMetrics.lagEvents(tracked.lag.events() ?? Number.NaN, { view });
};

const phaseOf =
  (tracked: TrackedView, viewMetrics: ViewMetrics, log: Log): Tracker['phase'] =>
  (next, detail) => {
    const { phase: before, detail: _, ...rest } = tracked.status;
    tracked.status = { ...rest, phase: next, ...(detail === undefined ? {} : { detail }) };
    const { view, position } = rest;
    if (isStuck(next)) tracked.behindSince ??= Date.now();
    publishLag(tracked, viewMetrics);
    if (next === before) return;
    viewMetrics.stopped(isLoud(next) ? 1 : 0, { view });
    log.info({ view, phase: next, before, detail, position }, 'view changed phase');
  };

export const openTracker = (view: string, { log, metrics }: { log: Log; metrics: Metrics }): Tracker => {
  const viewMetrics = createViewMetrics(metrics);
  const tracked = startOf(view);
  const phase = phaseOf(tracked, viewMetrics, log);
  return {
    status: () => ({ ...tracked.status, lagSeconds: lagOf(tracked), lagEvents: tracked.lag.events() ?? null }),
    phase,
    attached: tracked.lag.attached,
    caughtUp: tracked.lag.caughtUp,
    opened: (position) => {
      tracked.status = { ...tracked.status, position: position?.toString() ?? null };
    },
    applied: ({ position, events, erasures, seconds: took, occurredAt, whole }) => {
      tracked.status = { ...tracked.status, position: String(position) };
      tracked.lag.applied(events, whole);
      tracked.behindSince = whole ? undefined : (occurredAt ?? tracked.behindSince);
      if (whole || tracked.status.phase === 'waiting') phase(whole ? 'live' : 'catching-up');
      if (events > 0) viewMetrics.batch(took, { view });
      viewMetrics.events({ view }, events);
      if (erasures > 0) {
        viewMetrics.erasures({ view }, erasures);
        log.info({ view, erasures, position: String(position) }, 'rows are cleared of forgotten subjects');
      }
      publishLag(tracked, viewMetrics);
    },
    noEventYet: () => {
      tracked.lag.applied(0, true);
      tracked.behindSince = undefined;
      phase('live');
    },
    skips: (events) => {
      tracked.status = { ...tracked.status, skippedEvents: events };
      viewMetrics.skipped(events, { view });
    },
    poisoned: (poison) => {
      log.error({ view, ...poison, position: String(poison.position) }, 'poison event: the view stops');
      phase('stopped', sentenceOf(poison));
    },
  };
};

export interface Lag {
  /** Subscribed from here; `behind` while an unknown number of earlier events is missing. */
  readonly attached: (arrived: () => number, behind: boolean) => void;
  /** What was before is in the view. */
  readonly caughtUp: () => void;
  /** `whole`: the view has all of the log. */
  readonly applied: (events: number, whole: boolean) => void;
  /** Undefined while the view reads past events, whose number is unknown. */
  readonly events: () => number | undefined;
}

const openLag = (): Lag => {
  let arrived = (): number => 0;
  let applied = 0;
  /** Of what had arrived before the view read the log again. */
  let past: number | undefined;
  let isPast = false;
  const pending = (): number => Math.max(0, arrived() - applied);
  return {
    attached: (count, behind) => {
      // A mailbox that overflew had counted what the view now reads again; at the first attachment there is none.
      const missed = past === undefined ? 0 : past + pending();
      past = behind ? missed || undefined : 0;
      isPast = behind;
      arrived = count;
      applied = 0;
    },
    caughtUp: () => {
      past = 0;
      isPast = false;
    },
    applied: (events, whole) => {
      if (whole) {
        past = 0;
        applied = arrived();
      } else if (!isPast) applied += events;
      else if (past !== undefined) past = Math.max(0, past - events);
    },
    events: () => (past === undefined ? undefined : past + pending()),
  };
};
