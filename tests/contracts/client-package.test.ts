/** The client as others get it: packed, installed into an empty directory, imported, required and compiled against. */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { typescript } from '../support/compiled';

const execute = promisify(execFile);

const use = `
const client = connect({ baseUrl: process.env.SEPTET, token: 'token' });
client.registerPrincipal({ body: { principalType: 'HUMAN' } }).then(
  ({ body }) => console.log(body.principalId),
  (error) => console.log(isProblem(error, 'forbidden') ? error.code : error),
);
`;
const files = {
  'package.json': '{ "private": true }',
  'use.mjs': `import { connect, isProblem } from '@septet/client';\n${use}`,
  'use.cjs': `const { connect, isProblem } = require('@septet/client');\n${use}`,
  'good.mts': `import { connect, type Answered, type Principal } from '@septet/client';
export const found: Promise<Answered<Principal>> = connect().getPrincipal({ principalId: 'p' });\n`,
  'good.cts': `import client = require('@septet/client');
export const page = client.connect({ credentials: 'same-origin' }).listPrincipals.items();\n`,
  'bad.mts': `import { connect } from '@septet/client';
connect().registerPrincipal({ body: { principalType: 'ROBOT' } });\n`,
};

describe('the client’s package', function () {
  this.timeout(180_000);
  const home = mkdtempSync(join(tmpdir(), 'septet-package-'));
  const installed = join(home, 'installed');
  let server: Server;

  const compile = (): readonly string[] => {
    const compiler = join(process.cwd(), 'node_modules', 'typescript-native', 'bin', 'tsc');
    const options = ['--noEmit', '--strict', '--module', 'node20', '--target', 'es2022', '--lib', 'es2022,dom'];
    const samples = Object.keys(files).filter((name) => name.endsWith('ts'));
    const { stdout } = spawnSync(process.execPath, [compiler, ...options, ...samples], { cwd: installed });
    return stdout
      .toString()
      .split('\n')
      .filter((line) => line.includes('error'));
  };
  /** Not waited for in this thread, which has to answer meanwhile. */
  const run = async (file: string): Promise<string> => {
    const { port } = server.address() as AddressInfo;
    const env = { ...process.env, SEPTET: `http://127.0.0.1:${port}` };
    return (await execute(process.execPath, [file], { cwd: installed, env })).stdout.trim();
  };

  before(async () => {
    const built = join(home, 'built');
    execFileSync(process.execPath, [...typescript(), 'infra/client/build/main.ts', built]);
    execFileSync('npm', ['pack', built, '--pack-destination', home], { stdio: 'pipe' });
    mkdirSync(installed);
    for (const [name, content] of Object.entries(files)) writeFileSync(join(installed, name), content);
    const packed = readdirSync(home).find((name) => name.endsWith('.tgz')) ?? '';
    const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', ['install', ...quiet, join(home, packed)], { cwd: installed, stdio: 'pipe' });
    server = createServer((_request, response) => {
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"principalId":"p-1"}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.close();
    rmSync(home, { recursive: true, force: true });
  });

  it('needs nothing else', () => {
    assert.deepEqual(
      readdirSync(join(installed, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['@septet'],
    );
    assert.deepEqual(readdirSync(join(installed, 'node_modules', '@septet')), ['client']);
  });

  for (const file of ['use.mjs', 'use.cjs']) it(`is used by ${file}`, async () => assert.equal(await run(file), 'p-1'));

  it('has types for both, which refuse what the routes do', () => {
    const [first = '', ...more] = compile();
    assert.match(first, /^bad\.mts\(2,\d+\): error TS2322: Type '"ROBOT"'/);
    assert.deepEqual(more, []);
  });
});
