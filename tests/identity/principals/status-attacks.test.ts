/** Ways to shut administrators out by their status: each test is named after the attack. */
import assert from 'node:assert/strict';
import { adminScopes } from '../../../domain/identity/scopes';
import type { Identity } from '../../../infra/server/http/routing/route';
import { admin, bootstrapCode, jsonOf, startCommandApi } from '../command-api';

const verbs = ['compromise', 'suspend', 'reactivate'] as const;

describe('shutting administrators out', () => {
  let api: Awaited<ReturnType<typeof startCommandApi>>;
  const whole: Identity = { ...admin, principalId: 'other-admin', scopes: adminScopes };
  before(async () => {
    api = await startCommandApi();
    assert.equal((await api.post('/v1/bootstrap', { code: bootstrapCode })).status, 201);
  });
  after(() => api.close());

  const change = async (verb: string, principalId: string, identity: Identity) => {
    const answer = await api.post(`/v1/principals/${principalId}/${verb}`, { reason: 'Mine now.' }, { identity });
    return [answer.status, (await jsonOf(answer)).code];
  };

  it('a caller with principals:write marks an administrator as compromised, suspends or reactivates one', async () => {
    const pipeline: Identity = { ...admin, principalId: 'ci', principalType: 'PIPELINE', scopes: ['principals:write'] };
    for (const verb of verbs) assert.deepEqual(await change(verb, 'admin', pipeline), [403, 'scope-not-held']);
  });

  it('the last administrator marks themselves as compromised, or suspends themselves', async () => {
    for (const verb of verbs)
      assert.deepEqual(await change(verb, 'admin', { ...whole, principalId: 'admin' }), [409, 'own-authority']);
  });

  it('an administrator of another tenant does', async () => {
    for (const verb of verbs)
      assert.deepEqual(await change(verb, 'admin', { ...whole, tenantId: 'other' }), [404, 'principal-unknown']);
  });

  it('another administrator may, and goes on', async () => {
    assert.deepEqual(await change('suspend', 'admin', whole), [200, undefined]);
    assert.deepEqual(await change('compromise', 'admin', whole), [200, undefined]);
  });
});
