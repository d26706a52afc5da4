/** Which personal views were made anew, beside the keys whose end they have to follow. */
import type { ScrubTable } from '../ports/vault';
import { openAsked, openVaultPool, schema } from './postgres-pool';

export const openPostgresScrubs = (url: string): ScrubTable => {
  const pool = openVaultPool(url);
  const asked = openAsked(pool);
  return {
    position: (view) =>
      asked(async () => {
        const text = `select position from ${schema}.scrubs where view = $1`;
        const { rows } = await pool.query<{ position: string }>(text, [view]);
        return rows[0] === undefined ? null : BigInt(rows[0].position);
      }),
    done: (view, position) =>
      asked(async () => {
        const text = `insert into ${schema}.scrubs as s (view, position) values ($1, $2)
          on conflict (view) do update set position = greatest(s.position, excluded.position)`;
        await pool.query(text, [view, String(position)]);
      }),
    close: () => pool.end(),
  };
};
