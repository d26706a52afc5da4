/** A Redis that accepts commands and answers none: commands are given up soon, others at once, until it answers again. */
import assert from 'node:assert/strict';
import { openRedis, type RedisConnection } from '../../../infra/adapters/redis/connection';
import { openProxy, type ServerProxy } from '../../support/servers/proxy';
import { valkeyForTests } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';

describe('a Redis that is silent', function () {
  this.timeout(30_000);
  let proxy: ServerProxy;
  let [one, other]: RedisConnection[] = [];
  before(async () => {
    proxy = await openProxy((await valkeyForTests()).url);
    [one, other] = [openRedis(proxy.url), openRedis(proxy.url)];
    assert.deepEqual(await Promise.all([one.ping(), other.ping()]), ['PONG', 'PONG']);
  });
  after(async () => {
    one?.disconnect();
    other?.disconnect();
    await proxy.close();
  });

  it('is given up long before a command’s own time, on all connections, and taken up again', async () => {
    assert.ok(one !== undefined && other !== undefined);
    await one.set('silent-redis', '1');
    proxy.freeze();
    await assert.rejects(one.get('silent-redis'), /^Error: Redis does not answer\.$/);
    // Nothing of this has to wait: the answer is there before any timer.
    for (const redis of [one, other]) await assert.rejects(redis.get('silent-redis'), /Redis does not answer/);
    await assert.rejects(
      other
        .pipeline()
        .get('silent-redis')
        .exec()
        .then((replies) => {
          const [error] = replies?.[0] ?? [];
          if (error instanceof Error) throw error;
        }),
      /Redis does not answer/,
    );
    proxy.thaw();
    for (const redis of [one, other]) await eventually(async () => assert.equal(await redis.get('silent-redis'), '1'));
  });

  it('that is gone and comes back is no other matter', async () => {
    assert.ok(one !== undefined);
    const redis = one;
    proxy.away();
    await assert.rejects(redis.get('silent-redis'));
    proxy.back();
    await eventually(async () => assert.equal(await redis.get('silent-redis'), '1'));
  });
});
