import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { memoryReplayCache } from '../../../../packages/resource-server/src/dpop/replay-cache';
import { accessTokenHash } from '../../../../packages/resource-server/src/dpop/verify-proof';
import { proofClaimsAt, proofKey, proofWith, thumbprintOf } from '../../../packages/resource-server/proofs';
import { assertRefused, startGatewayWithServices, type TestedGateway } from '../../../support/gateway/gateway-services';
import { sendRawRequest } from '../../../support/http/http-service';

const extAuthz = { prefix: '/ext-authz', peers: ['127.0.0.0/8'], audiences: ['orders', 'bills'] };

describe('requests that another proxy asks about', () => {
  let gateway: TestedGateway;
  before(async () => {
    gateway = await startGatewayWithServices({ extAuthz, checks: { proofs: { replay: memoryReplayCache() } } });
  });
  after(() => gateway.close());

  const token = (changes: object = {}) => gateway.token({ aud: ['orders'], ...changes });
  const check = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${gateway.url}/ext-authz${path}`, { method, headers });
  const bearer = (changes: object = {}) => ({ authorization: `Bearer ${token(changes)}` });

  it('may go on, with who sends them in headers that overwrite all that a client made up', async () => {
    const answer = await check('/anything/at/all?x=1', {
      ...bearer({ client_id: 'acme.p-1' }),
      'x-septet-principal': 'admin',
    });
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), '');
    const identityHeaders = [
      'principal',
      'principal-type',
      'tenant',
      'scopes',
      'token',
      'client',
      'session',
      'on-behalf-of',
      'task',
    ];
    assert.deepEqual(
      identityHeaders.map((name) => answer.headers.get(`x-septet-${name}`)),
      ['p-1', 'HUMAN', 'acme', 'things:read things:write', 'jti-1', 'acme.p-1', '', '', ''],
    );
  });
  it('are of any method', async () => {
    for (const method of ['PATCH', 'DELETE', 'PROPFIND'])
      assert.equal((await check('/x', bearer(), method)).status, 200);
  });
  it('are checked, also where they look like questions of a browser', async () => {
    const preflight = { origin: 'https://page.test', 'access-control-request-method': 'PUT' };
    await assertRefused(await check('/x', preflight, 'OPTIONS'), 401, 'unauthenticated');
  });
  it('are refused as the gateway refuses its own', async () => {
    await assertRefused(await check('/x'), 401, 'unauthenticated');
    const expired = await assertRefused(await check('/x', bearer({ exp: 1 })), 401, 'unauthenticated');
    assert.match(expired.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
    await assertRefused(await check('/x', bearer({ aud: ['septet'] })), 401, 'unauthenticated');
  });
  it('need the audience and the scopes that the proxy says', async () => {
    const bills = { 'x-septet-required-audience': 'bills' };
    await assertRefused(await check('/x', { ...bearer(), ...bills }), 401, 'unauthenticated');
    assert.equal((await check('/x', { ...bearer({ aud: ['bills'] }), ...bills })).status, 200);
    await assertRefused(await check('/x', { ...bearer(), 'x-septet-required-audience': 'septet' }), 403, 'forbidden');
    await assertRefused(
      await check('/x', { ...bearer(), 'x-septet-required-scopes': 'things:read things:never' }),
      403,
      'forbidden',
    );
  });
  it('are refused when an audience was added to the proxy’s own', async () => {
    const head = `GET /ext-authz/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token()}\r\n`;
    const twice = 'X-Septet-Required-Audience: bills\r\nX-Septet-Required-Audience: orders\r\n\r\n';
    assert.match(await sendRawRequest(gateway.port, head + twice), /^HTTP\/1.1 403 /);
  });
  it('have proofs for the address that the client asked for', async () => {
    const holder = proofKey();
    const bound = token({ cnf: { jkt: thumbprintOf(holder) } });
    const host = new URL(gateway.url).host;
    const checkWithProof = (htu: string, more: Record<string, string> = {}) => {
      const dpop = proofWith(holder, proofClaimsAt(Date.now(), { htm: 'GET', htu, ath: accessTokenHash(bound) }));
      return check('/orders?x=1', { authorization: `DPoP ${bound}`, dpop, ...more });
    };
    assert.equal((await checkWithProof(`https://${host}/orders`)).status, 200);
    assert.equal((await checkWithProof(`http://${host}/orders`, { 'x-forwarded-proto': 'http' })).status, 200);
    assert.equal((await checkWithProof(`https://${host}/ext-authz/orders`)).status, 401);
  });
  it('have the certificate that Envoy saw', async () => {
    const hash = createHash('sha256').update(randomBytes(64)).digest();
    const bound = bearer({ cnf: { 'x5t#S256': hash.toString('base64url') } });
    const seen = `By=spiffe://x;Hash=${hash.toString('hex')};Subject="CN=x"`;
    assert.equal((await check('/x', { ...bound, 'x-forwarded-client-cert': seen })).status, 200);
    await assertRefused(
      await check('/x', { ...bound, 'x-forwarded-client-cert': `${seen},${seen}` }),
      401,
      'unauthenticated',
    );
    const named = `${seen};Subject="CN=x,O=\\"y\\";Hash=${'0'.repeat(64)},C=z"`;
    assert.equal((await check('/x', { ...bound, 'x-forwarded-client-cert': named })).status, 200);
    const own = `Hash=${'0'.repeat(64)}`;
    for (const more of [`;URI=x;${seen.slice(seen.indexOf('Hash'))}`, `;Subject="CN=${seen}`, `;Subject="x;${seen}"`])
      await assertRefused(
        await check('/x', { ...bound, 'x-forwarded-client-cert': own + more }),
        401,
        'unauthenticated',
      );
    await assertRefused(await check('/x', bound), 401, 'unauthenticated');
  });
  it('keep names in one header', async () => {
    const answer = await check('/x', bearer({ sub: 'p\r\nX-Septet-Tenant: evil', scopes: ['a b', 'ü%'] }));
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('x-septet-principal'), 'p%0D%0AX-Septet-Tenant:%20evil');
    assert.equal(answer.headers.get('x-septet-scopes'), 'a%20b %C3%BC%25');
    assert.equal(answer.headers.get('x-septet-tenant'), 'acme');
  });
});

describe('requests that do much harm in wrong hands', () => {
  it('wait for fresh word of revocations, where the proxy says so', async () => {
    const revocations = { refusal: () => undefined, stalenessMilliseconds: () => 5_001 };
    const gateway = await startGatewayWithServices({ extAuthz, checks: { revocations } });
    const headers = { authorization: `Bearer ${gateway.token({ aud: ['orders'] })}` };
    assert.equal((await fetch(`${gateway.url}/ext-authz/x`, { headers })).status, 200);
    const sensitive = { ...headers, 'x-septet-sensitive': 'true' };
    await assertRefused(
      await fetch(`${gateway.url}/ext-authz/x`, { headers: sensitive }),
      503,
      'revocation-state-stale',
    );
    await gateway.close();
  });
});

describe('requests that a stranger asks about', () => {
  it('find nothing there', async () => {
    const gateway = await startGatewayWithServices({ extAuthz: { ...extAuthz, peers: ['10.0.0.0/8'] } });
    const headers = { authorization: `Bearer ${gateway.token({ aud: ['orders'] })}` };
    await assertRefused(await fetch(`${gateway.url}/ext-authz/x`, { headers }), 404, 'not-found');
    await gateway.close();
  });
});
