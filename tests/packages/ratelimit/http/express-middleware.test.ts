import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import express from 'express';
import { grantOf, rateLimitMiddleware } from '../../../../packages/ratelimit/src/http/express-middleware';
import { policy, rule, stage, tokens } from '../decision/fixture';
import { useServers } from './served';

const few = (limit: number) => rule('few', { limit: { algorithm: 'fixed-window', limit, periodMilliseconds: 60_000 } });

describe('the limiter before a handler', () => {
  const { serve, plain, close } = useServers();
  afterEach(close);
  const headers = { 'x-tenant': 'acme' };

  it('lets pass what may, tells of limits on every answer, and refuses with status, headers and body', async () => {
    const { url } = await plain(policy([few(2)]));
    for (const remaining of ['1', '0']) {
      const answer = await fetch(url, { headers });
      assert.equal(await answer.text(), 'served');
      assert.equal(answer.headers.get('x-ratelimit-remaining'), remaining);
      assert.equal(answer.headers.get('ratelimit-policy'), '"requests";q=2;w=60');
      assert.equal(answer.headers.has('retry-after'), false);
    }
    const refused = await fetch(url, { headers });
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get('content-type') ?? '', /^application\/json/);
    const seconds = Number(refused.headers.get('retry-after'));
    const message = `Too many requests. Try again in ${seconds} seconds.`;
    assert.deepEqual(await refused.json(), { error: 'rate_limited', message, retryAfterSeconds: seconds });
    assert.equal((await fetch(url, { headers, method: 'HEAD' })).status, 429);
    assert.equal((await fetch(url, { headers: { 'x-tenant': 'other' } })).status, 200);
  });

  it('derives address, method, target and length from the request', async () => {
    const { url, limiter } = await plain(
      policy(
        [
          rule('upload', {
            by: ['ip', 'route', 'method'],
            limit: { algorithm: 'fixed-window', limit: 9, periodMilliseconds: 60_000 },
            cost: { unit: 'bytes', per: 4 },
          }),
        ],
        { routeGroups: [{ name: 'files', paths: ['/files/*'] }] },
      ),
    );
    await fetch(`${url}/files/1?x=y`, { method: 'POST', body: 'nine byte' });
    const dimensions = { ip: '127.0.0.1', route: 'files', method: 'post' };
    const { limits } = await limiter.peek({ dimensions, weight: { bytes: 1 } });
    assert.equal(limits[0]?.remaining, 6);
  });

  it('settles by what the handler says, once', async () => {
    const { url, limiter } = await plain(
      policy([tokens('tpm', 1_000, { cost: { unit: 'tokens', outputWhenUnknown: { default: 600 } } })]),
      async (request) => {
        const { settle, decision } = grantOf(request);
        assert.equal(decision.limits[0]?.remaining, 1_000);
        assert.equal(await settle({ inputTokens: 100, outputTokens: 20 }), 'settled');
      },
    );
    await (await fetch(url, { headers })).text();
    const { limits } = await limiter.peek({
      dimensions: { tenant: 'acme' },
      weight: { inputTokens: 1, outputTokens: 0 },
    });
    assert.equal(limits[0]?.remaining, 880);
  });

  it('lets those wait whose turn is later', async () => {
    const limit = {
      algorithm: 'leaky-bucket',
      limit: 50,
      periodMilliseconds: 1_000,
      longestWaitMilliseconds: 60,
    } as const;
    const order: string[] = [];
    const { url } = await plain(policy([rule('queue', { limit })]), ({ url: path = '' }) => void order.push(path));
    const paths = ['/1', '/2', '/3', '/4', '/5'];
    const statuses = [];
    for (const path of paths.slice(0, 1)) statuses.push((await fetch(url + path, { headers })).status);
    const rest = await Promise.all(paths.slice(1).map(async (path) => (await fetch(url + path, { headers })).status));
    assert.deepEqual([...statuses, ...rest].sort(), [200, 200, 200, 200, 429]);
    assert.equal(order.length, 4);
  });

  it('stands before a router of express, which says whose address to believe', async () => {
    const { limiter } = stage(
      policy([rule('r', { by: ['ip'], limit: { algorithm: 'fixed-window', limit: 1, periodMilliseconds: 60_000 } })]),
    );
    const app = express();
    app.set('trust proxy', 'loopback');
    app.use('/v1', rateLimitMiddleware({ limiter }));
    app.get('/v1/things', (_, response) => void response.send('things'));
    const url = `${await serve(app as RequestListener)}/v1/things`;
    const from = (address: string) => fetch(url, { headers: { 'x-forwarded-for': address } });
    assert.deepEqual(
      [(await from('192.0.2.1')).status, (await from('192.0.2.1')).status, (await from('192.0.2.2')).status],
      [200, 429, 200],
    );
  });

  it('hands on what goes wrong, and says of a request that did not pass it that it did not', async () => {
    const { limiter } = stage(policy([rule('r')]));
    const guard = rateLimitMiddleware({ limiter, contextOf: () => ({ weight: { bytes: -1 } }) });
    const failures: unknown[] = [];
    const url = await serve((request, response) => {
      assert.throws(() => grantOf(request), TypeError);
      guard(request, response, (error) => {
        failures.push(error);
        response.end();
      });
    });
    await fetch(url);
    assert.ok(failures[0] instanceof TypeError);
  });
});
