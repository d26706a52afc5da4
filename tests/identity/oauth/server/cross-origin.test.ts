/** What the token endpoint and its like answer to browser applications, of which the gateway makes CORS headers. */
import assert from 'node:assert/strict';
import { UnsecuredJWT } from 'jose';
import { readableByHeader } from '../../../../infra/server/http/routing/cross-origin';
import { admin, jsonOf, startCommandApi } from '../../command-api';
import { type Applications, startApplications } from '../client-authentication/fixture';
import { secret } from '../token/fixture';

const origin = 'https://app.example';
const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const redirectUris = [`${origin}/callback`, 'http://localhost:3000/callback', 'com.example.app:/callback'];

describe('answers that applications in browsers read', () => {
  let around: Applications;
  before(async () => {
    around = await startApplications();
    await around.register('acme~app', { redirectUris });
    await around.register('acme~other', { redirectUris: ['https://other.example/callback'] });
    await around.register('acme~off', { redirectUris });
    await around.record('acme~off', [{ type: 'ClientDisabled', data: { applicationId: 'off', reason: 'x' } } as never]);
    await around.addSecret('acme~app');
  });
  after(() => around.close());

  const send = async (
    path: string,
    from: string,
    more: Record<string, string> = {},
    form: Record<string, string> = {},
  ) => {
    const answer = await around.call(path, {
      method: 'POST',
      identity: 'anonymous',
      headers: { origin: from, ...formType, ...more },
      body: String(new URLSearchParams(form)),
    });
    await answer.arrayBuffer();
    assert.equal(answer.headers.get('vary'), 'Origin', path);
    return [answer.status, answer.headers.get(readableByHeader)];
  };
  const clientToken = (id: string) => ({ grant_type: 'client_credentials', client_id: id });
  const basic = { authorization: `Basic ${btoa(`acme~app:${secret}`)}` };

  it('names an origin that is registered for the client, however the client is named', async () => {
    const form = { grant_type: 'client_credentials' };
    assert.deepEqual(await send('/oauth/token', origin, basic, form), [200, origin]);
    assert.deepEqual(await send('/oauth/token', 'http://localhost:3000', basic, form), [200, 'http://localhost:3000']);
  });

  it('lets an application read why it is refused', async () => {
    const form = { client_id: 'acme~app', grant_type: 'x' };
    assert.deepEqual((await send('/oauth/token', origin, {}, form))[1], origin);
  });

  it('names no origin of another client, none that only looks like one, and none of a client that is off or unknown', async () => {
    for (const [from, id] of [
      [origin, 'acme~other'],
      ['https://other.example', 'acme~app'],
      ['https://app.example.evil.example', 'acme~app'],
      ['https://app.example:8443', 'acme~app'],
      ['http://app.example', 'acme~app'],
      ['http://localhost:3001', 'acme~app'],
      ['null', 'acme~app'],
      ['com.example.app://', 'acme~app'],
      [origin, 'acme~off'],
      [origin, 'acme~nobody'],
      [origin, 'acme.p-1'],
      [origin, ''],
    ] as const)
      assert.equal((await send('/oauth/token', from, {}, clientToken(id)))[1], null, `${from} ${id}`);
  });

  it('believes two names of clients as little as none', async () => {
    assert.equal((await send('/oauth/token', origin, basic, clientToken('acme~other')))[1], null);
  });
});

describe('the other endpoints that applications in browsers call', () => {
  let api: Awaited<ReturnType<typeof startCommandApi>>;
  before(async () => {
    api = await startCommandApi();
  });
  after(() => api.close());

  it('say for which origin their answer is, of the client that the request or its token names', async () => {
    const identity = { ...admin, scopes: [...admin.scopes, 'clients:write'] };
    const registration = {
      name: 'App',
      scopes: ['openid'],
      grantTypes: ['authorization_code'],
      authentication: 'none',
    };
    const made = await jsonOf(api.post('/v1/clients', { ...registration, redirectUris }, { identity }));
    const clientId = String(made.clientId);
    // The real client of the token decides the answer; the client that the token names decides which origin may read
    // it.
    const token = new UnsecuredJWT({ client_id: clientId }).encode();
    for (const path of ['/oauth/revoke', '/oauth/par', '/oauth/userinfo'])
      for (const from of [origin, 'https://evil.example']) {
        const isUserinfo = path === '/oauth/userinfo';
        const answer = await api.call(path, {
          method: isUserinfo ? 'GET' : 'POST',
          identity: 'anonymous',
          headers: { origin: from, ...(isUserinfo ? { authorization: `Bearer ${token}` } : formType) },
          ...(isUserinfo ? {} : { body: String(new URLSearchParams({ client_id: clientId })) }),
        });
        const allowed = answer.headers.get(readableByHeader);
        assert.deepEqual([allowed, answer.headers.get('vary')], [from === origin ? origin : null, 'Origin'], path);
      }
  });
});
