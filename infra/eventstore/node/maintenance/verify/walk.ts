/** Walks all of a log. */
import type { Removed } from '../../storage/marks';
import { countOf, takeSnapshot } from './snapshot';
import { walkIndex } from './walk-index';
import { type Log, type Progress, walkLog } from './walk-log';
import { walkStreams } from './walk-streams';

export interface Walked extends Log {
  readonly streams: number;
  readonly removed: Removed;
}

export type Step = 'log' | 'events' | 'streams';
export type Say = (step: Step, done: number, total: number) => void;

const sayEveryMilliseconds = 500;

/** Throws `Damage`, or whatever the database makes of its own. Undefined: there is no log. */
export const walk = async (directory: string, say: Say): Promise<Walked | undefined> => {
  const snapshot = takeSnapshot(directory);
  if (snapshot === undefined) return undefined;
  const telling = (step: Step): Progress => {
    const total = countOf(snapshot[step]);
    let said = performance.now();
    say(step, 0, total);
    return async (done) => {
      if (performance.now() - said < sayEveryMilliseconds) return;
      said = performance.now();
      say(step, done, total);
      await new Promise(setImmediate);
    };
  };
  try {
    const log = await walkLog(snapshot, telling('log'));
    await walkIndex(snapshot, log, telling('events'));
    const streams = await walkStreams(snapshot, telling('streams'));
    return { ...log, streams, removed: snapshot.removed };
  } finally {
    await snapshot.close();
  }
};
