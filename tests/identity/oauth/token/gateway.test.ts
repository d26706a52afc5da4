import assert from 'node:assert/strict';
import { isRight, right } from 'fp-ts/Either';
import {
  createHeaderCache,
  createVerifiedTokenCache,
  verifyToken,
} from '../../../../packages/resource-server/src/access-token/verify-token';
import { accessTokenHash } from '../../../../packages/resource-server/src/dpop/verify-proof';
import { createJwksCache } from '../../../../packages/resource-server/src/jose/jwks-cache';
import { capturedLog } from '../../../support/http/http-service';
import { jsonOf, startCommandApi } from '../../command-api';

describe('a token issued here, at the gateway', () => {
  it('is read with the published keys, claim by claim', async () => {
    const api = await startCommandApi();
    const { clientId, clientSecret } = await jsonOf(api.post('/v1/bootstrap', { code: 'a-code-that-was-printed' }));
    const token = String((await jsonOf(api.takeToken(clientId, clientSecret))).access_token);
    const fetch = async () => right(await jsonOf(api.call('/oauth/jwks', { identity: 'anonymous' })));
    const keys = createJwksCache({ fetch, log: capturedLog(), now: () => performance.now() });
    const checks = { keys, verifiedTokens: createVerifiedTokenCache(), headers: createHeaderCache() };
    const verified = await verifyToken(checks, { token, hash: accessTokenHash(token) });
    assert.ok(isRight(verified));
    const { tenant_id: tenant, sub, principal_type: type, aud, security_epoch: epoch } = verified.right.claims;
    assert.deepEqual([tenant, sub, type, aud, epoch], ['acme', 'admin', 'HUMAN', ['septet'], 1]);
    await api.close();
  });
});
