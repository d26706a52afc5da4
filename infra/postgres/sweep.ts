/** Generations that nobody needs any more are dropped: those switched away from a while ago, and those never recorded. */
import type { PoolClient } from 'pg';
import type { View } from '../ports/view-store';
import { forget, lock, type Physical, table } from './registry';

/** What was made by somebody who was killed before it was recorded; nobody makes one while the view is locked. */
const unrecorded = async (client: PoolClient, view: View, { present }: Physical): Promise<readonly number[]> => {
  if (present === undefined) return [];
  const { rows } = await client.query<{ number: string }>(`select number from ${table} where view = $1`, [view.name]);
  const known = new Set(rows.map(({ number }) => Number(number)));
  return (await present()).filter((number) => !known.has(number));
};

/** Those that nobody has been reading for a while. */
export const sweepRetired = async (
  client: PoolClient,
  view: View,
  { milliseconds, physical }: { readonly milliseconds: number; readonly physical: Physical },
): Promise<readonly number[]> => {
  await lock(client, view);
  const { rows } = await client.query<{ number: string }>(
    `select number from ${table} where view = $1 and retired <= clock_timestamp() - $2 * interval '1 millisecond'`,
    [view.name, milliseconds],
  );
  const swept = [...rows.map(({ number }) => Number(number)), ...(await unrecorded(client, view, physical))];
  for (const number of swept) {
    await forget(client, view, number);
    await physical.drop(client, number);
  }
  return swept;
};
