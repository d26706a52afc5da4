/** Leases as rows, timed by the database's clock. A released lease's row stays, so that its token keeps increasing. */
import { isLeft, right } from 'fp-ts/Either';
import type { Leases } from '../../../ports/processes/leases';
import { attempted, type PoolSource, rowsOf, useDurablePool } from '../pool';
import { schema } from '../sql';

const table = `${schema}.leases`;
const term = `clock_timestamp() + $2 * interval '1 millisecond'`;

const acquire = {
  name: 'acquire-lease',
  text: `insert into ${table} as existing values ($1, 1, ${term})
    on conflict (name) do update set token = existing.token + 1, until = ${term}
      where existing.until <= clock_timestamp()
    returning token`,
};
const renew = {
  name: 'renew-lease',
  text: `update ${table} set until = ${term} where name = $1 and token = $3 and until > clock_timestamp() returning token`,
};
const release = {
  name: 'release-lease',
  text: `update ${table} set until = '-infinity' where name = $1 and token = $2`,
};

export const openPostgresLeaseStore = (source: PoolSource): Leases => {
  const { pool, end } = useDurablePool(source, { connections: 2 });
  const attempt = <A>(work: () => Promise<A>) => attempted('leases-unavailable', work);
  return {
    acquire: async (name, milliseconds) => {
      const rows = await attempt(() => rowsOf<{ token: string }>(pool, acquire, [name, milliseconds]));
      if (isLeft(rows)) return rows;
      const [row] = rows.right;
      return right(row && { name, token: Number(row.token) });
    },
    renew: async ({ name, token }, milliseconds) => {
      const rows = await attempt(() => rowsOf(pool, renew, [name, milliseconds, token]));
      return isLeft(rows) ? rows : right(rows.right.length === 1);
    },
    release: async ({ name, token }) => {
      const rows = await attempt(() => rowsOf(pool, release, [name, token]));
      return isLeft(rows) ? rows : right(undefined);
    },
    close: end,
  };
};
