/** Reads records of the log and checks them. */
import { numberOf, positionKey, type Tables } from '../lmdb-tables';
import { isIntact, type StoredRecord } from './record-format';

/** A record with a wrong checksum, or a missing one that the index names. */
export class CorruptRecordError extends Error {
  readonly position: number;
  constructor(position: number) {
    super(`The record at position ${position} is damaged.`);
    this.position = position;
  }
}

export const readRecord = ({ log, recentRecords }: Tables, position: number): StoredRecord => {
  const cached = recentRecords.at(position);
  if (cached !== undefined) return cached;
  const bytes = log.get(positionKey(position));
  if (bytes === undefined || !isIntact(bytes)) throw new CorruptRecordError(position);
  return { position, bytes };
};

export type Direction = 'forwards' | 'backwards';

export interface ScanStart {
  /** Inclusive forwards, exclusive backwards. */
  readonly from: number;
  readonly direction: Direction;
}

/** Scans the log: from disk in one range, or cached records one by one. */
export function* scanRecords(tables: Tables, { from, direction }: ScanStart, limit: number): Generator<StoredRecord> {
  if (direction === 'forwards' && from >= tables.recentRecords.lowest()) {
    for (const key of tables.log.getKeys({ start: positionKey(from), limit })) yield readRecord(tables, numberOf(key));
    return;
  }
  const backwards = { start: positionKey(Math.max(from - 1, 0)), reverse: true, limit };
  const range = direction === 'forwards' ? { start: positionKey(from), limit } : backwards;
  for (const { key, value } of tables.log.getRange(range)) {
    const position = numberOf(key);
    if (!isIntact(value)) throw new CorruptRecordError(position);
    yield { position, bytes: value };
  }
}
