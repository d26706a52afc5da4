/** Walks all of a log. */

import { fileOf } from '../../storage/database';
import type { Removed } from '../../storage/marks';
import { walkPages } from './pages/walk-pages';
import { countOf, takeSnapshot } from './snapshot';
import { walkIndex } from './walk-index';
import { type Log, type Progress, walkLog } from './walk-log';
import { walkStreams } from './walk-streams';

export interface Walked extends Log {
  readonly streams: number;
  readonly removed: Removed;
}

export type Step = 'pages' | 'log' | 'events' | 'streams';
export type Say = (step: Step, done: number, total: number) => void;

const sayEveryMilliseconds = 500;

/** Lets others have their turn whenever it says how far it is. */
const telling = (say: Say, step: Step, total: number): Progress => {
  let said = performance.now();
  say(step, 0, total);
  return async (done) => {
    if (performance.now() - said < sayEveryMilliseconds) return;
    said = performance.now();
    say(step, done, total);
    await new Promise(setImmediate);
  };
};

/** Throws `Damage`, or whatever the database makes of its own. Undefined: there is no log. */
export const walk = async (directory: string, say: Say): Promise<Walked | undefined> => {
  const snapshot = takeSnapshot(directory);
  if (snapshot === undefined) return undefined;
  const table = (step: 'log' | 'events' | 'streams'): Progress => telling(say, step, countOf(snapshot[step]));
  try {
    // First what everything stands on: a walk over pages that lead astray may not come back.
    await walkPages(fileOf(directory), (total) => telling(say, 'pages', total));
    const log = await walkLog(snapshot, table('log'));
    await walkIndex(snapshot, log, table('events'));
    const streams = await walkStreams(snapshot, table('streams'));
    return { ...log, streams, removed: snapshot.removed };
  } finally {
    await snapshot.close();
  }
};
