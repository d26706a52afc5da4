/** Digests of stores that cannot sum hashes themselves. */
import { createHash } from 'node:crypto';
import type { ViewDigest } from '../../ports/views/view-store';

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([field, inner]) => [field, sorted(inner)]);
};

const hashOf = (row: unknown): bigint =>
  createHash('sha256')
    .update(JSON.stringify(sorted(row)))
    .digest()
    .readBigUInt64BE();

/** A sum does not depend on the order in which the store hands out its rows. */
export const digestRows = async (rows: AsyncIterable<unknown> | Iterable<unknown>): Promise<ViewDigest> => {
  let count = 0;
  let sum = 0n;
  for await (const row of rows) {
    count += 1;
    sum = BigInt.asUintN(64, sum + hashOf(row));
  }
  return { rows: count, hash: sum.toString(16).padStart(16, '0') };
};
