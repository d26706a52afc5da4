/** Where one generation stands, for those who write it. */
import type { Pool, PoolClient } from 'pg';
import type { Batch, NamedView } from '../ports/view-store';
import { schema } from './sql';

const table = `${schema}.view_generations`;

interface Standing {
  readonly position: bigint | null;
  readonly held: boolean;
}

interface Row {
  readonly position: string | null;
  readonly held: boolean;
}

const standingText = `select position, active and coalesce(held_until > now(), false) as held
  from ${table} where view = $1 and number = $2 and retired is null`;

const standingOf = ([row]: readonly Row[]): Standing | undefined =>
  row && { position: row.position === null ? null : BigInt(row.position), held: row.held };

/** Undefined when the generation is gone. */
export const standing = async (
  pool: Pool,
  { name }: Pick<NamedView, 'name'>,
  generation: number,
): Promise<Standing | undefined> => standingOf((await pool.query<Row>(standingText, [name, generation])).rows);

/** Until the transaction ends nobody else writes or holds the generation. */
export const lockStanding = async (
  client: PoolClient,
  { name }: Pick<NamedView, 'name'>,
  generation: number,
): Promise<Standing | undefined> =>
  standingOf((await client.query<Row>(`${standingText} for update`, [name, generation])).rows);

export const advance = async (
  client: PoolClient,
  { name }: Pick<NamedView, 'name'>,
  { generation, position }: Batch,
): Promise<void> => {
  await client.query(`update ${table} set position = $3, touched = now() where view = $1 and number = $2`, [
    name,
    generation,
    String(position),
  ]);
};
