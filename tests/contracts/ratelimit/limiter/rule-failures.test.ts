/** What rules make of requests while their store is killed or hangs. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createLimiter } from '../../../../packages/ratelimit/src/decision/limiter';
import type { OnStoreError, Policy, Rule } from '../../../../packages/ratelimit/src/policy/policy';
import { openRedisStore } from '../../../../packages/ratelimit/src/redis/redis-store';
import { type DedicatedValkey, startDedicatedValkey } from '../../../support/servers/dedicated-valkey';
import { untilBreakerOpens, untilStoreRecovers } from '../store/charges';

const perTenant = (name: string, onStoreError: OnStoreError): Rule => ({
  name,
  by: ['tenant'],
  when: { route: [name] },
  limit: { algorithm: 'token-bucket', limit: 1, periodMilliseconds: 86_400_000, burst: 20 },
  onStoreError,
});

const policy: Policy = {
  version: '1',
  routeGroups: ['closed', 'open', 'core'].map((name) => ({ name, paths: [`/${name}`] })),
  defaults: [perTenant('closed', 'deny'), perTenant('open', 'allow'), perTenant('core', { local: 0.5 })],
};

describe('rules, when their store fails', () => {
  let valkey: DedicatedValkey;
  before(async () => {
    valkey = await startDedicatedValkey();
  });
  after(() => valkey.stop());

  const failures: readonly (readonly [
    name: string,
    fail: () => void | Promise<void>,
    repair: () => void | Promise<void>,
  ])[] = [
    ['killed', () => valkey.kill(), () => valkey.restart()],
    ['hanging', () => valkey.pause(), () => valkey.resume()],
  ];
  for (const [name, fail, repair] of failures)
    it(`${name}: each does what its rule sets, and counts again afterwards`, async () => {
      // Long enough that few of these requests become probes of the store.
      const breaker = { openMilliseconds: 500, longestOpenMilliseconds: 1_000 };
      const store = openRedisStore({ url: valkey.url, answerMilliseconds: 300, breaker });
      const limiter = createLimiter({ policy, store, processes: () => 2 });
      const tenant = randomUUID();
      const outcomesOf = async (route: string, count = 30): Promise<Readonly<Record<string, number>>> => {
        const found: { [outcome: string]: number } = {};
        for (let at = 0; at < count; at += 1) {
          const { outcome, source } = await limiter.check({ dimensions: { tenant, route } });
          found[`${outcome} by ${source}`] = (found[`${outcome} by ${source}`] ?? 0) + 1;
        }
        return found;
      };
      try {
        await untilStoreRecovers(store);
        for (const route of ['closed', 'open', 'core'])
          assert.deepEqual(await outcomesOf(route, 12), { 'allow by store': 12 });
        await fail();
        await untilBreakerOpens(store);
        assert.deepEqual(await outcomesOf('closed'), { 'deny by policy': 30 });
        assert.deepEqual(await outcomesOf('open'), { 'allow by policy': 30 });
        // Of the eight that the store had left, this process may pass half of a half.
        assert.deepEqual(await outcomesOf('core'), { 'allow by local': 2, 'deny by local': 28 });
        await repair();
        await untilStoreRecovers(store);
        for (const route of ['closed', 'open', 'core']) {
          const { 'allow by store': left = 0 } = await outcomesOf(route);
          // The store executes afterwards what it received while it hung: that is charged, though no caller waited for it.
          if (name === 'killed') assert.equal(left, 20);
          else assert.ok(left > 0 && left <= 8, `${left} are left`);
        }
      } finally {
        valkey.resume();
        await limiter.close();
        await store.close();
      }
    });
});
