/** The limiter as others get it: packed, installed into an empty directory, with a Redis and a policy and nothing else of ours. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { valkeyForTests } from '../support/servers';
import { typeErrors } from '../support/type-errors';

const policy = `{ version: '1', defaults: [{
  name: 'per-tenant', by: ['tenant'], onStoreError: 'deny',
  limit: { algorithm: 'token-bucket', limit: 1, periodMilliseconds: 86_400_000, burst: 2 },
}] }`;
const openedBy = (
  create: string,
) => `const store = openRedisStore({ url: process.env.REDIS, startMilliseconds: 20_000, answerMilliseconds: 5_000 });
const limiter = ${create}({ store, policy: ${policy} });
const about = ({ headers }) => ({ dimensions: { tenant: headers['x-tenant'] } });`;
const files = {
  'package.json': '{ "private": true }',
  'plain.mjs': `import { createServer } from 'node:http';
import { createLimiterAsync, limited, openRedisStore } from '@septet/ratelimit';
${openedBy('await createLimiterAsync')}
const guard = limited({ limiter, about });
const server = createServer((request, response) => guard(request, response, () => response.end('served')));
server.listen(0, '127.0.0.1', () => process.stdout.write(server.address().port + '\\n'));\n`,
  'express.cjs': `const express = require('express');
const { createLimiter, limited, openRedisStore } = require('@septet/ratelimit');
${openedBy('createLimiter')}
const app = express();
app.get('/', limited({ limiter, about }), (request, response) => response.send('served'));
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(server.address().port + '\\n'));\n`,
  'good.mts': `import { type CallerOutcome, createLimiter, type Decision, openRedisStore, parsePolicy, refusal } from '@septet/ratelimit';
const store = openRedisStore({ url: 'redis://127.0.0.1' });
const parsed = parsePolicy(JSON.parse('{}'));
if (!parsed.ok) throw new Error(parsed.errors[0]?.pointer);
const limiter = createLimiter({ store, policy: parsed.policy, processes: () => 4 });
export const decision: Decision = await limiter.check({ dimensions: { tenant: 'a' }, weight: { bytes: 1 } });
export const outcome: CallerOutcome = await limiter.block({ dimensions: { tenant: 'a' } }, 60);
export const status: 403 | 413 | 429 | 503 = refusal(decision).status;\n`,
  'bad.mts': `import { createLimiter } from '@septet/ratelimit';
createLimiter({ policy: { version: '1', defaults: [] } });\n`,
};

describe('the limiter’s package', function () {
  this.timeout(180_000);
  const home = mkdtempSync(join(tmpdir(), 'septet-ratelimit-'));
  const installed = join(home, 'installed');
  const children: ChildProcess[] = [];
  const start = async (file: string): Promise<string> => {
    const env = { ...process.env, REDIS: (await valkeyForTests()).url };
    const child = spawn(process.execPath, [file], { cwd: installed, env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    return `http://127.0.0.1:${String(port).trim()}`;
  };

  before(() => {
    execFileSync(process.execPath, ['-r', 'tsx/cjs', 'infra/ratelimit/build/main.ts', join(home, 'built')]);
    execFileSync('npm', ['pack', join(home, 'built'), '--pack-destination', home], { stdio: 'pipe' });
    mkdirSync(join(installed, 'node_modules', '@septet', 'ratelimit'), { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(installed, name), content);
    const packed = readdirSync(home).find((name) => name.endsWith('.tgz')) ?? '';
    // Unpacked as an installation would; what it needs is ours already, and no registry is asked.
    const into = join(installed, 'node_modules', '@septet', 'ratelimit');
    execFileSync('tar', ['-xzf', join(home, packed), '-C', into, '--strip-components', '1']);
    const { dependencies } = JSON.parse(readFileSync(join(into, 'package.json'), 'utf8')) as { dependencies: object };
    for (const name of [...Object.keys(dependencies), 'express'])
      symlinkSync(join(process.cwd(), 'node_modules', name), join(installed, 'node_modules', name));
  });
  after(() => {
    for (const child of children) child.kill();
    rmSync(home, { recursive: true, force: true });
  });

  it('limits requests to servers of both kinds together', async () => {
    const [plain, express] = await Promise.all([start('plain.mjs'), start('express.cjs')]);
    const headers = { 'x-tenant': randomUUID() };
    const ask = async (url: string) => {
      const { status, headers: answered } = await fetch(url, { headers });
      return [status, answered.get('x-ratelimit-remaining')];
    };
    assert.deepEqual(await ask(plain), [200, '1']);
    assert.deepEqual(await ask(express), [200, '0']);
    const refused = await fetch(plain, { headers });
    assert.equal(refused.status, 429);
    const seconds = Number(refused.headers.get('retry-after'));
    assert.ok(seconds > 86_000 && seconds <= 86_400);
    assert.deepEqual(await refused.json(), {
      error: 'rate_limited',
      message: `Too many requests. Try again in ${seconds} seconds.`,
      retryAfterSeconds: seconds,
    });
    assert.equal((await ask(express))[0], 429);
  });

  it('has types, which ask for a store', () => {
    const [first = '', ...more] = typeErrors(installed, 'es2022');
    assert.match(first, /^bad\.mts\(2,\d+\): error TS2741: Property 'store' is missing/);
    assert.deepEqual(more, []);
  });
});
