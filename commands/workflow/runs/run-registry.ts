/**
 * The runs that this copy of the service has to do with. It subscribes to the log once, folds each run once, in the cache that commands use, and
 * hands state and events to its callers. What is not in memory is read; the cache bounds what is.
 */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { parseStreamName } from '../../../domain/kernel/ids';
import type { RunId } from '../../../domain/workflow/ids';
import { run as runDecider } from '../../../domain/workflow/run/decider';
import { type RunEvent, runStream } from '../../../domain/workflow/run/events';
import type { RunState } from '../../../domain/workflow/run/state';
import type { EventStore, EventStoreFault, StoredEvent } from '../../../infra/ports/event-store';
import type { Log } from '../../../infra/ports/runtime/log';
import type { ActiveRun } from '../../../infra/ports/workflow/active-runs';
import type { AggregateCache } from '../../../infra/server/aggregates/aggregate-cache';
import {
  applyStoredEvents,
  emptyAggregate,
  type LoadedAggregate,
} from '../../../infra/server/aggregates/loaded-aggregate';
import { type LogSubscriber, subscribeToLog } from '../../kernel/log-subscription';
import { emptyTimes, noteEvent, noteStored, type RunTimes } from './run-times';

export type LoadedRun = Pick<LoadedAggregate<RunState>, 'state' | 'revision'>;

export interface TimedRun extends LoadedRun {
  readonly times: Pick<RunTimes, 'begun' | 'jobs'>;
}

type Answer<Value> = Promise<Either<EventStoreFault, Value>>;

/** Called with events of runs, runners, repositories and organizations. Neither may wait: others are called after it. */
export type RunListener = Pick<LogSubscriber, 'onEvent' | 'onCheckpoint'>;

export interface RunRegistry {
  /** As the log has it now. */
  readonly load: (run: ActiveRun) => Answer<LoadedRun>;
  /** With every event that was delivered, and maybe later ones. */
  readonly cached: (run: ActiveRun) => Answer<LoadedRun>;
  /** As `cached`, with its times, which are kept until it is forgotten. */
  readonly timed: (run: ActiveRun) => Answer<TimedRun>;
  /** This process appended these events to it. */
  readonly appended: (
    run: ActiveRun,
    by: { readonly events: readonly RunEvent[]; readonly revision: number; readonly at: number },
  ) => void;
  readonly forget: (run: ActiveRun) => void;
  /** A listener is called after the event is part of the run's cached state. */
  readonly listen: (listener: RunListener) => () => void;
  /** Every event up to here was delivered, or is before the subscription. Undefined: not subscribed yet. */
  readonly position: () => bigint | null | undefined;
  /** Resolves when it has subscribed, or the signal aborts. */
  readonly started: Promise<void>;
  /** Resolves after the signal. */
  readonly ended: Promise<void>;
}

