import assert from 'node:assert/strict';
import { isRedisAddress, redisAt } from '../../../../infra/server/runtime/redis-address';

describe('the address of Redis', () => {
  it('is one server, with whatever its password has in it', () => {
    for (const url of [
      'redis://a:6379',
      'rediss://user:p%40ss@a:6379/3',
      'redis://:one,two@a',
      'redis://a/1?family=6',
    ]) {
      assert.deepEqual(redisAt(url), { url });
      assert.ok(isRedisAddress(url), url);
    }
  });

  it('is several nodes of a cluster, each as a URL', () => {
    const cluster = ['redis://:p@a:6379', 'redis://:p@b:6380', 'redis://:p@c:6381/0'];
    assert.deepEqual(redisAt(cluster.join()), { cluster });
    assert.ok(isRedisAddress(cluster.join()));
  });

  it('is one or more nodes of a cluster behind one scheme and account', () => {
    assert.deepEqual(redisAt('redis+cluster://a:7000'), { cluster: ['redis://a:7000'] });
    assert.deepEqual(redisAt('rediss+cluster://u:p%2Cq@a:7000,b,c:7002/0'), {
      cluster: ['rediss://u:p%2Cq@a:7000', 'rediss://u:p%2Cq@b', 'rediss://u:p%2Cq@c:7002/0'],
    });
    for (const address of ['redis+cluster://a:7000', 'rediss+cluster://u:p@a,b:7001'])
      assert.ok(isRedisAddress(address));
  });

  it('names no database of a cluster but the first, and nothing else', () => {
    for (const address of [
      'redis://a/1,redis://b/1',
      'redis+cluster://a/2',
      'redis+cluster://',
      'redis+cluster://a,,b',
      'http://a',
      'redis://',
      'redis://a, redis://b',
      '',
    ])
      assert.ok(!isRedisAddress(address), address);
  });
});
