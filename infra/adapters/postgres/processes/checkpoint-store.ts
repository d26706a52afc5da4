/** Checkpoints of processes. They never move back, and a holder of an older lease cannot write. */
import { isLeft, right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type { ProcessCheckpoints } from '../../../ports/processes/checkpoints';
import { attempted, rowsOf } from '../pool';
import { schema } from '../sql';

const table = `${schema}.process_checkpoints`;

const load = { name: 'load-process', text: `select position from ${table} where process = $1` };
const save = {
  name: 'save-process',
  text: `insert into ${table} as existing (process, position, token) values ($1, $2, $3)
    on conflict (process) do update set position = excluded.position, token = excluded.token, saved = now()
    where existing.token <= excluded.token
      and coalesce(existing.position <= excluded.position, existing.position is null)
    returning process`,
};

export const createPostgresCheckpoints = (pool: Pool): ProcessCheckpoints => {
  const attempt = <A>(work: () => Promise<A>) => attempted('checkpoints-unavailable', work);
  return {
    load: async (process) => {
      const rows = await attempt(() => rowsOf<{ position: string | null }>(pool, load, [process]));
      if (isLeft(rows)) return rows;
      const [row] = rows.right;
      if (row === undefined) return right(undefined);
      return right(row.position === null ? null : BigInt(row.position));
    },
    save: async (process, position, token) => {
      const rows = await attempt(() => rowsOf(pool, save, [process, position, token]));
      return isLeft(rows) ? rows : right(rows.right.length === 1);
    },
  };
};
