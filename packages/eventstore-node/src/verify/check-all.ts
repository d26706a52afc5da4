/** Checks a whole log. */

import { logFileOf } from '../storage/lmdb-tables';
import type { RemovedEvents } from '../storage/scavenge-state';
import { checkIndex } from './check-index';
import { checkLog, type LogTotals, type Progress } from './check-log';
import { checkStreams } from './check-streams';
import { checkPages } from './pages/check-pages';
import { estimateCount, openSnapshot } from './read-snapshot';

export interface CheckResult extends LogTotals {
  readonly streams: number;
  readonly removed: RemovedEvents;
}

export type CheckStep = 'pages' | 'log' | 'events' | 'streams';
export type ReportProgress = (step: CheckStep, done: number, total: number) => void;

const reportIntervalMilliseconds = 500;

/** Yields to other work each time it reports progress. */
const createProgress = (report: ReportProgress, step: CheckStep, total: number): Progress => {
  let reportedAt = performance.now();
  report(step, 0, total);
  return async (done) => {
    if (performance.now() - reportedAt < reportIntervalMilliseconds) return;
    reportedAt = performance.now();
    report(step, done, total);
    await new Promise(setImmediate);
  };
};

/** Throws `CorruptionError`, or the database's own error. Returns undefined when there is no log. */
export const checkAll = async (directory: string, report: ReportProgress): Promise<CheckResult | undefined> => {
  const snapshot = await openSnapshot(directory);
  if (snapshot === undefined) return undefined;
  const table = (step: 'log' | 'events' | 'streams'): Progress =>
    createProgress(report, step, estimateCount(snapshot[step]));
  try {
    // Pages first, because everything else relies on them: reading through corrupt pages may never end.
    await checkPages(logFileOf(directory), (total) => createProgress(report, 'pages', total));
    const log = await checkLog(snapshot, table('log'));
    await checkIndex(snapshot, log, table('events'));
    const streams = await checkStreams(snapshot, table('streams'));
    return { ...log, streams, removed: snapshot.removed };
  } finally {
    await snapshot.close();
  }
};