export interface RunRegistryOptions {
  readonly store: EventStore;
  readonly warm: AggregateCache;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export const runPrefix = 'workflow.run-';
export const runnerPrefix = 'workflow.runner-';
const streams = [runPrefix, runnerPrefix, 'workflow.repository-', 'workflow.organization-'];
/** As many as the cache holds. */
const mostDelivered = 20_000;

/** The run that a stream is of. */
export const runOfStream = (stream: string): ActiveRun | undefined => {
  const named = stream.startsWith(runPrefix) ? parseStreamName(stream) : undefined;
  return named === undefined ? undefined : { tenantId: named.tenant, runId: named.id as RunId };
};

/** The last revision of each run that was delivered or read; of those longest without an event nothing is known. */
const createRevisions = () => {
  const revisions = new Map<string, number>();
  return {
    of: (stream: string): number | undefined => revisions.get(stream),
    reach: (stream: string, revision: number): void => {
      const known = revisions.get(stream) ?? -1;
      revisions.delete(stream);
      revisions.set(stream, Math.max(known, revision));
      const [oldest] = revisions.keys();
      if (revisions.size > mostDelivered && oldest !== undefined) revisions.delete(oldest);
    },
  };
};

export const openRunRegistry = ({ store, warm, log, signal }: RunRegistryOptions): RunRegistry => {
  const listeners = new Set<RunListener>();
  const delivered = createRevisions();
  const times = new Map<string, RunTimes>();
  const readings = new Map<string, Answer<LoadedRun>>();
  let position: bigint | null | undefined;

  const find = (stream: string): LoadedAggregate<RunState> | undefined => warm.find(runDecider, stream);

  const fold = (stream: string, stored: readonly StoredEvent[]): LoadedAggregate<RunState> => {
    const known = find(stream) ?? emptyAggregate(runDecider);
    const loaded = applyStoredEvents(
      runDecider,
      known,
      stored.filter(({ revision }) => revision > known.revision),
    );
    if (loaded !== known) warm.set(runDecider, stream, loaded);
    const noted = times.get(stream);
    if (noted !== undefined) noteStored(noted, loaded.state, stored);
    return loaded;
  };

  const read = async (stream: string, from: number): Answer<LoadedRun> => {
    const tail = await store.read(stream, from);
    if (isLeft(tail)) return tail;
    // What it began from may be gone from the cache by now.
    if (from > 0 && from > (find(stream)?.revision ?? -1) + 1) return read(stream, 0);
    const loaded = fold(stream, tail.right);
    if (loaded.revision >= 0) delivered.reach(stream, loaded.revision);
    return right(loaded);
  };
  const readTail = (stream: string): Answer<LoadedRun> => read(stream, (find(stream)?.revision ?? -1) + 1);

  /** Callers at one moment share the reading. */
  const readTogether = (stream: string): Answer<LoadedRun> => {
    const known = readings.get(stream);
    if (known !== undefined) return known;
    const reading = readTail(stream).finally(() => {
      if (readings.get(stream) === reading) readings.delete(stream);
    });
    readings.set(stream, reading);
    return reading;
  };

  const cached = async (stream: string): Answer<LoadedRun> => {
    const [known, revision] = [find(stream), delivered.of(stream)];
    if (known !== undefined && revision !== undefined && known.revision >= revision) return right(known);
    return readTogether(stream);
  };

  const timed = async (stream: string): Answer<TimedRun> => {
    const noted = times.get(stream) ?? emptyTimes();
    times.set(stream, noted);
    const loaded = await cached(stream);
    if (isLeft(loaded)) return loaded;
    for (;;) {
      const newest = find(stream) ?? loaded.right;
      const { revision } = noted;
      if (revision >= newest.revision) return right({ ...newest, times: noted });
      // A command of another part was recorded, and its events are still to be delivered.
      const tail = await read(stream, revision + 1);
      if (isLeft(tail)) return tail;
      if (noted.revision === revision) return right({ ...tail.right, times: noted });
    }
  };

  const receiveRunEvent = (stored: StoredEvent): void => {
    const { stream, revision } = stored;
    // A reading that is under way may have missed it.
    readings.delete(stream);
    delivered.reach(stream, revision);
    if ((find(stream)?.revision ?? -1) >= revision - 1) fold(stream, [stored]);
  };
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      log.error({ error }, 'defect in following runs');
    }
  };

  let resolveSubscribed: () => void = () => undefined;
  const subscribed = new Promise<void>((resolve) => {
    resolveSubscribed = resolve;
  });
  const ended = subscribeToLog(
    { store, filter: { streams }, log, signal },
    {
      onStart: (head) => {
        position = head;
        resolveSubscribed();
      },
      onEvent: (event) => {
        position = event.position;
        if (event.stream.startsWith(runPrefix)) guarded(() => receiveRunEvent(event));
        for (const { onEvent } of [...listeners]) guarded(() => onEvent(event));
      },
      onCheckpoint: (reached) => {
        position = reached;
        for (const { onCheckpoint } of [...listeners]) guarded(() => onCheckpoint?.(reached));
      },
    },
  );

  const streamOf = ({ tenantId, runId }: ActiveRun): string => runStream(tenantId, runId);
  return {
    load: (run) => readTail(streamOf(run)),
    cached: (run) => cached(streamOf(run)),
    timed: (run) => timed(streamOf(run)),
    appended: (run, { events, revision, at }) => {
      const stream = streamOf(run);
      const [noted, known] = [times.get(stream), find(stream)];
      if (noted === undefined || known === undefined || noted.revision !== revision - events.length) return;
      for (const event of events) noteEvent(noted, known.state, { event, at });
    },
    forget: (run) => void times.delete(streamOf(run)),
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    position: () => position,
    started: Promise.race([subscribed, ended]),
    ended,
  };
};
