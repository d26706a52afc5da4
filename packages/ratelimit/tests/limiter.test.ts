import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createLimiter,
  denialResponse,
  type LimiterOptions,
  memoryStore,
  parsePolicy,
  rateLimitMiddleware,
} from '../src/index';
import { createRouteGroups, decisionLabels, labelsOf, otherRoutes } from '../src/server';

const rule = {
  name: 'per-tenant',
  by: ['tenant'],
  onStoreError: 'deny',
  limit: { algorithm: 'fixed-window', limit: 2, periodMilliseconds: 86_400_000 },
};
const policy = (changes: object = {}): LimiterOptions['policy'] => {
  const parsed = parsePolicy({ version: '1', defaults: [rule], ...changes });
  if (!parsed.ok) throw new Error(parsed.errors.map(({ pointer }) => pointer).join());
  return parsed.policy;
};

describe('the limiter, as a library', () => {
  it('takes what a request costs until there is no more, tenant by tenant, and says when to come back', async () => {
    const limiter = createLimiter({ store: memoryStore(), policy: policy() });
    const check = (tenant: string) => limiter.check({ dimensions: { tenant } });
    const outcomes = [await check('a'), await check('a'), await check('a'), await check('b')];
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['allow', 'allow', 'deny', 'allow'],
    );
    const [, , denied] = outcomes;
    assert.equal(denied === undefined ? undefined : denialResponse(denied).status, 429);
    assert.deepEqual(denied === undefined ? [] : Object.keys(labelsOf(denied)), decisionLabels);
    await limiter.close();
  });

  it('names what is wrong with a policy', () => {
    const parsed = parsePolicy({ version: '1', defaults: [{ ...rule, limit: { algorithm: 'guess' } }] });
    assert.equal(parsed.ok, false);
  });

  it('stands before a handler', async () => {
    const limiter = createLimiter({ store: memoryStore(), policy: policy() });
    const guard = rateLimitMiddleware({ limiter, contextOf: () => ({ dimensions: { tenant: 'a' } }) });
    const server = createServer((request, response) => void guard(request, response, () => response.end('served')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const statuses = [];
    for (const _ of [1, 2, 3]) statuses.push((await fetch(url)).status);
    assert.deepEqual(statuses, [200, 200, 429]);
    server.closeAllConnections();
    server.close();
    await limiter.close();
  });

  it('finds the group of a route for servers in front', () => {
    const groupOf = createRouteGroups([{ name: 'things', paths: ['/things/*'] }]);
    assert.deepEqual([groupOf('/things/1', 'GET'), groupOf('/else', 'GET')], ['things', otherRoutes]);
  });
});
