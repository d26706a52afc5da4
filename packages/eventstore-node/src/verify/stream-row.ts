/** Parses a row of the table of streams strictly, as it is written. */

import { decodeChecksummed, hasValidChecksum } from '../storage/records/checksummed-json';
import type { StreamHead } from '../storage/streams/stream-heads';
import { CorruptionError, type CorruptionLocation } from './corruption-error';

export type StreamRow = Omit<StreamHead, 'last'>;

const isNatural = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parseChecksummed = (stored: Buffer): unknown => {
  try {
    return hasValidChecksum(stored) ? decodeChecksummed(stored) : undefined;
  } catch {
    return undefined;
  }
};

const fields = new Set(['number', 'tombstoned', 'retention', 'acl']);
const retentions = new Set(['maxCount', 'maxAge', 'before']);

const isRow = (row: unknown): boolean =>
  isRecord(row) &&
  Object.keys(row).every((name) => fields.has(name)) &&
  isNatural(row.number) &&
  row.number > 0 &&
  typeof row.tombstoned === 'boolean' &&
  isRecord(row.retention) &&
  Object.entries(row.retention).every(([name, value]) => retentions.has(name) && isNatural(value)) &&
  (row.acl === undefined || isRecord(row.acl));

export const parseStreamRow = (stored: Buffer, location: CorruptionLocation): StreamRow => {
  const row = parseChecksummed(stored);
  if (!isRow(row)) throw new CorruptionError(location, "the stream's row cannot be read");
  return row as StreamRow;
};
