import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { admin, jsonOf, startCommandApi } from '../command-api';

const caller = { ...admin, scopes: [...admin.scopes, 'clients:write'] };
const web = { name: 'Billing', scopes: ['openid', 'principals:read'], grantTypes: ['authorization_code'] };
const redirectUris = ['https://app.example/callback'];

describe('attacks on the registry of clients', () => {
  let api: Awaited<ReturnType<typeof startCommandApi>>;
  before(async () => {
    api = await startCommandApi();
  });
  after(() => api.close());
  const codeOf = async (answer: Promise<Response>): Promise<unknown> => (await jsonOf(answer)).code;
  const registered = async (): Promise<string> => {
    const body = { ...web, scopes: ['principals:read', 'principals:write'], redirectUris };
    return String((await jsonOf(api.post('/v1/clients', body, { identity: caller }))).applicationId);
  };

  for (const [what, name] of [
    ['a direction override', 'Bank\u202egnp'],
    ['a zero-width space', 'Ban\u200bk'],
    ['an isolate', 'Bank\u2066'],
    ['a line feed', 'Bank\nof Ada'],
    ['a bell', 'Bank\u0007'],
    ['NUL', 'Bank\u0000'],
    ['a blank alone', ' '],
  ] as const)
    it(`a name with ${what}`, async () => {
      const answer = await jsonOf(api.post('/v1/clients', { ...web, name, redirectUris }, { identity: caller }));
      assert.equal(answer.code, 'invalid-input');
      assert.deepEqual(
        (answer.errors as readonly { readonly pointer: string }[]).map(({ pointer }) => pointer),
        ['/body/name'],
      );
    });

  for (const address of ['https://app.example/%00', 'https://app.example/\tcallback', 'https://app.example/ '])
    it(`an address of ${JSON.stringify(address)}`, async () => {
      for (const addresses of [{ redirectUris: [address] }, { redirectUris, postLogoutRedirectUris: [address] }])
        assert.equal((await api.post('/v1/clients', { ...web, ...addresses }, { identity: caller })).status, 400);
    });

  it('a caller without the scope', async () => {
    assert.equal(await codeOf(api.post('/v1/clients', { ...web, redirectUris })), 'forbidden');
  });

  it('a secret for a client that may do more than the caller', async () => {
    const id = await registered();
    const identity = { ...caller, scopes: ['clients:write'] };
    assert.equal(await codeOf(api.post(`/v1/clients/${id}/secrets`, {}, { identity })), 'scope-not-held');
  });

  it('addresses of one’s own for a client that may do more than the caller', async () => {
    const id = await registered();
    const answer = api.call(`/v1/clients/${id}`, {
      method: 'PUT',
      identity: { ...caller, scopes: ['clients:write'] },
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...web, scopes: ['principals:read'], redirectUris: ['https://evil.example/'] }),
    });
    assert.equal(await codeOf(answer), 'scope-not-held');
  });

  it('a client for another principal, by a caller who may not issue credentials', async () => {
    const metadata = { scopes: ['principals:read'], grantTypes: ['client_credentials'], servicePrincipalId: 'admin' };
    const identity = { ...caller, scopes: ['clients:write', 'principals:read'] };
    assert.equal(await codeOf(api.post('/v1/clients', { ...web, ...metadata }, { identity })), 'forbidden');
  });

  describe('a client that acts as a pipeline', () => {
    const all = [...caller.scopes, 'documents:read', 'documents:write'];
    const admin2 = { ...caller, principalId: 'chief', scopes: all };
    /** May register clients and issue credentials, and read documents. */
    const attacker = {
      ...caller,
      principalId: 'mallory',
      principalType: 'PIPELINE',
      scopes: ['clients:write', 'credentials:write', 'documents:read'],
    };
    const service = (servicePrincipalId: string, scopes: readonly string[] = ['documents:read']) => ({
      name: 'Robot',
      grantTypes: ['client_credentials'],
      scopes,
      servicePrincipalId,
    });
    const pipeline = async (): Promise<string> =>
      String((await jsonOf(api.post('/v1/principals', { principalType: 'PIPELINE' }))).principalId);
    const put = (id: string, body: object, identity: typeof caller = attacker) =>
      api.call(`/v1/clients/${id}`, {
        method: 'PUT',
        identity,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const tokenOf = async (identity: typeof caller, principalId: string, scopes?: readonly string[]) => {
      const made = await jsonOf(api.post('/v1/clients', service(principalId, scopes), { identity }));
      const applicationId = String(made.applicationId);
      const secret = await jsonOf(api.post(`/v1/clients/${applicationId}/secrets`, {}, { identity }));
      const answer = await jsonOf(api.takeToken(secret.clientId, secret.clientSecret));
      return { applicationId, scope: answer.scope };
    };

    it('is refused where the pipeline may more by a credential', async () => {
      const victim = await pipeline();
      const credential = { scopes: ['documents:read', 'documents:write'] };
      const issued = await api.post(`/v1/principals/${victim}/credentials`, credential, { identity: admin2 });
      assert.equal(issued.status, 201);
      assert.equal(await codeOf(api.post('/v1/clients', service(victim), { identity: attacker })), 'scope-not-held');
    });

    it('is refused where the pipeline may more by granted scopes', async () => {
      const victim = await pipeline();
      const granted = { scopes: ['documents:write'] };
      assert.ok((await api.post(`/v1/principals/${victim}/scopes/grant`, granted, { identity: admin2 })).ok);
      assert.equal(await codeOf(api.post('/v1/clients', service(victim), { identity: attacker })), 'scope-not-held');
    });

    it('is refused where the pipeline may more by another client, as is a credential', async () => {
      const victim = await pipeline();
      assert.equal((await tokenOf(admin2, victim, ['documents:write'])).scope, 'documents:write');
      assert.equal(await codeOf(api.post('/v1/clients', service(victim), { identity: attacker })), 'scope-not-held');
      const credential = { scopes: ['documents:read'] };
      const issued = api.post(`/v1/principals/${victim}/credentials`, credential, { identity: attacker });
      assert.equal(await codeOf(issued), 'scope-not-held');
      for (const act of ['suspend', 'compromise']) {
        const writer = { ...attacker, scopes: ['principals:write'] };
        const done = api.post(`/v1/principals/${victim}/${act}`, { reason: 'Mine.' }, { identity: writer });
        assert.equal(await codeOf(done), 'scope-not-held', act);
      }
    });

    it('cannot be turned to another pipeline, enabled, or given a secret by a caller who may less', async () => {
      const [victim, other] = [await pipeline(), await pipeline()];
      const { applicationId } = await tokenOf(admin2, other);
      const strong = await tokenOf(admin2, victim, ['documents:read', 'documents:write']);
      assert.equal(await codeOf(put(applicationId, service(victim))), 'scope-not-held');
      assert.equal(await codeOf(put(strong.applicationId, service(other))), 'scope-not-held');
      const weak = await jsonOf(api.post('/v1/clients', service(victim), { identity: admin2 }));
      for (const [path, body] of [
        ['enable', { reason: 'Mine.' }],
        ['secrets', {}],
      ] as const)
        assert.equal(
          await codeOf(api.post(`/v1/clients/${weak.applicationId}/${path}`, body, { identity: attacker })),
          'scope-not-held',
          path,
        );
    });

    it('is refused for people, for suspended pipelines, and for pipelines that are not there', async () => {
      const person = service('nobody');
      assert.equal(await codeOf(api.post('/v1/clients', person, { identity: attacker })), 'client-metadata-invalid');
      const suspended = await pipeline();
      await api.post(`/v1/principals/${suspended}/suspend`, { reason: 'Lost.' });
      assert.equal(
        await codeOf(api.post('/v1/clients', service(suspended), { identity: attacker })),
        'principal-suspended',
      );
    });

    it('is refused between two credentials of the pipeline, also when its last one was revoked', async () => {
      const victim = await pipeline();
      const path = `/v1/principals/${victim}/credentials`;
      const credential = { scopes: ['documents:read', 'documents:write'] };
      const { credentialId } = await jsonOf(api.post(path, credential, { identity: admin2 }));
      const revoked = await api.post(`${path}/${credentialId}/revoke`, { reason: 'Rotated.' }, { identity: admin2 });
      assert.equal(revoked.status, 200);
      assert.equal(await codeOf(api.post('/v1/clients', service(victim), { identity: attacker })), 'scope-not-held');
    });

    it('is refused by a key of before, once the pipeline may more or is suspended', async () => {
      const victim = await pipeline();
      const register = (key: string, headers: object = {}) =>
        api.post('/v1/clients', service(victim), { identity: attacker, key, ...headers });
      assert.equal((await register('early', { ifMatch: 'W/"99"' })).status, 412);
      const granted = { scopes: ['documents:write'] };
      assert.ok((await api.post(`/v1/principals/${victim}/scopes/grant`, granted, { identity: admin2 })).ok);
      assert.equal(await codeOf(register('early')), 'scope-not-held');
    });

    it('gets no secret and is not enabled for a suspended pipeline, and stays without tokens after that', async () => {
      const principalId = await pipeline();
      const made = await jsonOf(api.post('/v1/clients', service(principalId), { identity: admin2 }));
      const path = `/v1/clients/${made.applicationId}`;
      const secret = await jsonOf(api.post(`${path}/secrets`, {}, { identity: admin2 }));
      await api.post(`/v1/principals/${principalId}/suspend`, { reason: 'Lost.' }, { identity: admin2 });
      for (const act of ['secrets', 'enable'])
        assert.equal(
          await codeOf(api.post(`${path}/${act}`, act === 'enable' ? { reason: 'x' } : {}, { identity: admin2 })),
          'principal-suspended',
        );
      await api.post(`/v1/principals/${principalId}/reactivate`, { reason: 'Found.' }, { identity: admin2 });
      const take = () => jsonOf(api.takeToken(secret.clientId, secret.clientSecret));
      assert.equal((await take()).error, 'unauthorized_client');
      assert.equal((await put(String(made.applicationId), service(principalId), admin2)).status, 200);
      assert.equal((await take()).scope, 'documents:read');
    });

    it('of which there is none records nothing at the pipeline', async () => {
      const principalId = await pipeline();
      assert.equal(await codeOf(put('nobody', service(principalId), admin2)), 'client-unknown');
      const events = await api.store.read(`identity.principal-acme.${principalId}`);
      assert.ok(isRight(events));
      assert.deepEqual(
        events.right.map(({ type }) => type),
        ['identity.PrincipalRegistered.v1'],
      );
    });

    it('loses a scope that is withdrawn from its pipeline', async () => {
      const principalId = await pipeline();
      const scopes = ['documents:read', 'documents:write'];
      const made = await jsonOf(api.post('/v1/clients', service(principalId, scopes), { identity: admin2 }));
      const secret = await jsonOf(api.post(`/v1/clients/${made.applicationId}/secrets`, {}, { identity: admin2 }));
      const withdrawn = { scopes: ['documents:write'], reason: 'Too much.' };
      const done = await api.post(`/v1/principals/${principalId}/scopes/withdraw`, withdrawn, { identity: admin2 });
      assert.equal(done.status, 200);
      const take = () => jsonOf(api.takeToken(secret.clientId, secret.clientSecret));
      assert.equal((await take()).error, 'unauthorized_client');
      const less = await put(String(made.applicationId), service(principalId), admin2);
      assert.equal(less.status, 200);
      assert.equal((await take()).scope, 'documents:read');
    });
  });

  it('addresses of one’s own for a first-party client', async () => {
    const operator = { ...caller, scopes: [...caller.scopes, 'platform:write'] };
    const made = await jsonOf(
      api.post('/v1/clients', { ...web, firstParty: true, redirectUris }, { identity: operator }),
    );
    const answer = api.call(`/v1/clients/${made.applicationId}`, {
      method: 'PUT',
      identity: caller,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...web, redirectUris: ['https://evil.example/'], authentication: 'none' }),
    });
    assert.equal(await codeOf(answer), 'first-party-not-held');
  });

  it('the client of another tenant', async () => {
    const id = await registered();
    const identity = { ...caller, tenantId: 'other' };
    for (const [path, body] of [
      ['secrets', {}],
      ['disable', { reason: 'Mine.' }],
    ] as const)
      assert.equal(await codeOf(api.post(`/v1/clients/${id}/${path}`, body, { identity })), 'client-unknown');
  });
});
