/** A cache of aggregates, with one command at a time per stream; see docs/decisions/0005-aggregate-cache.md. */
import {
  type AggregateCache,
  type AggregateCacheLimits,
  createAggregateCache,
} from '../../infra/server/aggregates/aggregate-cache';

export interface ExclusiveAggregates extends AggregateCache {
  /** Runs the tasks of one stream one after another, so that commands of one process do not conflict with each other. */
  readonly runExclusive: <Result>(stream: string, task: () => Promise<Result>) => Promise<Result>;
}

const createExclusiveRuns = (): ExclusiveAggregates['runExclusive'] => {
  const last = new Map<string, Promise<unknown>>();
  return (stream, task) => {
    const before = last.get(stream);
    const next = (): ReturnType<typeof task> => task();
    const run = before === undefined ? task() : before.then(next, next);
    const over = (): void => {
      if (last.get(stream) === run) last.delete(stream);
    };
    last.set(stream, run);
    run.then(over, over);
    return run;
  };
};

export const createExclusiveAggregates = (limits: Partial<AggregateCacheLimits> = {}): ExclusiveAggregates => ({
  ...createAggregateCache(limits),
  runExclusive: createExclusiveRuns(),
});
