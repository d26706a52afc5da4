/** Generations of views from first to last, for stores whose registry is in Postgres. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Pool, PoolClient } from 'pg';
import type { View, ViewFault, ViewWriter } from '../ports/view-store';
import { abandonedMilliseconds } from '../views/abandoned';
import { building, unavailable } from '../views/faults';
import { beginOther } from './begin';
import { openBuilders } from './builders';
import { asked } from './pool';
import { activateOther, dropOther, holdActive, openActive, type Physical } from './registry';
import { sweepOver } from './sweep';

export interface LifecycleOptions {
  readonly pool: Pool;
  /** One transaction; answers for the store itself as well. */
  readonly within: <A>(work: (client: PoolClient) => Promise<A>) => Promise<Either<ViewFault, A>>;
  readonly physical: (view: View) => Physical;
}

export interface Lifecycle
  extends Pick<ViewWriter, 'open' | 'begin' | 'leave' | 'hold' | 'activate' | 'drop' | 'sweep'> {
  /** Others may build whatever this one built. */
  readonly close: () => void;
}

export const openLifecycle = ({ pool, within, physical }: LifecycleOptions): Lifecycle => {
  const builders = openBuilders(pool);
  return {
    open: (view) => within((client) => openActive(client, view, physical(view))),
    begin: async (view, recipe) => {
      const entered = await asked(() => builders.enter(view));
      if (isLeft(entered)) return entered;
      if (!entered.right) return building();
      const begun = await within((client) => beginOther(client, view, { recipe, physical: physical(view) }));
      if (isLeft(begun)) await builders.leave(view);
      return begun;
    },
    leave: (view) => asked(() => builders.leave(view)),
    hold: (view, milliseconds) => within((client) => holdActive(client, view, milliseconds)),
    activate: async (view, number) => {
      const switched = await within((client) => activateOther(client, view, { number, physical: physical(view) }));
      if (isLeft(switched)) return switched;
      if (!switched.right) return unavailable('There is no such generation.');
      await builders.leave(view);
      return right(undefined);
    },
    drop: async (view, number) => {
      const dropped = await within((client) => dropOther(client, view, { number, physical: physical(view) }));
      // What could not be dropped now, the next builder drops.
      await builders.leave(view);
      return dropped;
    },
    sweep: (view, milliseconds, abandoned = abandonedMilliseconds) =>
      within((client) => sweepOver(client, view, { milliseconds, abandoned, physical: physical(view) })),
    close: builders.close,
  };
};
