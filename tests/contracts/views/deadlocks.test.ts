/** Two transactions that wait for each other: Postgres ends one of them, and it goes again. */
import assert from 'node:assert/strict';
import type { Pool } from 'pg';
import { openPool, retryDeadlocks, transaction } from '../../../infra/adapters/postgres/pool';
import { freshDatabase } from '../../support/servers/shared-servers';
import { deferred } from '../../support/waiting/deferred';

describe('transactions that wait for each other', () => {
  let pool: Pool;
  before(async () => {
    pool = openPool({ url: await freshDatabase() });
    await pool.query('create table turns (id text primary key, count integer not null)');
    await pool.query("insert into turns values ('a', 0), ('b', 0)");
  });
  after(() => pool.end());

  /** Each locks one row, waits until the other has locked its own, and wants that. */
  const crossing = (run: typeof transaction) => {
    const locked = [deferred(), deferred()] as const;
    const add = (id: string) => `update turns set count = count + 1 where id = '${id}'`;
    const one = (own: string, others: string, index: 0 | 1) =>
      run(pool, async (client) => {
        await client.query(add(own));
        locked[index].resolve();
        await locked[index === 0 ? 1 : 0].promise;
        await client.query(add(others));
      });
    return Promise.allSettled([one('a', 'b', 0), one('b', 'a', 1)]);
  };
  const counts = async (): Promise<readonly number[]> =>
    (await pool.query<{ count: number }>('select count from turns order by id')).rows.map(({ count }) => count);

  it('end with one of them where nothing else is asked for', async () => {
    const ended = await crossing(transaction);
    assert.deepEqual(ended.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.deepEqual(await counts(), [1, 1]);
  });

  it('both complete if they can be retried, each once', async () => {
    const ended = await crossing(retryDeadlocks);
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['fulfilled', 'fulfilled'],
    );
    assert.deepEqual(await counts(), [3, 3]);
  });
});
