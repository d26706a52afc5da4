import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { decodeJwt, importJWK, jwtVerify } from 'jose';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import { client, issuer, secret, startIssuer } from './fixture';

type Issuer = Awaited<ReturnType<typeof startIssuer>>;
type Json = Record<string, unknown>;

const jsonOf = async (response: Response): Promise<Json> => (await response.json()) as Json;
const principalId = 'p-1' as PrincipalId;

describe('POST /oauth/token', () => {
  let service: Issuer;
  beforeEach(async () => {
    service = await startIssuer();
    await service.record('acme.p-1', client('acme.p-1'));
  });
  afterEach(() => service.close());

  it('answers a bearer token that jose verifies with the published keys', async () => {
    const answer = await service.requestToken('acme.p-1');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { access_token: token, ...rest } = await jsonOf(answer);
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 300, scope: 'principals:read principals:write' });
    const keys = (await jsonOf(await service.call('/oauth/jwks', { identity: 'anonymous' }))).keys as Json[];
    const { payload, protectedHeader } = await jwtVerify(String(token), await importJWK(keys[0] as Json, 'ES256'), {
      issuer,
      audience: 'septet',
      typ: 'at+jwt',
      algorithms: ['ES256'],
      currentDate: new Date('2026-01-31T12:01:00Z'),
    });
    assert.deepEqual(protectedHeader, { alg: 'ES256', typ: 'at+jwt', kid: keys[0]?.kid });
    const { iat = 0, exp, jti, ...claims } = payload;
    assert.equal(iat, Date.parse('2026-01-31T12:00:00Z') / 1000);
    assert.equal(exp, iat + 300);
    assert.match(String(jti), /^[0-9a-f-]{36}$/);
    assert.deepEqual(claims, {
      iss: issuer,
      sub: 'p-1',
      aud: ['septet'],
      tenant_id: 'acme',
      principal_type: 'PIPELINE',
      scopes: ['principals:read', 'principals:write'],
      scope: 'principals:read principals:write',
      security_epoch: 1,
      client_id: 'acme.p-1',
    });
  });

  const claimsOf = async (answer: Response) => decodeJwt(String((await jsonOf(answer)).access_token));
  const issuedEvents = async (): Promise<readonly unknown[]> => {
    const events = await service.deps.store.read('identity.issuance-acme.2026013112');
    assert.ok(isRight(events));
    return events.right.map(({ data }) => data);
  };

  it('takes the client from HTTP Basic', async () => {
    const authorization = `Basic ${btoa(`acme.p-1:${secret}`)}`;
    assert.equal((await service.post('grant_type=client_credentials', { authorization })).status, 200);
  });

  for (const [type, minutes] of [
    ['HUMAN', 15],
    ['AI_AGENT', 10],
    ['PIPELINE', 5],
  ] as const)
    it(`gives ${type} ${minutes} minutes`, async () => {
      await service.record('acme.p-2', client('acme.p-2', type));
      const { exp = 0, iat = 0, principal_type: claimed } = await claimsOf(await service.requestToken('acme.p-2'));
      assert.deepEqual([exp - iat, claimed], [minutes * 60, type]);
    });

  it('gives no token that outlives its credential', async () => {
    service.wait(3600 - 60);
    assert.equal((await jsonOf(await service.requestToken('acme.p-1'))).expires_in, 60);
  });

  it('narrows scope and audience to what was asked for', async () => {
    const fields = { scope: 'principals:read', resource: 'https://files.example' };
    const { scopes, aud } = await claimsOf(await service.requestToken('acme.p-1', fields));
    assert.deepEqual([scopes, aud], [['principals:read'], ['https://files.example']]);
  });

  it('carries the epoch of the moment', async () => {
    const move = { principalId, reason: 'Lost.' };
    await service.record('acme.p-1', [
      { type: 'PrincipalSuspended', data: move },
      { type: 'SecurityEpochBumped', data: { ...move, from: 1, to: 2, grants: 'ended' } },
      { type: 'PrincipalReactivated', data: move },
    ]);
    assert.equal((await claimsOf(await service.requestToken('acme.p-1'))).security_epoch, 2);
  });

  it('records what was issued, and neither token nor secret', async () => {
    const answer = await service.requestToken('acme.p-1');
    const { access_token: token } = await jsonOf(answer);
    const [event, ...others] = await issuedEvents();
    assert.deepEqual(others, []);
    assert.deepEqual(event, {
      jti: decodeJwt(String(token)).jti,
      principalId: 'p-1',
      principalType: 'PIPELINE',
      clientId: 'acme.p-1',
      credentialId: 'c-1',
      grantId: null,
      sessionId: null,
      jkt: null,
      x5t: null,
      audience: ['septet'],
      scopes: ['principals:read', 'principals:write'],
      securityEpoch: 1,
      issuedAt: '2026-01-31T12:00:00.000Z',
      expiresAt: '2026-01-31T12:05:00.000Z',
      sourceIp: null,
      delegation: null,
    });
  });

  it('records where from, as the gateway saw it', async () => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'acme.p-1',
      client_secret: secret,
    });
    await service.post(form, { 'x-forwarded-for': '"><script>, 2001:db8::7' });
    await service.post(form, { 'x-forwarded-for': 'not an address' });
    assert.deepEqual(
      (await issuedEvents()).map((data) => (data as Json).sourceIp),
      ['2001:db8::7', null],
    );
  });
});
