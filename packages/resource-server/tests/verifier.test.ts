import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createVerifier, protectHandler, type Verifier } from '../src/index';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'key-1', alg: 'ES256', use: 'sig' };
const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** As the issuer signs them (RFC 9068). */
const tokenWith = (changes: object): string => {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: 'https://issuer.test',
    sub: 'p-1',
    aud: ['orders'],
    iat: now,
    exp: now + 600,
    jti: 'jti-1',
    tenant_id: 'acme',
    principal_type: 'HUMAN',
    scopes: ['orders:read'],
    security_epoch: 1,
  };
  const input = `${encoded({ alg: 'ES256', typ: 'at+jwt', kid: 'key-1' })}.${encoded({ ...claims, ...changes })}`;
  const signature = sign('sha256', Buffer.from(input), { key: pair.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
};

/** Keys, and a stream that says that the session `ended` is over. */
const issuer = (async (url: string) => {
  if (url.endsWith('/oauth/jwks')) return Response.json({ keys: [jwk] });
  const change = { tenantId: 'acme', minimum: 0, at: Date.now(), until: Date.now() + 600_000, sequence: '7' };
  const events = [{ ...change, kind: 'session', subject: 'ended' }, { sequence: '7' }];
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const event of events) controller.enqueue(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}) as typeof fetch;

describe('a guarded resource', () => {
  let verifier: Verifier;
  let server: Server;
  const statusOf = async (token: string | undefined): Promise<readonly [number, string | null]> => {
    const { port } = server.address() as AddressInfo;
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`http://127.0.0.1:${port}/orders`, { headers });
    await response.arrayBuffer();
    return [response.status, response.headers.get('www-authenticate')];
  };
  before(async () => {
    verifier = createVerifier({
      issuer: 'https://issuer.test',
      audience: 'orders',
      origin: 'https://orders.test',
      revocations: { token: () => 'feed-token' },
      fetch: issuer,
    });
    await verifier.ready();
    server = createServer(
      protectHandler(
        verifier,
        { scopes: ['orders:read'] },
        (_request, response, { claims }) => void response.end(claims.sub),
      ),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    verifier.close();
    server.closeAllConnections();
    server.close();
  });

  it('lets in who may, and tells others what they lack', async () => {
    assert.deepEqual(await statusOf(tokenWith({})), [200, null]);
    for (const [token, status, challenge] of [
      [undefined, 401, /Bearer/],
      [tokenWith({ aud: ['payments'] }), 401, /invalid_token/],
      [tokenWith({ scopes: [] }), 403, /insufficient_scope/],
    ] as const) {
      const [got, said] = await statusOf(token);
      assert.equal(got, status);
      assert.match(said ?? '', challenge);
    }
  });

  it('lets in nobody whose session is over', async () => {
    const [status] = await statusOf(tokenWith({ sid: 'ended' }));
    assert.equal(status, 401);
  });
});
