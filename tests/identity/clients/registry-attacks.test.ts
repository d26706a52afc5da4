import assert from 'node:assert/strict';
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
    const said = { scopes: ['principals:read'], grantTypes: ['client_credentials'], servicePrincipalId: 'admin' };
    const identity = { ...caller, scopes: ['clients:write', 'principals:read'] };
    assert.equal(await codeOf(api.post('/v1/clients', { ...web, ...said }, { identity })), 'forbidden');
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
