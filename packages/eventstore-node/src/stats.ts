/** A node's figures, by the names that EventStoreDB gives them: those that exist here. */
import { dirname } from 'node:path';
import { driveStats, machineStats, processStats, type Stats } from './machine-stats';
import { type Meter, startMeter } from './meter';
import type { Node } from './protocol/calls';
import { numberOf } from './storage/database';
import type { Storage } from './storage/storage';

/** The log's end, as a real node's writer checkpoint. */
const logStats = ({ tables: { log } }: Storage): Stats => {
  for (const { key, value } of log.getRange({ reverse: true, limit: 1 })) {
    const end = numberOf(key) + value.length;
    return { 'es-checksum': end, 'es-checksumNonFlushed': end };
  }
  return { 'es-checksum': 0, 'es-checksumNonFlushed': 0 };
};

const directoryOf = ({ tables: { root } }: Storage): string =>
  dirname((root as unknown as { readonly path: string }).path);

interface Measured {
  readonly meter: Meter;
  at: number;
  stats: Stats;
}

/** A real node measures no more often either: who asks in between gets the same figures. */
const freshMilliseconds = 1_000;
const measured = new WeakMap<Storage, Measured>();

const measure = (storage: Storage, meter: Meter): Stats => ({
  ...processStats(),
  ...meter(),
  ...machineStats(),
  ...logStats(storage),
  ...driveStats(directoryOf(storage)),
});

export const statsOf = ({ storage }: Pick<Node, 'storage'>): Stats => {
  const known = measured.get(storage);
  const now = performance.now();
  if (known !== undefined && now - known.at < freshMilliseconds) return known.stats;
  const meter = known?.meter ?? startMeter();
  const stats = measure(storage, meter);
  measured.set(storage, { meter, at: now, stats });
  return stats;
};

export interface Grouped {
  readonly [name: string]: Grouped | number | string;
}

/** By the parts of the names, as a real node's HTTP `/stats` has them. */
export const grouped = (stats: Stats): Grouped => {
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
