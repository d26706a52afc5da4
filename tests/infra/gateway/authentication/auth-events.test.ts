/** Each decision of a gateway is recorded once, with what was decided about which token, and why. */
import assert from 'node:assert/strict';
import type { AuthEvent } from '../../../../domain/identity/protocol/auth-event';
import { memoryReplayCache } from '../../../../packages/resource-server/src/dpop/replay-cache';
import { proofClaimsAt, proofKey, proofWith, thumbprintOf } from '../../../packages/resource-server/proofs';
import { startGatewayWithServices, type TestedGateway } from '../../../support/gateway/gateway-services';
import { sendRawRequest } from '../../../support/http/http-service';

describe('decisions of a gateway', () => {
  const events: AuthEvent[] = [];
  let gateway: TestedGateway;
  before(async () => {
    gateway = await startGatewayWithServices({
      recordAuthEvent: (event) => void events.push(event),
      extAuthz: { prefix: '/ext-authz', peers: ['127.0.0.0/8'], audiences: ['orders'] },
      checks: { proofs: { replay: memoryReplayCache() } },
    });
  });
  after(() => gateway.close());
  beforeEach(() => void events.splice(0));

  const bearer = (changes: object = {}) => ({ authorization: `Bearer ${gateway.token(changes)}` });
  const decision = async (path: string, headers: Record<string, string>, method = 'GET'): Promise<AuthEvent> => {
    await (await fetch(`${gateway.url}${path}`, { method, headers })).arrayBuffer();
    assert.equal(events.length, 1);
    return events[0] as AuthEvent;
  };

  it('to allow name the token by its id, whose it is, and where from', async () => {
    const { eventId, timestamp, ...event } = await decision('/v1/things?secret=1', bearer());
    assert.match(eventId, /^[0-9a-f-]{36}$/);
    assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
    assert.deepEqual(event, {
      jti: 'jti-1',
      principalId: 'p-1',
      principalType: 'HUMAN',
      tenantId: 'acme',
      audience: 'septet',
      scopes: ['things:read', 'things:write'],
      sourceIp: '127.0.0.1',
      result: 'ALLOW',
    });
  });
  it('hold neither the token nor the path', async () => {
    const token = gateway.token();
    await decision('/v1/things?secret=1', { authorization: `Bearer ${token}` });
    const text = JSON.stringify(events);
    for (const part of [...token.split('.'), 'secret', '/v1/']) assert.ok(!text.includes(part));
  });
  const now = Math.floor(Date.now() / 1000);
  for (const [reason, changes] of [
    ['token_expired', { exp: now - 60, iat: now - 120 }],
    ['token_not_yet_valid', { nbf: now + 300 }],
    ['wrong_issuer', { iss: 'http://another.test' }],
    ['wrong_audience', { aud: ['another'] }],
    ['insufficient_scope', { scopes: ['others:read'] }],
    ['sender_mismatch', { cnf: { 'x5t#S256': 'A'.repeat(43) } }],
  ] as const)
    it(`to deny say ${reason}`, async () => {
      const event = await decision('/v1/things', bearer(changes));
      assert.deepEqual([event.result, event.reason, event.principalId, event.jti], ['DENY', reason, 'p-1', 'jti-1']);
    });
  it('to deny a revoked token say which way it was revoked', async () => {
    const change = { tenantId: 'acme', minimum: 0, sequence: 1n, at: Date.now(), until: Date.now() + 600_000 };
    gateway.revocations.apply({ ...change, kind: 'jti', subject: 'gone' });
    gateway.revocations.apply({ ...change, kind: 'epoch', subject: 'p-2', minimum: 2 });
    assert.equal((await decision('/v1/things', bearer({ jti: 'gone' }))).reason, 'revoked');
    events.splice(0);
    assert.equal((await decision('/v1/things', bearer({ sub: 'p-2' }))).reason, 'token_revoked');
  });
  it('about a token that is bound to a key have its thumbprint, and no proof', async () => {
    const holder = proofKey();
    const token = gateway.token({ cnf: { jkt: thumbprintOf(holder) } });
    const dpop = proofWith(holder, proofClaimsAt(Date.now(), { htm: 'GET', htu: 'http://septet.test/v1/others' }));
    const event = await decision('/v1/things', { authorization: `DPoP ${token}`, dpop });
    assert.deepEqual([event.reason, event.dpopThumbprint], ['invalid_proof', thumbprintOf(holder)]);
  });
  it('about nobody name no tenant', async () => {
    for (const [reason, headers] of [
      ['missing_token', {}],
      ['invalid_token', { authorization: 'Bearer a.b.c' }],
    ] as const) {
      events.splice(0);
      const event = await decision('/v1/things', headers);
      assert.deepEqual([event.reason, event.tenantId, event.principalId, event.jti], [reason, null, null, null]);
    }
  });
  it('are not made where a service decides, or where nobody does', async () => {
    await fetch(`${gateway.url}/v1/bootstrap`, { method: 'POST', body: '{}' });
    await fetch(`${gateway.url}/healthz`);
    assert.deepEqual(events, []);
  });
  it('for other services have the audience that was checked', async () => {
    const allowed = await decision('/ext-authz/orders/7', bearer({ aud: ['orders'] }));
    assert.deepEqual([allowed.result, allowed.audience], ['ALLOW', 'orders']);
    events.splice(0);
    const denied = await decision('/ext-authz/orders/7', bearer());
    assert.deepEqual([denied.result, denied.reason, denied.audience], ['DENY', 'wrong_audience', 'orders']);
  });
  it('about sockets are made at the handshake', async () => {
    const shake = (authorization: string) =>
      sendRawRequest(
        gateway.port,
        `GET /v1/streams HTTP/1.1\r\nHost: septet.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\nAuthorization: ${authorization}\r\n\r\n`,
      );
    await shake('Bearer a.b.c');
    assert.deepEqual(
      events.map(({ result, reason }) => [result, reason]),
      [['DENY', 'invalid_token']],
    );
  });
});
