import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { decodeJwt } from 'jose';
import { admin, jsonOf, startCommandApi } from '../command-api';

describe('principals over HTTP', () => {
  let api: Awaited<ReturnType<typeof startCommandApi>>;
  before(async () => {
    api = await startCommandApi();
  });
  after(() => api.close());

  const register = async (principalType = 'PIPELINE'): Promise<string> =>
    String((await jsonOf(api.post('/v1/principals', { principalType }))).principalId);
  const credentials = (id: string) => `/v1/principals/${id}/credentials`;
  const typesOf = async (stream: string): Promise<readonly string[]> => {
    const events = await api.store.read(stream);
    assert.ok(isRight(events));
    return events.right.map(({ type }) => type);
  };

  it('registers a principal, and says where and at which revision', async () => {
    const answer = await api.post('/v1/principals', { principalType: 'AI_AGENT' });
    const { principalId, ...rest } = await jsonOf(answer);
    assert.deepEqual([answer.status, rest], [201, {}]);
    assert.equal(answer.headers.get('location'), `/v1/principals/${principalId}`);
    assert.equal(answer.headers.get('etag'), 'W/"0"');
    assert.match(answer.headers.get('position') ?? '', /^\d+$/);
    assert.deepEqual(await typesOf(`identity.principal-acme.${principalId}`), ['identity.PrincipalRegistered.v1']);
  });

  it('registers a pipeline with its label, which can be changed and removed', async () => {
    const body = { principalType: 'PIPELINE', label: 'Nightly build' };
    const [first, again] = [
      await api.post('/v1/principals', body, { key: 'l' }),
      await api.post('/v1/principals', body, { key: 'l' }),
    ];
    const { principalId } = await jsonOf(first);
    assert.deepEqual([again.status, (await jsonOf(again)).principalId], [201, principalId]);
    assert.equal(first.headers.get('position'), again.headers.get('position'));
    const label = (value: string | null) => api.post(`/v1/principals/${principalId}/label`, { label: value });
    for (const value of ['Weekly build', 'Weekly build', null]) assert.equal((await label(value)).status, 200);
    assert.equal((await typesOf(`identity.principal-acme.${principalId}`)).length, 1, 'tokens need no key of it');
    const labelled = await typesOf(`identity.authenticators-acme.${principalId}`);
    assert.deepEqual(labelled, Array(3).fill('identity.PrincipalLabelled.v1'));
  });

  it('labels no person, and nobody that is unknown', async () => {
    const refused = await api.post('/v1/principals', { principalType: 'HUMAN', label: 'Ada' });
    assert.deepEqual([refused.status, (await jsonOf(refused)).code], [400, 'invalid-input']);
    const person = await api.post(`/v1/principals/${await register('HUMAN')}/label`, { label: 'Ada' });
    assert.equal(person.status, 400);
    assert.equal((await api.post('/v1/principals/nobody/label', { label: 'x' })).status, 404);
    const identity = { ...admin, tenantId: 'other' };
    const theirs = await api.post(`/v1/principals/${await register()}/label`, { label: 'x' }, { identity });
    assert.equal(theirs.status, 404);
  });

  it('registers one for any number of tries under one key', async () => {
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => jsonOf(api.post('/v1/principals', { principalType: 'HUMAN' }, { key: 'same' }))),
    );
    assert.equal(new Set(tries.map(({ principalId }) => principalId)).size, 1);
    const other = await api.post('/v1/principals', { principalType: 'PIPELINE' }, { key: 'same' });
    assert.deepEqual([other.status, (await jsonOf(other)).code], [422, 'idempotency-key-reused']);
  });

  it('takes the tenant from the token, never from the body', async () => {
    const body = { principalType: 'HUMAN' };
    const identity = { ...admin, tenantId: 'other' };
    const named = await api.post('/v1/principals', { ...body, tenantId: 'acme', principalId: 'chosen' }, { identity });
    assert.equal(named.status, 400);
    const { errors } = (await named.json()) as { errors: { pointer: string }[] };
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ['/body/tenantId', '/body/principalId'],
    );
    const { principalId } = await jsonOf(api.post('/v1/principals', body, { identity }));
    assert.equal((await typesOf(`identity.principal-other.${principalId}`)).length, 1);
  });

  it('suspends, and with it every token and credential; reactivates, and the epoch stays', async () => {
    const id = await register();
    const { clientId, clientSecret } = await jsonOf(api.post(credentials(id), { scopes: ['principals:read'] }));
    assert.equal((await api.post(`/v1/principals/${id}/suspend`, { reason: 'Lost.' })).status, 200);
    const refused = await api.takeToken(clientId, clientSecret);
    assert.deepEqual([refused.status, (await jsonOf(refused)).error_description], [400, 'principal_not_active']);
    assert.equal((await api.post(`/v1/principals/${id}/reactivate`, { reason: 'Found.' })).status, 200);
    assert.equal((await api.takeToken(clientId, clientSecret)).status, 401);
    const next = await jsonOf(api.post(credentials(id), { scopes: ['principals:read'] }));
    const token = String((await jsonOf(api.takeToken(next.clientId, next.clientSecret))).access_token);
    assert.equal(decodeJwt(token).security_epoch, 2);
  });

  it('shows the same secret to a retry, and records only its hash', async () => {
    const id = await register();
    const issue = () => jsonOf(api.post(credentials(id), { scopes: ['principals:read'] }, { key: 'retried' }));
    const first = await issue();
    assert.deepEqual(await issue(), first);
    assert.equal(first.clientId, `acme.${id}`);
    assert.equal(Buffer.from(String(first.clientSecret), 'base64url').length, 32);
    const events = await api.store.read(`identity.principal-acme.${id}`);
    assert.ok(isRight(events) && events.right.length === 2);
    const written = JSON.stringify(events.right.map(({ data, metadata }) => [data, metadata]));
    assert.ok(!written.includes(String(first.clientSecret)));
    assert.ok(!JSON.stringify(api.log.lines).includes(String(first.clientSecret)));
  });

  it('shows another caller under the same key another secret', async () => {
    const id = await register();
    const identity = { ...admin, principalId: 'someone-else' };
    const body = { scopes: ['principals:read'] };
    const mine = await jsonOf(api.post(credentials(id), body, { key: 'k' }));
    const theirs = await jsonOf(api.post(credentials(id), body, { key: 'k', identity }));
    assert.notEqual(mine.clientSecret, theirs.clientSecret);
  });

  it('issues a credential with its label once, and records the label beside the names', async () => {
    const id = await register();
    const body = { scopes: ['principals:read'], label: 'Laptop of Ada' };
    const issue = (key: string, label: object = {}) => api.post(credentials(id), { ...body, ...label }, { key });
    const [first, again] = [await issue('labelled'), await issue('labelled')];
    assert.deepEqual([first.status, again.status], [201, 201]);
    assert.deepEqual(await jsonOf(again), await jsonOf(first));
    assert.equal(first.headers.get('position'), again.headers.get('position'));
    assert.deepEqual(await typesOf(`identity.authenticators-acme.${id}`), ['identity.CredentialLabelled.v1']);
    assert.equal((await issue('labelled', { label: 'Another' })).status, 422);
    assert.equal((await issue('too long', { label: 'x'.repeat(121) })).status, 400);
    assert.deepEqual(await typesOf(`identity.authenticators-acme.${id}`), ['identity.CredentialLabelled.v1']);
  });

  it('ends a credential when it is revoked', async () => {
    const id = await register();
    const { credentialId, clientId, clientSecret } = await jsonOf(
      api.post(credentials(id), { scopes: ['principals:read'] }),
    );
    assert.equal((await api.takeToken(clientId, clientSecret)).status, 200);
    const revoked = await api.post(`${credentials(id)}/${credentialId}/revoke`, { reason: 'Leaked.' });
    assert.equal(revoked.status, 200);
    assert.equal((await api.takeToken(clientId, clientSecret)).status, 401);
  });

  it('refuses a stale If-Match', async () => {
    const id = await register();
    const suspend = (ifMatch: string) => api.post(`/v1/principals/${id}/suspend`, { reason: 'Lost.' }, { ifMatch });
    assert.equal((await suspend('W/"7"')).status, 412);
    assert.equal((await suspend('W/"0"')).status, 200);
  });

  const refusals: readonly (readonly [string, string, object, number, string])[] = [
    ['an unknown type', '/v1/principals', { principalType: 'ROBOT' }, 400, 'invalid-input'],
    ['no body', '/v1/principals', {}, 400, 'invalid-input'],
    ['an unknown principal', '/v1/principals/nobody/suspend', { reason: 'Lost.' }, 404, 'principal-unknown'],
    ['a reason without words', '/v1/principals/nobody/suspend', { reason: '' }, 400, 'invalid-input'],
    ['an endless reason', '/v1/principals/nobody/suspend', { reason: 'x'.repeat(501) }, 400, 'invalid-input'],
    ['an id that names another stream', '/v1/principals/a.b/suspend', { reason: 'Lost.' }, 400, 'invalid-input'],
    ['a credential for nobody', credentials('nobody'), { scopes: ['principals:read'] }, 404, 'principal-unknown'],
    [
      'a credential that ends at once',
      credentials('nobody'),
      { scopes: ['a:b'], expiresInSeconds: 0 },
      400,
      'invalid-input',
    ],
    ['a scope that is none', credentials('nobody'), { scopes: ['*'] }, 400, 'invalid-input'],
  ];
  for (const [what, path, body, status, problem] of refusals)
    it(`refuses ${what}`, async () => {
      const answer = await api.post(path, body);
      assert.deepEqual([answer.status, (await jsonOf(answer)).code], [status, problem]);
    });

  it('refuses grants beyond the caller’s authority, and callers without the scope', async () => {
    const escalated = await api.post(credentials(await register()), { scopes: ['security:read'] });
    assert.deepEqual([escalated.status, (await jsonOf(escalated)).code], [403, 'scope-not-held']);
    const identity = { ...admin, scopes: ['principals:read'] };
    assert.equal((await api.post('/v1/principals', { principalType: 'HUMAN' }, { identity })).status, 403);
  });

  it("cannot reach another tenant's principal", async () => {
    const identity = { ...admin, tenantId: 'other' };
    const answer = await api.post(`/v1/principals/${await register()}/suspend`, { reason: 'Lost.' }, { identity });
    assert.deepEqual([answer.status, (await jsonOf(answer)).code], [404, 'principal-unknown']);
  });
});
