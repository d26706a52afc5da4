/** A builder begins: with what one before it left, where that was made in the same way, or else with nothing. */
import type { PoolClient } from 'pg';
import type { Generation, View } from '../ports/view-store';
import { add, forget, generationOf, lock, type Physical, type Row, table } from './registry';

interface Beginning {
  readonly recipe: string | undefined;
  readonly physical: Physical;
}

interface Unfinished extends Row {
  readonly recipe: string | null;
}

/** Of other code nobody can tell whether it would have come to the same rows. */
const isOfUse = async ({ recipe, physical }: Beginning, found: Unfinished): Promise<boolean> =>
  recipe !== undefined &&
  found.recipe === recipe &&
  (physical.present === undefined || (await physical.present()).includes(Number(found.number)));

export const beginOther = async (client: PoolClient, view: View, beginning: Beginning): Promise<Generation> => {
  const { recipe, physical } = beginning;
  await lock(client, view);
  const { rows: others } = await client.query<Unfinished>(
    `select number, version, position, recipe from ${table} where view = $1 and not active and retired is null`,
    [view.name],
  );
  let kept: Generation | undefined;
  for (const other of others) {
    if (kept === undefined && (await isOfUse(beginning, other))) kept = generationOf(other);
    else {
      await forget(client, view, Number(other.number));
      await physical.drop(client, Number(other.number));
    }
  }
  if (kept !== undefined) return kept;
  const made = await add(client, view, { active: false, recipe });
  await physical.create(client, made.number);
  return made;
};
