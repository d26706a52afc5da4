/** Begins, switches, drops and sweeps generations of views, for stores whose registry is in Postgres. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Pool, PoolClient } from 'pg';
import type { Generation, View, ViewFault, ViewWriter } from '../../../ports/views/view-store';
import { abandonedMilliseconds } from '../../views/abandoned-after';
import { rebuildInProgress, unavailable } from '../../views/view-faults';
import { toViewFault } from '../pool';
import {
  activateOther,
  add,
  dropOther,
  forget,
  type GenerationStorage,
  generationOf,
  lock,
  openActive,
  pauseActive,
  type Row,
  table,
} from './generation-registry';
import { isRebuildIdle, openRebuildLocks } from './rebuild-lock';

export interface LifecycleOptions {
  readonly pool: Pool;
  /** One transaction; answers for the store itself as well. */
  readonly within: <A>(work: (client: PoolClient) => Promise<A>) => Promise<Either<ViewFault, A>>;
  readonly physical: (view: View) => GenerationStorage;
}

export interface Lifecycle
  extends Pick<ViewWriter, 'open' | 'beginRebuild' | 'releaseRebuild' | 'pauseWrites' | 'activate' | 'drop' | 'sweep'> {
  /** Others may build whatever this one built. */
  readonly close: () => void;
}

export const openLifecycle = ({ pool, within, physical }: LifecycleOptions): Lifecycle => {
  const builders = openRebuildLocks(pool);
  return {
    open: (view) => within((client) => openActive(client, view, physical(view))),
    beginRebuild: async (view, recipe) => {
      const entered = await toViewFault(() => builders.tryAcquire(view));
      if (isLeft(entered)) return entered;
      if (!entered.right) return rebuildInProgress();
      const begun = await within((client) => beginGeneration(client, view, { recipe, physical: physical(view) }));
      if (isLeft(begun)) await builders.release(view);
      return begun;
    },
    releaseRebuild: (view) => toViewFault(() => builders.release(view)),
    pauseWrites: (view, milliseconds) => within((client) => pauseActive(client, view, milliseconds)),
    activate: async (view, number) => {
      const switched = await within((client) => activateOther(client, view, { number, physical: physical(view) }));
      if (isLeft(switched)) return switched;
      if (!switched.right) return unavailable('There is no such generation.');
      await builders.release(view);
      return right(undefined);
    },
    drop: async (view, number) => {
      const dropped = await within((client) => dropOther(client, view, { number, physical: physical(view) }));
      // What could not be dropped now, the next builder drops.
      await builders.release(view);
      return dropped;
    },
    sweep: async (view, milliseconds, abandoned = abandonedMilliseconds) => {
      const storage = physical(view);
      // Nearly always there is one generation: nothing to take a lock for.
      const isAlone =
        storage.present === undefined ? await toViewFault(() => hasOneGeneration(pool, view)) : right(false);
      if (isLeft(isAlone)) return isAlone;
      if (isAlone.right) return right([]);
      return within((client) => dropUnusedGenerations(client, view, { milliseconds, abandoned, physical: storage }));
    },
    close: builders.close,
  };
};

interface GenerationStart {
  readonly recipe: string | undefined;
  readonly physical: GenerationStorage;
}

interface Unfinished extends Row {
  readonly recipe: string | null;
}

/** A generation of another recipe is not resumed: other code might have produced other rows. */
const isOfUse = async ({ recipe, physical }: GenerationStart, found: Unfinished): Promise<boolean> =>
  recipe !== undefined &&
  found.recipe === recipe &&
  (physical.isWhole === undefined || (await physical.isWhole(Number(found.number))));

const beginGeneration = async (client: PoolClient, view: View, beginning: GenerationStart): Promise<Generation> => {
  const { recipe, physical } = beginning;
  await lock(client, view);
  const { rows: others } = await client.query<Unfinished>(
    `select number, version, position, recipe from ${table} where view = $1 and not active and retired is null`,
    [view.name],
  );
  let reused: Generation | undefined;
  for (const other of others) {
    if (reused === undefined && (await isOfUse(beginning, other))) reused = generationOf(other);
    else {
      await forget(client, view, Number(other.number));
      await physical.drop(client, Number(other.number));
    }
  }
  if (reused !== undefined) return reused;
  const made = await add(client, view, { active: false, recipe });
  await physical.create(client, made.number);
  return made;
};

/** Tables of a process that was killed before it recorded them. The view's lock prevents new ones meanwhile. */
const unrecorded = async (
  client: PoolClient,
  view: View,
  { present }: GenerationStorage,
): Promise<readonly number[]> => {
  if (present === undefined) return [];
  const { rows } = await client.query<{ number: string }>(`select number from ${table} where view = $1`, [view.name]);
  const known = new Set(rows.map(({ number }) => Number(number)));
  return (await present()).filter((number) => !known.has(number));
};

const hasOneGeneration = async (pool: Pool, view: View): Promise<boolean> => {
  const { rows } = await pool.query<{ count: string }>({
    name: 'count-generations',
    text: `select count(*) as count from ${table} where view = $1`,
    values: [view.name],
  });
  return Number(rows[0]?.count) <= 1;
};

interface SweepOptions {
  /** Since it was switched away from. */
  readonly milliseconds: number;
  /** Time since the last progress of an unfinished generation. */
  readonly abandoned: number;
  readonly physical: GenerationStorage;
}

const ago = (parameter: string): string => `clock_timestamp() - ${parameter} * interval '1 millisecond'`;

/** Generations that were switched away from a while ago, and abandoned ones. */
const dropUnusedGenerations = async (
  client: PoolClient,
  view: View,
  { milliseconds, abandoned, physical }: SweepOptions,
): Promise<readonly number[]> => {
  await lock(client, view);
  const unattended = await isRebuildIdle(client, view);
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
