/** What libraries send by their defaults, at each endpoint that authenticates clients. */
import assert from 'node:assert/strict';
import type { ClientMetadata } from '../../../../domain/identity/client/events';
import { authorizationRequest, codeOf, jsonOf, startWithSignedInPerson } from '../authorization/fixture';
import { addSecret, register } from '../authorization/recorded-facts';

type Form = Record<string, string>;
/** Puts the client into a request: into its form, its header, or both. */
type Presentation = (clientId: string, secret: string) => { readonly form?: Form; readonly authorization?: string };

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const secret = 'Zm9yIHRoZSB0ZXN0cyBvZiB0aGlzIGNvbnRleHQgb25seQ';
const grantTypes: ClientMetadata['grantTypes'] = ['authorization_code', 'refresh_token', deviceGrant];
const scope = 'openid principals:read offline_access';

/** `client_id` and `client_secret` in the form: ASP.NET Core's OpenIdConnect, Duende.IdentityModel.OidcClient, OpenIddict. */
const posted: Presentation = (client_id, client_secret) => ({ form: { client_id, client_secret } });
/** RFC 6749 section 2.3.1: openid-client, Spring Security, authlib. */
const inHeader: Presentation = (clientId, value) => ({
  authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(value)}`)}`,
});
/** `curl -u 'acme~open:'`. */
const emptyPassword: Presentation = (clientId) => ({ authorization: `Basic ${btoa(`${clientId}:`)}` });
/** Duende.IdentityModel, when the client id is set for the form and no secret for the header. */
const emptyPasswordAndName: Presentation = (client_id, value) => ({
  ...emptyPassword(client_id, value),
  form: { client_id },
});
/** passport and others send the parameter without a value. */
const emptyPost: Presentation = (client_id) => ({ form: { client_id, client_secret: '' } });

describe('what libraries send by their defaults', () => {
  let stage: Awaited<ReturnType<typeof startWithSignedInPerson>>;
  before(async () => {
    stage = await startWithSignedInPerson();
    const registered = { firstParty: true, grantTypes };
    await register(stage, 'acme~web', { ...registered, authentication: 'client_secret_basic' });
    await register(stage, 'acme~form', { ...registered, authentication: 'client_secret_post' });
    await register(stage, 'acme~open', registered);
    for (const clientId of ['acme~web', 'acme~form']) await addSecret(stage, clientId, secret);
  });
  after(() => stage.close());

  const callerOf = (clientId: string, present: Presentation) => {
    const { form: own = {}, authorization } = present(clientId, secret);
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    return (path: string, form: Form): Promise<Response> => stage.send(path, { ...form, ...own }, headers);
  };
  const assertStatus = async (answer: Promise<Response>, status: number): Promise<Record<string, unknown>> => {
    const response = await answer;
    const text = await response.text();
    assert.equal(response.status, status, text);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };

  /** Each endpoint in turn, as one application would use them. */
  const visitAll = async (clientId: string, present: Presentation): Promise<void> => {
    const call = callerOf(clientId, present);
    const { client_id: _named, ...pushed } = authorizationRequest({ scope });
    const { request_uri: reference } = await assertStatus(call('/oauth/par', pushed), 201);
    const query = { client_id: clientId, request_uri: String(reference) };
    const code = await codeOf(stage.authorize(query, stage.browser));
    const redeemed = call('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: pushed.redirect_uri ?? '',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    });
    const { refresh_token: first } = await assertStatus(redeemed, 200);
    const refreshed = call('/oauth/token', { grant_type: 'refresh_token', refresh_token: String(first) });
    const { refresh_token: second } = await assertStatus(refreshed, 200);
    await assertStatus(call('/oauth/revoke', { token: String(second) }), 200);
    const { device_code } = await assertStatus(call('/oauth/device_authorization', { scope }), 200);
    const polled = call('/oauth/token', { grant_type: deviceGrant, device_code: String(device_code) });
    assert.equal((await assertStatus(polled, 400)).error, 'authorization_pending');
  };

  for (const clientId of ['acme~web', 'acme~form'])
    for (const [how, present] of [
      ['in the form', posted],
      ['in the header', inHeader],
    ] as const)
      it(`a secret ${how}, of a client registered as ${clientId}`, async () => {
        await visitAll(clientId, present);
        const introspected = callerOf(clientId, present)('/oauth/introspect', { token: 'x' });
        assert.notEqual((await introspected).status, 401);
      });

  for (const [how, present] of [
    ['HTTP Basic with an empty password', emptyPassword],
    ['the same with the name in the form', emptyPasswordAndName],
    ['an empty secret in the form', emptyPost],
  ] as const)
    it(`${how}, of a public client`, async () => {
      await visitAll('acme~open', present);
      const introspected = callerOf('acme~open', present)('/oauth/introspect', { token: 'x' });
      assert.equal((await jsonOf(introspected)).error, 'unauthorized_client', 'it did not authenticate');
    });

  it('HTTP Basic with an empty password, of the command line that is built in', async () => {
    const call = callerOf('acme~cli', emptyPassword);
    await assertStatus(call('/oauth/device_authorization', { scope: 'openid' }), 200);
  });

  for (const [how, present] of [
    ['HTTP Basic with an empty password', emptyPassword],
    ['an empty secret in the form', emptyPost],
  ] as const)
    it(`${how} is refused to a client with a secret, everywhere`, async () => {
      const call = callerOf('acme~web', present);
      for (const path of ['/oauth/par', '/oauth/revoke', '/oauth/introspect', '/oauth/device_authorization'])
        assert.equal((await call(path, { token: 'x' })).status, 401, path);
      const form = { grant_type: 'refresh_token', refresh_token: 'x' };
      assert.equal((await call('/oauth/token', form)).status, 401);
    });
});
