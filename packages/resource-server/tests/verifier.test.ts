import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createVerifier,
  protectHandler,
  requireAccess,
  serveResourceMetadata,
  type Verifier,
  type VerifierOptions,
} from '../src/index';

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

/** Keys, and a stream that revokes the session `ended`. */
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

describe('a resource with metadata', () => {
  const audience = 'https://orders.test/mcp';
  const metadataUrl = 'https://orders.test/.well-known/oauth-protected-resource/mcp';
  const path = '/.well-known/oauth-protected-resource/mcp';
  const options: VerifierOptions = {
    issuer: 'https://issuer.test',
    audience,
    origin: 'https://orders.test',
    revocations: 'none',
    metadata: { name: 'Orders', scopes: ['orders:read'], documentation: 'https://orders.test/docs' },
    fetch: issuer,
  };
  const document = {
    resource: audience,
    authorization_servers: ['https://issuer.test'],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'Ed25519'],
    tls_client_certificate_bound_access_tokens: false,
    scopes_supported: ['orders:read'],
    resource_name: 'Orders',
    resource_documentation: 'https://orders.test/docs',
  };
  const verifier = createVerifier(options);
  const servers: Server[] = [];
  const listenWith = async (handler: Parameters<typeof createServer>[1]): Promise<string> => {
    const server = createServer(handler);
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  before(() => verifier.ready());
  after(() => {
    verifier.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const served = {
    'by a handler': () => listenWith(protectHandler(verifier, {}, (_request, response) => void response.end())),
    'by middleware': () =>
      listenWith((request, response) =>
        serveResourceMetadata(verifier)(request, response, () =>
          requireAccess(verifier)(request, response, () => response.end()),
        ),
      ),
  };
  for (const [way, start] of Object.entries(served))
    it(`is described ${way}, which challenges name`, async () => {
      const url = await start();
      const found = await fetch(`${url}${path}?x=1`);
      assert.deepEqual([found.status, await found.json()], [200, document]);
      assert.equal(found.headers.get('access-control-allow-origin'), '*');
      assert.equal((await fetch(`${url}${path}`, { method: 'OPTIONS' })).status, 204);
      assert.equal((await fetch(`${url}${path}`, { method: 'POST' })).status, 405);
      for (const authorization of [[], [['authorization', 'Bearer x.y.z']]] as [string, string][][]) {
        const refused = await fetch(`${url}/mcp`, { headers: authorization });
        assert.equal(refused.status, 401);
        const challenge = refused.headers.get('www-authenticate') ?? '';
        assert.ok(challenge.includes(`Bearer`) && challenge.includes(`resource_metadata="${metadataUrl}"`), challenge);
      }
      const allowed = await fetch(`${url}/mcp`, {
        headers: { authorization: `Bearer ${tokenWith({ aud: [audience] })}` },
      });
      assert.equal(allowed.status, 200);
      assert.equal((await fetch(`${url}/.well-known/oauth-protected-resource`)).status, 401);
    });

  it('has an address, which is its audience', () => {
    for (const wrong of [
      'orders',
      'https://other.test/mcp',
      'http://orders.test/mcp',
      `${audience}?a=b`,
      `${audience}#a`,
    ])
      assert.throws(() => createVerifier({ ...options, audience: wrong }), TypeError, wrong);
  });
});
