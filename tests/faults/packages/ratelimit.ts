/** `@septet/ratelimit` where it is installed, with a Redis and a policy. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { nodeTypesOptions, typeErrors } from '../../support/runner/type-errors';
import { valkeyForTests } from '../../support/servers/shared-servers';
import type { Installation } from './install';

const policy = `{ version: '1', defaults: [{
  name: 'per-tenant', by: ['tenant'], onStoreError: 'deny',
  limit: { algorithm: 'token-bucket', limit: 1, periodMilliseconds: 86_400_000, burst: 2 },
}] }`;
const openedBy = (
  create: string,
): string => `const store = openRedisStore({ url: process.env.REDIS, startMilliseconds: 20_000, answerMilliseconds: 5_000 });
const limiter = ${create}({ store, policy: ${policy} });
const contextOf = ({ headers }) => ({ dimensions: { tenant: headers['x-tenant'] } });`;
const files = {
  'plain.mjs': `import { createServer } from 'node:http';
import { createLimiterAsync, openRedisStore, rateLimitMiddleware } from '@septet/ratelimit';
${openedBy('await createLimiterAsync')}
const guard = rateLimitMiddleware({ limiter, contextOf });
const server = createServer((request, response) => guard(request, response, () => response.end('served')));
server.listen(0, '127.0.0.1', () => process.stdout.write(server.address().port + '\\n'));\n`,
  'express.cjs': `const express = require('express');
const { createLimiter, openRedisStore, rateLimitMiddleware } = require('@septet/ratelimit');
${openedBy('createLimiter')}
const app = express();
app.get('/', rateLimitMiddleware({ limiter, contextOf }), (request, response) => response.send('served'));
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(server.address().port + '\\n'));\n`,
  'good.mts': `import { type CallerOutcome, createLimiter, type Decision, openRedisStore, parsePolicy, denialResponse } from '@septet/ratelimit';
const store = openRedisStore({ url: 'redis://127.0.0.1' });
const parsed = parsePolicy(JSON.parse('{}'));
if (!parsed.ok) throw new Error(parsed.errors[0]?.pointer);
const limiter = createLimiter({ store, policy: parsed.policy, processes: () => 4 });
export const decision: Decision = await limiter.check({ dimensions: { tenant: 'a' }, weight: { bytes: 1 } });
export const outcome: CallerOutcome = await limiter.block({ dimensions: { tenant: 'a' } }, 60);
export const status: 403 | 413 | 429 | 503 = denialResponse(decision).status;\n`,
  'bad.mts': `import { createLimiter } from '@septet/ratelimit';
createLimiter({ policy: { version: '1', defaults: [] } });\n`,
};

export const describeLimiter = (installed: () => Installation): Mocha.Suite =>
  describe('the limiter', () => {
    let directory: string;
    const children: ChildProcess[] = [];
    const start = async (file: string): Promise<string> => {
      const env = { ...process.env, REDIS: (await valkeyForTests()).url };
      const child = spawn(process.execPath, [file], { cwd: directory, env, stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      const [port] = (await once(child.stdout, 'data')) as [Buffer];
      return `http://127.0.0.1:${String(port).trim()}`;
    };

    before(() => {
      directory = installed().directoryFor('ratelimit', files);
    });
    after(() => {
      for (const child of children) child.kill();
    });

    it('limits requests to servers of both kinds together', async () => {
      const [plain, express] = await Promise.all([start('plain.mjs'), start('express.cjs')]);
      const headers = { 'x-tenant': randomUUID() };
      const fetchQuota = async (url: string) => {
        const { status, headers: answered } = await fetch(url, { headers });
        return [status, answered.get('x-ratelimit-remaining')];
      };
      assert.deepEqual(await fetchQuota(plain), [200, '1']);
      assert.deepEqual(await fetchQuota(express), [200, '0']);
      const refused = await fetch(plain, { headers });
      assert.equal(refused.status, 429);
      const seconds = Number(refused.headers.get('retry-after'));
      assert.ok(seconds > 86_000 && seconds <= 86_400);
      assert.deepEqual(await refused.json(), {
        error: 'rate_limited',
        message: `Too many requests. Try again in ${seconds} seconds.`,
        retryAfterSeconds: seconds,
      });
      assert.equal((await fetchQuota(express))[0], 429);
    });

    it('has types, which require a store', () => {
      const [first = '', ...more] = typeErrors(
        directory,
        ['good.mts', 'bad.mts'],
        ['--skipLibCheck', '--target', 'es2022', ...nodeTypesOptions()],
      );
      assert.match(first, /^bad\.mts\(2,\d+\): error TS2741: Property 'store' is missing/);
      assert.deepEqual(more, []);
    });
  });
