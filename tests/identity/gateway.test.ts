import assert from 'node:assert/strict';
import { isRight, right } from 'fp-ts/Either';
import { keyring } from '../../infra/gateway/keyring';
import { readToken, verifyToken } from '../../infra/gateway/token';
import { keptLog } from '../support/http-service';
import { jsonOf, startCommandApi } from './command-api';

describe('a token issued here, at the gateway', () => {
  it('is read with the published keys, claim by claim', async () => {
    const api = await startCommandApi();
    const { clientId, clientSecret } = await jsonOf(api.post('/v1/bootstrap', { code: 'a-code-that-was-printed' }));
    const token = String((await jsonOf(api.takeToken(clientId, clientSecret))).access_token);
    const fetch = async () => right(await jsonOf(api.call('/oauth/jwks', { identity: 'anonymous' })));
    const keys = keyring({ fetch, log: keptLog(), now: () => performance.now() });
    await keys.refresh();
    const read = readToken(token);
    assert.ok(isRight(read));
    const key = await keys.find(read.right.kid);
    assert.ok(key);
    const claims = await verifyToken(read.right, key);
    assert.ok(isRight(claims));
    const { tenant_id: tenant, sub, principal_type: type, aud, security_epoch: epoch } = claims.right;
    assert.deepEqual([tenant, sub, type, aud, epoch], ['acme', 'admin', 'HUMAN', ['septet'], 1]);
    await api.close();
  });
});
