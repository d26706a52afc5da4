import assert from 'node:assert/strict';
import { processDiscoveryResponse } from 'oauth4webapi';
import type { TenantId } from '../../../../domain/kernel/ids';
import { jsonOf, startCommandApi } from '../../command-api';
import { issuer } from '../token/fixture';

type Api = Awaited<ReturnType<typeof startCommandApi>>;
const places = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

describe('what the server says of itself', () => {
  let api: Api;
  let metadata: Record<string, unknown>;
  const get = (path: string) => api.call(path, { identity: 'anonymous' });
  before(async () => {
    api = await startCommandApi(undefined, undefined, { mode: 'token', tenantId: 'acme' as TenantId });
    metadata = await jsonOf(get(places[0] as string));
  });
  after(() => api.close());

  it('is the same at both places', async () => {
    for (const place of places) assert.deepEqual(await jsonOf(get(place)), metadata);
  });

  it('names the issuer, whole', () => assert.equal(metadata.issuer, issuer));

  it('names endpoints that answer, all of them under the issuer', async () => {
    const endpoints = Object.entries(metadata).filter(([name]) => /_endpoint$|_uri$/.test(name));
    assert.ok(endpoints.length >= 5, String(endpoints.length));
    for (const [name, address] of endpoints) {
      const path = String(address).slice(issuer.length);
      assert.equal(address, `${issuer}${path}`);
      const statuses = await Promise.all(
        ['GET', 'POST'].map(async (method) => (await api.call(path, { method, identity: 'anonymous' })).status),
      );
      assert.ok(!statuses.includes(404), `${name} answers ${statuses}`);
      assert.ok(
        statuses.some((status) => status !== 405),
        `${name} answers ${statuses}`,
      );
    }
  });

  const requestToken = (form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
    api.call('/oauth/token', {
      method: 'POST',
      identity: 'anonymous',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: String(new URLSearchParams(form)),
    });
  const errorOf = async (answer: Promise<Response>): Promise<unknown> => (await jsonOf(answer)).error;

  it('names the grant types that the token endpoint knows, and no other', async () => {
    const known = [...(metadata.grant_types_supported as string[])];
    for (const grantType of [...known, 'password', 'implicit', 'urn:ietf:params:oauth:grant-type:jwt-bearer']) {
      const error = await errorOf(requestToken({ grant_type: grantType }));
      assert.equal(error === 'unsupported_grant_type', !known.includes(grantType), `${grantType}: ${error}`);
    }
  });

  it('names the ways to authenticate that clients can be registered with', async () => {
    const methods = metadata.token_endpoint_auth_methods_supported as string[];
    const { components } = (await jsonOf(get('/openapi.json'))) as { components: object };
    for (const method of methods) assert.ok(JSON.stringify(components).includes(`"${method}"`), method);
  });

  it('begins each list with what most clients should take, because some take the first', () => {
    const secrets = ['client_secret_basic', 'client_secret_post'];
    for (const endpoint of ['token', 'revocation', 'introspection'])
      assert.deepEqual((metadata[`${endpoint}_endpoint_auth_methods_supported`] as string[]).slice(0, 2), secrets);
    for (const endpoint of ['token', 'revocation'])
      assert.equal((metadata[`${endpoint}_endpoint_auth_methods_supported`] as string[]).at(-1), 'none');
    const firsts = ['scopes', 'grant_types', 'response_types', 'response_modes', 'prompt_values'].map(
      (list) => (metadata[`${list}_supported`] as string[])[0],
    );
    assert.deepEqual(firsts, ['openid', 'authorization_code', 'code', 'query', 'login']);
  });

  it('names no way to ask about tokens that is refused there', () => {
    const all = metadata.token_endpoint_auth_methods_supported as string[];
    const asking = metadata.introspection_endpoint_auth_methods_supported;
    assert.deepEqual([all.includes('none'), asking], [true, all.filter((method) => method !== 'none')]);
  });

  it('names every prompt that a request may have', () =>
    assert.deepEqual(metadata.prompt_values_supported, ['login', 'consent', 'select_account', 'none']));

  it('names what userinfo tells of a person', () => {
    for (const claim of ['sub', 'name', 'preferred_username', 'email', 'email_verified'])
      assert.ok((metadata.claims_supported as string[]).includes(claim), claim);
  });

  it('names the algorithms of the keys that are published', async () => {
    const { keys } = (await jsonOf(get('/oauth/jwks'))) as { keys: { alg: string }[] };
    const signing = metadata.id_token_signing_alg_values_supported as string[];
    assert.deepEqual([...signing].sort(), keys.map(({ alg }) => alg).sort());
  });

  it('names RS256 first, which every client knows', () =>
    assert.deepEqual(metadata.id_token_signing_alg_values_supported, ['RS256', 'ES256']));

  it('says that requests may name claims', () => {
    assert.equal(metadata.claims_parameter_supported, true);
  });

  it('is valid for a third-party client', async () => {
    for (const place of places) {
      const server = await processDiscoveryResponse(new URL(issuer), await get(place));
      assert.equal(server.token_endpoint, `${issuer}/oauth/token`);
    }
  });
});
