/** Checkpoint of one generation. */
import type { Pool, PoolClient } from 'pg';
import type { Batch, NamedView } from '../../../ports/views/view-store';
import { schema } from '../sql';

const table = `${schema}.view_generations`;

interface GenerationCheckpoint {
  readonly position: bigint | null;
  /** Readers see it. */
  readonly active: boolean;
  /** A rebuild compares generations; writers wait. */
  readonly paused: boolean;
}

interface Row {
  readonly position: string | null;
  readonly active: boolean;
  readonly paused: boolean;
}

const checkpointText = `select position, active, active and coalesce(held_until > now(), false) as paused
  from ${table} where view = $1 and number = $2 and retired is null`;

const checkpointOf = (row: Row | undefined): GenerationCheckpoint | undefined =>
  row && { ...row, position: row.position === null ? null : BigInt(row.position) };

/** Undefined when the generation was dropped. */
export const readCheckpoint = async (
  pool: Pool,
  { name }: Pick<NamedView, 'name'>,
  generation: number,
): Promise<GenerationCheckpoint | undefined> =>
  checkpointOf((await pool.query<Row>(checkpointText, [name, generation])).rows[0]);

/** Locks the generation against other writers until the transaction ends. */
export const lockCheckpoint = async (
  client: PoolClient,
  { name }: Pick<NamedView, 'name'>,
  generation: number,
): Promise<GenerationCheckpoint | undefined> =>
  checkpointOf((await client.query<Row>(`${checkpointText} for update`, [name, generation])).rows[0]);

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
