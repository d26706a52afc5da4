/** Which generations of which views there are, where each stands, and which one serves. */
import type { Pool, PoolClient } from 'pg';
import type { Generation, View } from '../../../ports/views/view-store';
import { schema } from '../sql';

export const table = `${schema}.view_generations`;

/** What a store does to make and to remove a generation; its part of the work happens inside the transaction. */
export interface GenerationStorage {
  readonly create: (client: PoolClient, number: number) => Promise<void>;
  readonly switchTo: (client: PoolClient, number: number) => Promise<void>;
  readonly drop: (client: PoolClient, number: number) => Promise<void>;
  /** Where making one is not part of the transaction: the generations there are, recorded or not. */
  readonly present?: () => Promise<readonly number[]>;
  /** Whether what was written to a generation is there. */
  readonly isWhole?: (number: number) => Promise<boolean>;
}

export interface Row {
  readonly number: string;
  readonly version: number;
  readonly position: string | null;
}

export const generationOf = ({ number, version, position }: Row): Generation => ({
  number: Number(number),
  version,
  position: position === null ? null : BigInt(position),
});

/** Two starters take turns. */
export const lock = (client: PoolClient, { name }: Pick<View, 'name'>) =>
  client.query('select pg_advisory_xact_lock(hashtextextended($1, 7))', [name]);

export const activeOf = async (
  client: Pool | PoolClient,
  view: Pick<View, 'name'>,
): Promise<Generation | undefined> => {
  const { rows } = await client.query<Row>({
    name: 'active-generation',
    text: `select number, version, position from ${table} where view = $1 and active`,
    values: [view.name],
  });
  return rows[0] && generationOf(rows[0]);
};

export interface KnownGeneration extends Pick<Generation, 'number' | 'position'> {
  /** It was switched away from, and is not dropped yet. */
  readonly isRetired: boolean;
}

/** All of a view's, whether they serve, are being built, or wait to be dropped. */
export const knownGenerations = async (
  client: Pool | PoolClient,
  { name }: Pick<View, 'name'>,
): Promise<readonly KnownGeneration[]> => {
  const { rows } = await client.query<Row & { readonly retired: boolean }>(
    `select number, version, position, retired is not null as retired from ${table} where view = $1`,
    [name],
  );
  return rows.map((row) => ({ ...generationOf(row), isRetired: row.retired }));
};

type Kind = { readonly active: true } | { readonly active: false; readonly recipe: string | undefined };

export const add = async (client: PoolClient, { name, version }: View, kind: Kind): Promise<Generation> => {
  const { rows } = await client.query<Row>(
    `insert into ${table} (view, number, version, active, recipe)
     values ($1, nextval('${schema}.generation_numbers'), $2, $3, $4) returning number, version, position`,
    [name, version, kind.active, kind.active ? null : (kind.recipe ?? null)],
  );
  return generationOf(rows[0] as Row);
};

export const openActive = async (client: PoolClient, view: View, physical: GenerationStorage): Promise<Generation> => {
  await lock(client, view);
  const known = await activeOf(client, view);
  if (known !== undefined) return known;
  const first = await add(client, view, { active: true });
  await physical.create(client, first.number);
  await physical.switchTo(client, first.number);
  return first;
};

export const forget = async (client: PoolClient, view: View, number: number): Promise<boolean> => {
  const gone = await client.query(`delete from ${table} where view = $1 and number = $2`, [view.name, number]);
  return gone.rowCount === 1;
};

/** The row is written, so that a batch under way is waited for and one that waits sees the hold. */
export const pauseActive = async (client: PoolClient, view: View, milliseconds: number): Promise<Generation> => {
  const { rows } = await client.query<Row>(
    `update ${table} set touched = now(),
       held_until = case when active then now() + $2 * interval '1 millisecond' end
     where view = $1 returning number, version, position, active`,
    [view.name, milliseconds],
  );
  const active = rows.find((row) => (row as Row & { active: boolean }).active);
  if (active === undefined) throw new Error('the view has no active generation');
  return generationOf(active);
};

/** False when there is no such generation. */
export const activateOther = async (
  client: PoolClient,
  view: View,
  { number, physical }: { readonly number: number; readonly physical: GenerationStorage },
): Promise<boolean> => {
  await lock(client, view);
  // The switch must survive a crash that follows it: the earlier generation may be gone by then.
  await client.query('set local synchronous_commit = on');
  const { rows } = await client.query<{ number: string }>(
    `select number from ${table} where view = $1 and retired is null for update`,
    [view.name],
  );
  if (!rows.some((row) => Number(row.number) === number)) return false;
  await client.query(
    `update ${table} set active = false, retired = now(), held_until = null where view = $1 and number <> $2 and retired is null`,
    [view.name, number],
  );
  await client.query(`update ${table} set active = true, held_until = null where view = $1 and number = $2`, [
    view.name,
    number,
  ]);
  await physical.switchTo(client, number);
  return true;
};

export const dropOther = async (
  client: PoolClient,
  view: View,
  { number, physical }: { readonly number: number; readonly physical: GenerationStorage },
): Promise<void> => {
  await lock(client, view);
  const active = await activeOf(client, view);
  if (active?.number === number) return;
  if (await forget(client, view, number)) await physical.drop(client, number);
};
