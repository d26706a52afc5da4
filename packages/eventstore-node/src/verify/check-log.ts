/** Checks the log in order: every record, and that only scavenges left gaps. */
import { numberOf } from '../storage/lmdb-tables';
import { firstPosition } from '../storage/writer';
import { checkRecord, type StreamNumbers } from './check-record';
import { CorruptionError } from './corruption-error';
import type { Snapshot } from './read-snapshot';

export interface LogTotals {
  readonly events: number;
  readonly bytes: number;
}

/** Called after a certain number of steps. */
export type Progress = (done: number) => Promise<void>;
export const stepsBetweenProgress = 256;

const parsePositionKey = (key: Buffer, end: number): number => {
  if (key.length !== 8) throw new CorruptionError({ table: 'log', position: end }, 'a key follows that is none');
  const position = numberOf(key);
  if (position < end)
    throw new CorruptionError(
      { table: 'log', position },
      `the record begins before ${end}, where the one before it ends`,
    );
  return position;
};

const checkGap = ({ removed }: Snapshot, from: number, to: number): void => {
  if (from > removed.position)
    throw new CorruptionError(
      { table: 'log', position: from },
      `nothing is there up to ${to}, and nothing was removed`,
    );
};

export const checkLog = async (snapshot: Snapshot, progress: Progress): Promise<LogTotals> => {
  const numbers: StreamNumbers = new Map();
  let [end, gaps, events, bytes] = [firstPosition, 0, 0, 0];
  for (const { key, value } of snapshot.range(snapshot.log, { start: Buffer.alloc(1) })) {
    const position = parsePositionKey(key, end);
    if (position > end) checkGap(snapshot, end, position);
    gaps += position - end;
    checkRecord(snapshot, numbers, position, value);
    end = position + value.length;
    events += 1;
    bytes += value.length;
    if (events % stepsBetweenProgress === 0) await progress(events);
  }
  if (gaps !== snapshot.removed.bytes)
    throw new CorruptionError(
      { table: 'log' },
      `${gaps} bytes are missing, of which scavenges removed ${snapshot.removed.bytes}`,
    );
  return { events, bytes };
};
