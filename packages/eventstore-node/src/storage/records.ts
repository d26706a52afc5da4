/** Records of the log, checked as they are read. */
import { numberOf, positionKey, type Tables } from './database';
import { isIntact, type StoredRecord } from './record';

/** A record whose checksum does not hold, or whose index leads nowhere. */
export class DamagedRecord extends Error {
  readonly position: number;
  constructor(position: number) {
    super(`The record at position ${position} is damaged.`);
    this.position = position;
  }
}

export const recordAt = ({ log, newest }: Tables, position: number): StoredRecord => {
  const kept = newest.at(position);
  if (kept !== undefined) return kept;
  const bytes = log.get(positionKey(position));
  if (bytes === undefined || !isIntact(bytes)) throw new DamagedRecord(position);
  return { position, bytes };
};

export type Direction = 'forwards' | 'backwards';

export interface Place {
  /** Inclusive forwards, exclusive backwards. */
  readonly from: number;
  readonly direction: Direction;
}

/** Of all streams: from disk in one sweep, those that are shared one by one. */
export function* recordsBeyond(tables: Tables, { from, direction }: Place, limit: number): Generator<StoredRecord> {
  if (direction === 'forwards' && from >= tables.newest.lowest()) {
    for (const key of tables.log.getKeys({ start: positionKey(from), limit })) yield recordAt(tables, numberOf(key));
    return;
  }
  const backwards = { start: positionKey(Math.max(from - 1, 0)), reverse: true, limit };
  const range = direction === 'forwards' ? { start: positionKey(from), limit } : backwards;
  for (const { key, value } of tables.log.getRange(range)) {
    const position = numberOf(key);
    if (!isIntact(value)) throw new DamagedRecord(position);
    yield { position, bytes: value };
  }
}
