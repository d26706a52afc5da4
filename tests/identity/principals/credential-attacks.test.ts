/** Ways to become another principal by a credential: each test is named after the attack. */
import assert from 'node:assert/strict';
import type { Identity } from '../../../infra/server/http/routing/route';
import { admin, jsonOf, startCommandApi } from '../command-api';

const minute = 60_000;

describe('credentials of another principal', () => {
  let api: Awaited<ReturnType<typeof startCommandApi>>;
  before(async () => {
    api = await startCommandApi();
  });
  after(() => api.close());

  const scopes = ['credentials:write'];
  const register = async (principalType: string): Promise<string> =>
    String((await jsonOf(api.post('/v1/principals', { principalType }))).principalId);
  const issue = (principalId: string, identity: Identity, requestedScopes = scopes): Promise<Response> =>
    api.post(`/v1/principals/${principalId}/credentials`, { scopes: requestedScopes }, { identity });
  const refuses = async (answer: Promise<Response>, status: number, code: string): Promise<Response> => {
    const response = await answer;
    assert.deepEqual([response.status, (await jsonOf(response)).code], [status, code]);
    return response;
  };
  const pipeline = (principalId: string): Identity => ({ ...admin, principalId, principalType: 'PIPELINE', scopes });

  it('a pipeline, or an administrator, makes one of a person', async () => {
    const person = await register('HUMAN');
    await refuses(issue(person, pipeline('ci')), 403, 'credential-of-another');
    await refuses(issue(person, { ...admin, authenticatedAt: Date.now() }), 403, 'credential-of-another');
  });

  it('a pipeline makes one of another that may do more', async () => {
    const stronger = await register('PIPELINE');
    assert.equal((await issue(stronger, admin, ['principals:write'])).status, 201);
    await refuses(issue(stronger, pipeline('ci')), 403, 'scope-not-held');
    assert.equal((await issue(stronger, pipeline(stronger))).status, 201, 'its own it may have');
  });

  it('a stolen token of a person creates a credential that outlives it', async () => {
    const person = await register('HUMAN');
    const theirs: Identity = { ...admin, principalId: person, scopes };
    for (const authenticatedAt of [undefined, Date.now() - 6 * minute]) {
      const stolen = authenticatedAt === undefined ? theirs : { ...theirs, authenticatedAt };
      const answer = await refuses(issue(person, stolen), 401, 'insufficient-user-authentication');
      const challenge = answer.headers.get('www-authenticate') ?? '';
      assert.match(challenge, /^Bearer error="insufficient_user_authentication".* max_age="300"$/);
    }
    assert.equal((await issue(person, { ...theirs, authenticatedAt: Date.now() - 4 * minute })).status, 201);
  });

  it('the same, from another tenant', async () => {
    const [person, machine] = [await register('HUMAN'), await register('PIPELINE')];
    for (const principalId of [person, machine])
      await refuses(issue(principalId, { ...admin, tenantId: 'other' }), 404, 'principal-unknown');
    const namesake: Identity = { ...admin, tenantId: 'other', principalId: person, authenticatedAt: Date.now() };
    await refuses(issue(person, namesake), 404, 'principal-unknown');
  });
});
