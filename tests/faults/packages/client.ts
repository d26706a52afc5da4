/** `@septet/client` where it is installed: imported, required and compiled against. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { typeErrors } from '../../support/runner/type-errors';
import type { Installation } from './install';

const execute = promisify(execFile);

const use = `
const client = connect({ baseUrl: process.env.SEPTET, token: 'token' });
client.registerPrincipal({ body: { principalType: 'HUMAN' } }).then(
  ({ body }) => console.log(body.principalId),
  (error) => console.log(isProblem(error, 'forbidden') ? error.code : error),
);
`;
const files = {
  'use.mjs': `import { connect, isProblem } from '@septet/client';\n${use}`,
  'use.cjs': `const { connect, isProblem } = require('@septet/client');\n${use}`,
  'one.mjs': `import { execute, openSession, registerPrincipal } from '@septet/client/operations';
const session = openSession({ baseUrl: process.env.SEPTET, token: 'token' });
const { body } = await execute(session, registerPrincipal({ body: { principalType: 'HUMAN' } }));
console.log(body.principalId);\n`,
  'one.mts': `import { getPrincipal, openSession, query } from '@septet/client/operations';
export const status: Promise<string> = query(openSession({}), getPrincipal({ principalId: 'p' })).then(
  ({ body }) => body.status,
);\n`,
  'good.mts': `import { connect, type ApiResponse, type Principal } from '@septet/client';
export const found: Promise<ApiResponse<Principal>> = connect().getPrincipal({ principalId: 'p' });\n`,
  'good.cts': `import client = require('@septet/client');
export const page = client.connect({ credentials: 'same-origin' }).listPrincipals.items();\n`,
  'bad.mts': `import { connect } from '@septet/client';
connect().registerPrincipal({ body: { principalType: 'ROBOT' } });\n`,
};

export const describeClient = (installed: () => Installation): Mocha.Suite =>
  describe('the client', () => {
    let directory: string;
    let server: Server;

    /** Not waited for in this thread, which has to answer meanwhile. */
    const run = async (file: string): Promise<string> => {
      const { port } = server.address() as AddressInfo;
      const env = { ...process.env, SEPTET: `http://127.0.0.1:${port}` };
      return (await execute(process.execPath, [file], { cwd: directory, env })).stdout.trim();
    };

    before(async () => {
      directory = installed().directoryFor('client', files);
      server = createServer((_request, response) => {
        response.writeHead(201, { 'content-type': 'application/json' }).end('{"principalId":"p-1"}');
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    after(() => void server.close());

    it('needs a parser of event streams, and nothing else', () =>
      assert.deepEqual(Object.keys(installed().manifestOf('@septet/client').dependencies), ['eventsource-parser']));

    for (const file of ['use.mjs', 'use.cjs', 'one.mjs'])
      it(`is used by ${file}`, async () => assert.equal(await run(file), 'p-1'));

    it('has types for both, which refuse what the routes do', () => {
      const samples = Object.keys(files).filter((name) => name.endsWith('ts'));
      const [first = '', ...more] = typeErrors(directory, samples, [
        '--target',
        'es2022',
        '--lib',
        'es2022,dom',
        '--types',
        '',
      ]);
      assert.match(first, /^bad\.mts\(2,\d+\): error TS2322: Type '"ROBOT"'/);
      assert.deepEqual(more, []);
    });
  });
