import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { isLeft, isRight } from 'fp-ts/Either';
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { openIssuanceLog } from '../../../../commands/identity/oauth/token/issuance-log';
import type { IssuanceRequest } from '../../../../commands/identity/oauth/token/issuance-request';
import { issueTokens } from '../../../../commands/identity/oauth/token/issue-tokens';
import type { ClientId, GrantId, SessionId } from '../../../../domain/identity/ids';
import { plusSeconds } from '../../../../domain/kernel/instant';
import { openMemoryEventStore } from '../../../../infra/eventstore/memory-event-store';
import { memoryKms } from '../../../../infra/kms/memory-keystore';
import { noon, principalId, scope, tenantId } from '../../examples';

const kms = memoryKms(randomBytes(32));
const deps = {
  issuer: 'https://septet.example',
  kms,
  clock: { now: () => noon },
  random: { uuid: randomUUID, token: (bytes: number) => randomBytes(bytes).toString('base64url') },
  issuances: openIssuanceLog(openMemoryEventStore()),
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
    const keys = await kms.publicKeys();
    assert.ok(isRight(keys));
    const verified = await jwtVerify(idToken, await importJWK({ ...keys.right[0] }), {
      issuer: deps.issuer,
      audience: 'acme~app',
      currentDate: new Date(noon),
    });
    assert.equal(verified.payload.nonce, 'n-1');
  });

  it('have no id_token without openid or without a signed-in person', async () => {
    assert.equal((await issued({ scopes: [scope('principals:read')] })).idToken, undefined);
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
