/** Generations that nobody needs any more are dropped: those switched away from a while ago, those given up, and those never recorded. */
import type { PoolClient } from 'pg';
import type { View } from '../ports/view-store';
import { isUnattended } from './builders';
import { forget, lock, type Physical, table } from './registry';

/** What was made by somebody who was killed before it was recorded; nobody makes one while the view is locked. */
const unrecorded = async (client: PoolClient, view: View, { present }: Physical): Promise<readonly number[]> => {
  if (present === undefined) return [];
  const { rows } = await client.query<{ number: string }>(`select number from ${table} where view = $1`, [view.name]);
  const known = new Set(rows.map(({ number }) => Number(number)));
  return (await present()).filter((number) => !known.has(number));
};

interface Sweeping {
  /** Since it was switched away from. */
  readonly milliseconds: number;
  /** Since somebody last built on it. */
  readonly abandoned: number;
  readonly physical: Physical;
}

const ago = (parameter: string): string => `clock_timestamp() - ${parameter} * interval '1 millisecond'`;

/** Those that nobody has been reading for a while, and those that nobody will finish. */
export const sweepOver = async (
  client: PoolClient,
  view: View,
  { milliseconds, abandoned, physical }: Sweeping,
): Promise<readonly number[]> => {
  await lock(client, view);
  const unattended = await isUnattended(client, view);
  const { rows } = await client.query<{ number: string }>(
    `select number from ${table} where view = $1
       and (retired <= ${ago('$2')} or (not active and retired is null and $4 and touched <= ${ago('$3')}))`,
    [view.name, milliseconds, abandoned, unattended],
  );
  const swept = [...rows.map(({ number }) => Number(number)), ...(await unrecorded(client, view, physical))];
  for (const number of swept) {
    await forget(client, view, number);
    await physical.drop(client, number);
  }
  return swept;
};
