/** What only shows over time: use of the processor, and how often and how long memory is collected. */
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import type { Stats } from './machine-stats';

/** Answers the figures since it was last asked. */
export type Meter = () => Stats;

interface Collections {
  young: number;
  old: number;
  milliseconds: number;
}

const watchCollections = (): Collections => {
  const seen: Collections = { young: 0, old: 0, milliseconds: 0 };
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = (entry as unknown as { readonly detail: { readonly kind: number } }).detail;
      if (kind === constants.NODE_PERFORMANCE_GC_MINOR) seen.young += 1;
      if (kind === constants.NODE_PERFORMANCE_GC_MAJOR) seen.old += 1;
      seen.milliseconds += entry.duration;
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return seen;
};

/** Generations as V8 has them: there is none between the young and the old. */
const heapStats = ({ young, old }: Collections): Stats => {
  const spaces = new Map(getHeapSpaceStatistics().map((space) => [space.space_name, space.space_used_size]));
  const sizeOf = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + (spaces.get(name) ?? 0), 0);
  return {
    'proc-gc-gen0ItemsCount': young,
    'proc-gc-gen0Size': sizeOf(['new_space']),
    'proc-gc-gen2ItemsCount': old,
    'proc-gc-gen2Size': sizeOf(['old_space']),
    'proc-gc-largeHeapSize': sizeOf(['large_object_space', 'new_large_object_space', 'code_large_object_space']),
    'proc-gc-totalBytesInHeaps': sizeOf(spaces.keys()),
  };
};

/** Processor time counts every thread: two that are busy make 200. */
const percent = (part: number, whole: number): number => (whole <= 0 ? 0 : (part / whole) * 100);

const processorMilliseconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

export const startMeter = (): Meter => {
  const collections = watchCollections();
  let before = { at: 0, busy: 0, collecting: 0 };
  return () => {
    const now = { at: performance.now(), busy: processorMilliseconds(), collecting: collections.milliseconds };
    const passed = now.at - before.at;
    const stats = {
      'proc-cpu': percent(now.busy - before.busy, passed),
      'proc-gc-timeInGc': percent(now.collecting - before.collecting, passed),
      ...heapStats(collections),
    };
    before = now;
    return stats;
  };
};
