import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { isLeft, isRight } from 'fp-ts/Either';
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { openIssuanceLog } from '../../../../commands/identity/oauth/token/issuance-log';
import type { IssuanceRequest } from '../../../../commands/identity/oauth/token/issuance-request';
import { issueTokens } from '../../../../commands/identity/oauth/token/issue-tokens';
import type { IdTokenAlgorithm } from '../../../../domain/identity/client/events';
import type { ClientId, GrantId, SessionId } from '../../../../domain/identity/ids';
import { plusSeconds } from '../../../../domain/kernel/instant';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import { memoryKms } from '../../../../infra/adapters/kms/memory-keystore';
import { noon, principalId, scope, tenantId } from '../../examples';

const kms = memoryKms(randomBytes(32));
const store = openMemoryEventStore();
const deps = {
  issuer: 'https://septet.example',
  audiences: ['septet'],
  store,
  kms,
  clock: { now: () => noon },
  random: { uuid: randomUUID, token: (bytes: number) => randomBytes(bytes).toString('base64url') },
  issuances: openIssuanceLog(store),
  recordsAddresses: false,
};
const order: IssuanceRequest = {
  tenantId,
  principalId,
  principalType: 'HUMAN',
  securityEpoch: 3,
  clientId: 'acme~app' as ClientId,
  credentialId: null,
  scopes: [scope('openid'), scope('principals:read')],
  audience: ['septet'],
  binding: { kind: 'dpop', jkt: 'k'.repeat(43) },
  grantId: 'grant-1' as GrantId,
  sessionId: 'ab'.repeat(32) as SessionId,
  authentication: {
    at: plusSeconds(noon, -60),
    methods: ['pwd', 'otp', 'mfa'],
    sessionId: 'ab'.repeat(32) as SessionId,
  },
  nonce: 'n-1',
  idToken: { algorithm: 'RS256', claims: {} },
  notAfter: null,
  clientChangedAt: null,
  requestId: 'request-1',
  sourceIp: '192.0.2.7',
};
const second = Date.parse(noon) / 1000;

const issued = async (changes: Partial<IssuanceRequest> = {}) => {
  const answer = await issueTokens(deps, { ...order, ...changes });
  assert.ok(isRight(answer), JSON.stringify(answer));
  return answer.right;
};

describe('tokens of a signed-in person', () => {
  it('say how, in both', async () => {
    const { accessToken, idToken = '' } = await issued();
    const { auth_time: at, amr, acr, gid, sid, cnf, sub } = decodeJwt(accessToken);
    assert.deepEqual([at, amr, acr, gid], [second - 60, ['pwd', 'otp', 'mfa'], '2', 'grant-1']);
    assert.deepEqual([sid, cnf, sub], [order.sessionId, { jkt: 'k'.repeat(43) }, principalId]);
    const half = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
    assert.deepEqual(decodeJwt(idToken), {
      iss: deps.issuer,
      sub: principalId,
      aud: 'acme~app',
      exp: second + 900,
      iat: second,
      at_hash: half,
      tenant_id: 'acme',
      nonce: 'n-1',
      sid: order.sessionId,
      auth_time: second - 60,
      amr: ['pwd', 'otp', 'mfa'],
      acr: '2',
    });
  });

  it('are of different kinds, so that one is never taken for the other', async () => {
    const { accessToken, idToken = '' } = await issued();
    assert.deepEqual(
      [accessToken, idToken].map((token) => decodeProtectedHeader(token).typ),
      ['at+jwt', 'JWT'],
    );
    const key = await kms.activeKey('id-token');
    assert.ok(isRight(key));
    const verified = await jwtVerify(idToken, await importJWK({ ...key.right }), {
      algorithms: ['RS256'],
      issuer: deps.issuer,
      audience: 'acme~app',
      currentDate: new Date(noon),
    });
    assert.equal(verified.payload.nonce, 'n-1');
  });

  it('are signed by RS256 for ID tokens, unless the client chose, and by ES256 for access tokens', async () => {
    const algorithmsOf = async (algorithm: IdTokenAlgorithm | null) => {
      const { accessToken, idToken = '' } = await issued({ idToken: { algorithm, claims: {} } });
      const half = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
      assert.equal(decodeJwt(idToken).at_hash, half);
      return [accessToken, idToken].map((token) => decodeProtectedHeader(token).alg);
    };
    assert.deepEqual(await algorithmsOf('RS256'), ['ES256', 'RS256']);
    assert.deepEqual(await algorithmsOf('ES256'), ['ES256', 'ES256']);
    assert.deepEqual(await algorithmsOf(null), ['ES256', 'ES256'], 'as before there was a choice');
  });

  it('are not issued with another algorithm than the client registered', async () => {
    const answer = await issueTokens(deps, { ...order, idToken: { algorithm: 'EdDSA', claims: {} } });
    assert.ok(isLeft(answer));
    const { error, error_description: why } = answer.left.body as { error: string; error_description: string };
    assert.equal(error, 'temporarily_unavailable');
    assert.match(why, /EdDSA/);
  });

  it('carry claims about the person, which replace none of the others', async () => {
    const claims = { name: 'Ada L.', email: 'ada@acme.example', sub: 'another', aud: 'another' };
    const { idToken = '' } = await issued({ idToken: { algorithm: 'RS256', claims } });
    const { name, email, sub, aud } = decodeJwt(idToken);
    assert.deepEqual([name, email, sub, aud], ['Ada L.', 'ada@acme.example', principalId, 'acme~app']);
  });

  it('have no id_token where none was asked for, or without a signed-in person', async () => {
    assert.equal((await issued({ idToken: null })).idToken, undefined);
    assert.equal((await issued({ authentication: null })).idToken, undefined);
  });

  it('end with what they come from', async () => {
    const notAfter = plusSeconds(noon, 30);
    const { accessToken, idToken = '', expiresInSeconds } = await issued({ notAfter });
    assert.deepEqual(
      [expiresInSeconds, decodeJwt(accessToken).exp, decodeJwt(idToken).exp],
      [30, second + 30, second + 30],
    );
  });

  it('are not issued from what is over', async () => {
    const answer = await issueTokens(deps, { ...order, notAfter: noon });
    assert.ok(isLeft(answer));
    assert.equal((answer.left.body as { error: string }).error, 'invalid_grant');
  });

  it('are of one factor where one was used', async () => {
    const { accessToken } = await issued({ authentication: { at: noon, methods: ['pwd'], sessionId: null } });
    assert.equal(decodeJwt(accessToken).acr, '1');
  });
});
