/** `@septet/resource-server` where it is installed, before a plain server and express. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accessTokenHash } from '../../../packages/resource-server/src/dpop/verify-proof';
import { proofClaimsAt, proofKey, proofWith, thumbprintOf } from '../../packages/resource-server/proofs';
import { claimsAt, signingKey, tokenWith } from '../../support/gateway/tokens';
import { nodeTypesOptions, typeErrors } from '../../support/runner/type-errors';
import type { Installation } from './install';

const options = `{
  issuer: process.env.ISSUER, audience: 'orders', origin: 'https://orders.test',
  revocations: { token: () => 'feed-token' },
}`;
const printPort = (port: string): string => `process.stdout.write(String(${port}.address().port) + '\\n')`;
const files = {
  'plain.mjs': `import { createServer } from 'node:http';
import { createVerifier, protectHandler } from '@septet/resource-server';
const verifier = createVerifier(${options});
const server = createServer(protectHandler(verifier, { scopes: ['things:read'] }, (request, response, { claims }) => response.end(claims.sub)));
verifier.ready().then(() => server.listen(0, '127.0.0.1', () => ${printPort('server')}));\n`,
  'express.cjs': `const express = require('express');
const { accessOf, createVerifier, requireAccess } = require('@septet/resource-server');
const verifier = createVerifier(${options});
const [app, router] = [express(), express.Router()];
router.get('/orders', requireAccess(verifier, { scopes: ['things:read'] }), (request, response) => response.send(accessOf(request).claims.sub));
app.use('/v1', router);
verifier.ready().then(() => { const server = app.listen(0, '127.0.0.1', () => ${printPort('server')}); });\n`,
  'good.mts': `import { createVerifier, type VerifiedAccess, isLeft } from '@septet/resource-server';
import type { IncomingMessage } from 'node:http';
const verifier = createVerifier({ issuer: 'https://a', audience: 'b', origin: 'https://c', revocations: 'none' });
export const access = async (request: IncomingMessage): Promise<VerifiedAccess | undefined> => {
  const found = await verifier.authorize(request, ['x']);
  return isLeft(found) ? undefined : found.right;
};\n`,
  'bad.mts': `import { createVerifier } from '@septet/resource-server';
createVerifier({ issuer: 'https://a', audience: 'b', origin: 'https://c' });\n`,
};

const key = signingKey('key-1');
const holder = proofKey();

export const describeResourceServer = (installed: () => Installation): Mocha.Suite =>
  describe('the resource server', () => {
    let directory: string;
    const children: ChildProcess[] = [];
    /** Stamped when it is sent: this file may have been loaded long before. */
    const change = () => ({ tenantId: 'acme', minimum: 0, at: Date.now(), until: Date.now() + 600_000 });
    let issuer: Server;
    let issuerUrl = '';
    let publish: (data: object) => void = () => assert.fail('the verifier does not follow');

    const token = (changes: object = {}): string =>
      tokenWith(key, claimsAt(Date.now(), { iss: issuerUrl, aud: ['orders'], ...changes }));
    const start = async (file: string): Promise<string> => {
      const env = { ...process.env, ISSUER: issuerUrl };
      const child = spawn(process.execPath, [file], { cwd: directory, env, stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      const [port] = (await once(child.stdout, 'data')) as [Buffer];
      return `http://127.0.0.1:${String(port).trim()}`;
    };
    const get = async (url: string, headers: Record<string, string>) => {
      const response = await fetch(url, { headers });
      const text = await response.text();
      return response.status === 200 ? text : `${response.status} ${(JSON.parse(text) as { code: string }).code}`;
    };

    before(async () => {
      directory = installed().directoryFor('resource-server', files);
      issuer = createServer((request, response) => {
        if (request.url === '/oauth/jwks') return void response.end(JSON.stringify({ keys: [key.jwk] }));
        assert.equal(request.url, '/v1/security/state/stream');
        assert.equal(request.headers.authorization, 'Bearer feed-token');
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        publish = (data) => void response.write(`event: security_state_changed\ndata: ${JSON.stringify(data)}\n\n`);
        publish({ ...change(), kind: 'jti', subject: 'jti-before', sequence: '1' });
        publish({ sequence: '1' });
      });
      issuer.listen(0, '127.0.0.1');
      await once(issuer, 'listening');
      issuerUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
    });
    after(() => {
      for (const child of children) child.kill();
      issuer.closeAllConnections();
      issuer.close();
    });

    for (const [file, path] of [
      ['plain.mjs', '/v1/orders?x=1'],
      ['express.cjs', '/v1/orders?x=1'],
    ] as const)
      it(`guards ${file}`, async () => {
        const url = `${await start(file)}${path}`;
        assert.equal(await get(url, { authorization: `Bearer ${token()}` }), 'p-1');
        assert.equal(await get(url, {}), '401 unauthenticated');
        assert.equal(await get(url, { authorization: `Bearer ${token({ scopes: [] })}` }), '403 forbidden');
        assert.equal(await get(url, { authorization: `Bearer ${token({ jti: 'jti-before' })}` }), '401 revoked');
        const bound = token({ cnf: { jkt: thumbprintOf(holder) } });
        const claims = { htm: 'GET', htu: 'https://orders.test/v1/orders', ath: accessTokenHash(bound) };
        const headers = { authorization: `DPoP ${bound}`, dpop: proofWith(holder, proofClaimsAt(Date.now(), claims)) };
        assert.equal(await get(url, headers), 'p-1');
        assert.equal(await get(url, headers), '401 unauthenticated');
        assert.equal(await get(url, { authorization: `Bearer ${bound}` }), '401 unauthenticated');
        publish({ ...change(), kind: 'epoch', subject: 'p-2', minimum: 2, sequence: '2' });
        const revoked = { authorization: `Bearer ${token({ sub: 'p-2' })}` };
        while ((await get(url, revoked)) === 'p-2');
        assert.equal(await get(url, revoked), '401 token_revoked');
      });

    it('has types, which require a choice about revocations', () => {
      const [first = '', ...more] = typeErrors(
        directory,
        ['good.mts', 'bad.mts'],
        ['--target', 'es2022', ...nodeTypesOptions()],
      );
      assert.match(first, /^bad\.mts\(2,\d+\): error TS2741: Property 'revocations' is missing/);
      assert.deepEqual(more, []);
    });
  });
