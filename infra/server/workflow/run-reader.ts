/** Reads a run's state from its stream, always up to date. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { runStream, runs } from '../../../domain/workflow/run/events';
import { evolve, initialRun, type RunState } from '../../../domain/workflow/run/state';
import type { EventStore, EventStoreFault } from '../../ports/event-store';
import type { ActiveRun } from '../../ports/workflow/active-runs';
import { createAggregateCache } from '../aggregates/aggregate-cache';
import { loadAggregate } from '../aggregates/load-aggregate';

export type { Job } from '../../../domain/workflow/run/state';

export type RunReader = (run: ActiveRun) => Promise<Either<EventStoreFault, RunState>>;

const rules = { family: runs, initial: initialRun, evolve };
/** Runs that people look at while their jobs wait. */
const cacheLimits = { streams: 200, events: 50_000, longest: 20_000 };

export const openRunReader = (store: Pick<EventStore, 'read'>): RunReader => {
  const cache = createAggregateCache(cacheLimits);
  return async ({ tenantId, runId }) => {
    const loaded = await loadAggregate({ store, cache }, rules, runStream(tenantId, runId));
    return isLeft(loaded) ? loaded : right(loaded.right.state);
  };
};
