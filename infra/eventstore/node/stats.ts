/** Figures of the running node, under the names a real one gives them. */
import { freemem, loadavg } from 'node:os';
import type { Node } from './protocol/calls';
import { endOf } from './storage/read';

export const statsOf = ({ storage }: Node): Readonly<Record<string, number | string>> => ({
  'proc-id': process.pid,
  'proc-mem': process.memoryUsage.rss(),
  'proc-startTime': new Date(Date.now() - process.uptime() * 1000).toISOString(),
  'sys-freeMem': freemem(),
  'sys-loadavg-1m': loadavg()[0] ?? 0,
  'es-lastPosition': endOf(storage.tables) ?? 0,
});
