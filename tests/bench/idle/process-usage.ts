/** Processor time and memory of a launcher and everything under it, from /proc, added up by process of the system. */
import { readFileSync } from 'node:fs';
import { systemServices } from '../../../infra/server/services';
import { descendantsOf } from '../../support/processes/launcher';

export interface Usage {
  /** User and system time since the start, with that of children that have ended. */
  readonly seconds: number;
  /** KiB that no other process maps: what ending this one would free. */
  readonly privateKilobytes: number;
  /** KiB, with its share of what several processes map. */
  readonly proportionalKilobytes: number;
}

/** USER_HZ, which Linux has fixed at 100 for what it shows in /proc. */
const ticksPerSecond = 100;

const read = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended; what it used is its parent's.
    return '';
  }
};

/** Fields 14 to 17 of proc(5): utime, stime, cutime, cstime. */
const secondsOf = (pid: number): number => {
  const stat = read(pid, 'stat');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
};

const kilobytesOf = (rollup: string, ...names: readonly string[]): number =>
  names.reduce((sum, name) => sum + Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0), 0);

const usageOf = (pid: number): Usage => {
  const rollup = read(pid, 'smaps_rollup');
  return {
    seconds: secondsOf(pid),
    privateKilobytes: kilobytesOf(rollup, 'Private_Clean', 'Private_Dirty'),
    proportionalKilobytes: kilobytesOf(rollup, 'Pss'),
  };
};

const names: readonly (readonly [part: string, name: string])[] = [
  ...systemServices.map(({ entry, name }) => [entry, name] as const),
  ['launch/services.main', 'services'],
  ['managed-runner.main', 'runner'],
  ['eventstore-node/src/cli', 'eventstore'],
  ['LocalElasticsearch', 'elasticsearch'],
  ['valkey', 'redis'],
  ['redis-server', 'redis'],
  ['postgres', 'postgres'],
  ['launch.main', 'launcher'],
];

/** What it is by its command line; helpers such as compilers count as the process that started them. */
const nameOf = (pid: number, parents: ReadonlyMap<number, string>): string => {
  const command = read(pid, 'cmdline');
  const known = names.find(([part]) => command.includes(part))?.[1];
  if (known !== undefined) return known;
  const stat = read(pid, 'stat');
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return parents.get(parent) ?? 'launcher';
};

export const sum = (one: Usage | undefined, other: Usage): Usage => ({
  seconds: (one?.seconds ?? 0) + other.seconds,
  privateKilobytes: (one?.privateKilobytes ?? 0) + other.privateKilobytes,
  proportionalKilobytes: (one?.proportionalKilobytes ?? 0) + other.proportionalKilobytes,
});

/** By the names of the services and stores, and `launcher`. */
export const usageByName = (launcher: number): ReadonlyMap<string, Usage> => {
  const nameByPid = new Map<number, string>();
  const usages = new Map<string, Usage>();
  for (const pid of [launcher, ...descendantsOf(launcher)]) {
    const name = nameOf(pid, nameByPid);
    nameByPid.set(pid, name);
    usages.set(name, sum(usages.get(name), usageOf(pid)));
  }
  return usages;
};

const stores: readonly string[] = ['elasticsearch', 'redis', 'postgres'];

/** Written here, by the names above; stores of others are not. */
export const isOfOurs = (name: string): boolean => !stores.includes(name);
