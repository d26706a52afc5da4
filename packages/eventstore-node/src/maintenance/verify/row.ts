/** A row of the table of streams, as strictly as it is written. */
import type { Head } from '../../storage/heads';
import { isSealed, unseal } from '../../storage/sealed';
import { Damage, type Place } from './damage';

export type Row = Omit<Head, 'last'>;

const isNatural = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (stored: Buffer): unknown => {
  try {
    return isSealed(stored) ? unseal(stored) : undefined;
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

export const rowOf = (stored: Buffer, place: Place): Row => {
  const row = parsed(stored);
  if (!isRow(row)) throw new Damage(place, "the stream's row cannot be read");
  return row as Row;
};
