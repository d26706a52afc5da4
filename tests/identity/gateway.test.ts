import assert from 'node:assert/strict';
import { isRight, right } from 'fp-ts/Either';
import { athOf } from '../../packages/resource-server/src/verification/dpop';
import { keptTokens } from '../../packages/resource-server/src/verification/kept-tokens';
import { keyring } from '../../packages/resource-server/src/verification/keyring';
import { verifyToken } from '../../packages/resource-server/src/verification/token';
import { knownHeaders } from '../../packages/resource-server/src/verification/token-header';
import { keptLog } from '../support/http-service';
import { jsonOf, startCommandApi } from './command-api';

describe('a token issued here, at the gateway', () => {
  it('is read with the published keys, claim by claim', async () => {
    const api = await startCommandApi();
    const { clientId, clientSecret } = await jsonOf(api.post('/v1/bootstrap', { code: 'a-code-that-was-printed' }));
    const token = String((await jsonOf(api.takeToken(clientId, clientSecret))).access_token);
    const fetch = async () => right(await jsonOf(api.call('/oauth/jwks', { identity: 'anonymous' })));
    const keys = keyring({ fetch, log: keptLog(), now: () => performance.now() });
    const checks = { keys, kept: keptTokens(), headers: knownHeaders() };
    const verified = await verifyToken(checks, { token, hash: athOf(token) });
    assert.ok(isRight(verified));
    const { tenant_id: tenant, sub, principal_type: type, aud, security_epoch: epoch } = verified.right.claims;
    assert.deepEqual([tenant, sub, type, aud, epoch], ['acme', 'admin', 'HUMAN', ['septet'], 1]);
    await api.close();
  });
});
