/** One rebuild per view at a time; a sweep of unused generations is not taken for another rebuild. */
import assert from 'node:assert/strict';
import type { Pool } from 'pg';
import { openPool, transaction } from '../../../infra/adapters/postgres/pool';
import {
  isRebuildIdle,
  openRebuildLocks,
  type RebuildLocks,
} from '../../../infra/adapters/postgres/views/rebuild-lock';
import { freshDatabase } from '../../support/servers/shared-servers';
import { deferred } from '../../support/waiting/deferred';

describe('locks of rebuilds', () => {
  const view = { name: 'test_places' };
  let pool: Pool;
  let locks: RebuildLocks;
  let others: RebuildLocks;
  before(async () => {
    pool = openPool({ url: await freshDatabase() });
    locks = openRebuildLocks(pool);
    others = openRebuildLocks(pool);
  });
  after(async () => {
    locks.close();
    others.close();
    await pool.end();
  });

  const isIdle = () => transaction(pool, (client) => isRebuildIdle(client, view));

  it('are held by one rebuild at a time, and show that it is under way', async () => {
    assert.equal(await isIdle(), true);
    assert.equal(await locks.tryAcquire(view), true);
    assert.equal(await others.tryAcquire(view), false);
    assert.equal(await isIdle(), false);
    assert.equal(await transaction(pool, (client) => isRebuildIdle(client, { name: 'test_others' })), true);
    await locks.release(view);
    assert.equal(await isIdle(), true);
  });

  it('are given to a rebuild that begins during a sweep, once the sweep is done', async () => {
    const swept = deferred();
    const sweeping = deferred();
    const order: string[] = [];
    const sweep = transaction(pool, async (client) => {
      assert.equal(await isRebuildIdle(client, view), true);
      sweeping.resolve();
      await swept.promise;
      order.push('swept');
    });
    await sweeping.promise;
    const acquired = locks.tryAcquire(view).then((entered) => order.push(`acquired ${entered}`));
    // Postgres lists a lock that is waited for.
    const waiting = `select 1 from pg_locks
      where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
    while ((await pool.query(waiting)).rowCount === 0) assert.deepEqual(order, []);
    swept.resolve();
    await Promise.all([sweep, acquired]);
    assert.deepEqual(order, ['swept', 'acquired true']);
    await locks.release(view);
  });
});
