/** Statistics of a node under EventStoreDB's names, as far as they exist here. */

import { readFileSync, statfsSync, statSync } from 'node:fs';
import { freemem, loadavg, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import type { Node } from '../protocol/call-context';
import { numberOf } from '../storage/lmdb-tables';
import type { Storage } from '../storage/storage';

/** The end of the log, which EventStoreDB calls the writer checkpoint. */
const logStats = ({ tables: { log } }: Storage): Stats => {
  for (const { key, value } of log.getRange({ reverse: true, limit: 1 })) {
    const end = numberOf(key) + value.length;
    return { 'es-checksum': end, 'es-checksumNonFlushed': end };
  }
  return { 'es-checksum': 0, 'es-checksumNonFlushed': 0 };
};

const directoryOf = ({ tables: { root } }: Storage): string =>
  dirname((root as unknown as { readonly path: string }).path);

interface StatsSample {
  readonly meter: ProcessMeter;
  at: number;
  stats: Stats;
}

/** Statistics are cached this long, as in EventStoreDB. */
const freshMilliseconds = 1_000;
const samples = new WeakMap<Storage, StatsSample>();

const measureNow = (storage: Storage, meter: ProcessMeter): Stats => ({
  ...processStats(),
  ...meter(),
  ...machineStats(),
  ...logStats(storage),
  ...driveStats(directoryOf(storage)),
});

export const collectStats = ({ storage }: Pick<Node, 'storage'>): Stats => {
  const known = samples.get(storage);
  const now = performance.now();
  if (known !== undefined && now - known.at < freshMilliseconds) return known.stats;
  const meter = known?.meter ?? startProcessMeter();
  const stats = measureNow(storage, meter);
  samples.set(storage, { meter, at: now, stats });
  return stats;
};

export interface StatsTree {
  readonly [name: string]: StatsTree | number | string;
}

/** Nests names by their parts, as in EventStoreDB's `/stats`. */
export const nestStats = (stats: Stats): StatsTree => {
  type Group = { [name: string]: Group | number | string };
  const root: Group = {};
  for (const [name, value] of Object.entries(stats)) {
    const parts = name.split('-');
    const last = parts.pop() as string;
    let group = root;
    for (const part of parts) {
      group[part] ??= {};
      group = group[part] as Group;
    }
    group[last] = value;
  }
  return root;
};

export type Stats = Readonly<Record<string, number | string>>;

/** Reads numbers from a file of `/proc`, which exists on Linux only. */
const readNumbers = (path: string, names: Readonly<Record<string, string>>): Stats => {
  try {
    const text = readFileSync(path, 'utf8');
    const found = Object.entries(names).flatMap(([wire, field]) => {
      const [, value] = new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(text) ?? [];
      return value === undefined ? [] : [[wire, Number(value)] as const];
    });
    return Object.fromEntries(found);
  } catch {
    return {};
  }
};

const processStats = (): Stats => ({
  'proc-startTime': new Date(performance.timeOrigin).toISOString(),
  'proc-id': process.pid,
  'proc-mem': process.memoryUsage.rss(),
  ...readNumbers('/proc/self/status', { 'proc-threadsCount': 'Threads' }),
  ...readNumbers('/proc/self/io', {
    'proc-diskIo-readBytes': 'read_bytes',
    'proc-diskIo-writtenBytes': 'write_bytes',
    'proc-diskIo-readOps': 'syscr',
    'proc-diskIo-writeOps': 'syscw',
  }),
});

const machineStats = (): Stats => {
  const [minute = 0, fiveMinutes = 0, quarter = 0] = loadavg();
  return {
    'sys-loadavg-1m': minute,
    'sys-loadavg-5m': fiveMinutes,
    'sys-loadavg-15m': quarter,
    'sys-freeMem': freemem(),
    'sys-totalMem': totalmem(),
  };
};

/** Mount point of the file system that holds a path. */
const findMount = (path: string): string => {
  const above = dirname(path);
  return above === path || statSync(above).dev !== statSync(path).dev ? path : findMount(above);
};

const driveStats = (directory: string): Stats => {
  try {
    const { bsize, blocks, bfree, bavail } = statfsSync(directory);
    const used = blocks - bfree;
    const name = `sys-drive-${findMount(directory)}`;
    return {
      [`${name}-availableBytes`]: bavail * bsize,
      [`${name}-totalBytes`]: blocks * bsize,
      [`${name}-usage`]: `${Math.round((used / Math.max(blocks, 1)) * 100)}%`,
      [`${name}-usedBytes`]: used * bsize,
    };
  } catch {
    return {};
  }
};

/** Returns processor and garbage collection statistics since the last call. */
export type ProcessMeter = () => Stats;

interface GarbageCollections {
  young: number;
  old: number;
  milliseconds: number;
}

const countGarbageCollections = (): GarbageCollections => {
  const seen: GarbageCollections = { young: 0, old: 0, milliseconds: 0 };
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

/** V8 has two generations; EventStoreDB's middle one does not exist. */
const heapStats = ({ young, old }: GarbageCollections): Stats => {
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

/** Counts all threads: two busy ones make 200. */
const percent = (part: number, whole: number): number => (whole <= 0 ? 0 : (part / whole) * 100);

const processorMilliseconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const startProcessMeter = (): ProcessMeter => {
  const collections = countGarbageCollections();
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
