/**
 * Who builds a view beside itself: a lock of the connection that holds it, so that it is free the moment its holder is killed, and
 * nobody needs to guess from silence.
 */
import type { Pool, PoolClient } from 'pg';
import type { View } from '../ports/view-store';

type Named = Pick<View, 'name'>;

export interface Builders {
  /** False while somebody builds, in this process or another. */
  readonly enter: (view: Named) => Promise<boolean>;
  readonly leave: (view: Named) => void;
  readonly close: () => void;
}

const tryLock = 'select pg_try_advisory_lock(hashtextextended($1, 8)) as entered';

export const openBuilders = (pool: Pool): Builders => {
  const held = new Map<string, PoolClient>();
  const entering = new Set<string>();
  const enter = async (name: string): Promise<boolean> => {
    const client = await pool.connect();
    const entered = await client
      .query<{ entered: boolean }>(tryLock, [name])
      .then(({ rows }) => rows[0]?.entered ?? false)
      .catch((error: unknown) => {
        client.release(true);
        throw error;
      });
    if (entered) held.set(name, client);
    else client.release();
    return entered;
  };
  return {
    enter: async ({ name }) => {
      if (held.has(name) || entering.has(name)) return false;
      entering.add(name);
      return enter(name).finally(() => entering.delete(name));
    },
    leave: ({ name }) => {
      // The connection's end frees the lock, whatever state either is in.
      held.get(name)?.release(true);
      held.delete(name);
    },
    close: () => {
      for (const client of held.values()) client.release(true);
      held.clear();
    },
  };
};
