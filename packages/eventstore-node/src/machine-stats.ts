/** Figures of this process, its machine and its disk, by the names that EventStoreDB gives them. */
import { readFileSync, statfsSync, statSync } from 'node:fs';
import { freemem, loadavg, totalmem } from 'node:os';
import { dirname } from 'node:path';

export type Stats = Readonly<Record<string, number | string>>;

/** Numbers of a file of `/proc`, which is there on Linux only. */
const numbersIn = (path: string, names: Readonly<Record<string, string>>): Stats => {
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

export const processStats = (): Stats => ({
  'proc-startTime': new Date(performance.timeOrigin).toISOString(),
  'proc-id': process.pid,
  'proc-mem': process.memoryUsage.rss(),
  ...numbersIn('/proc/self/status', { 'proc-threadsCount': 'Threads' }),
  ...numbersIn('/proc/self/io', {
    'proc-diskIo-readBytes': 'read_bytes',
    'proc-diskIo-writtenBytes': 'write_bytes',
    'proc-diskIo-readOps': 'syscr',
    'proc-diskIo-writeOps': 'syscw',
  }),
});

export const machineStats = (): Stats => {
  const [minute = 0, fiveMinutes = 0, quarter = 0] = loadavg();
  return {
    'sys-loadavg-1m': minute,
    'sys-loadavg-5m': fiveMinutes,
    'sys-loadavg-15m': quarter,
    'sys-freeMem': freemem(),
    'sys-totalMem': totalmem(),
  };
};

/** Where the file system that a path lies on begins. */
const mountOf = (path: string): string => {
  const above = dirname(path);
  return above === path || statSync(above).dev !== statSync(path).dev ? path : mountOf(above);
};

export const driveStats = (directory: string): Stats => {
  try {
    const { bsize, blocks, bfree, bavail } = statfsSync(directory);
    const used = blocks - bfree;
    const name = `sys-drive-${mountOf(directory)}`;
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
