/** Confidential clients that need not use PKCE (RFC 9700 section 2.1.1), as passport-openidconnect, requests-oauthlib and authlib send it. */
import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { assertRefused } from '../authorization-code/fixture';
import { verifier } from './examples';
import {
  assertPage,
  authorizationRequest,
  codeOf,
  jsonOf,
  redirectParameters,
  redirectTarget,
  startWithSignedInPerson,
} from './fixture';
import { addSecret, changeRegistration, register, signOut } from './recorded-facts';

const secret = 'Zm9yIHRoZSB0ZXN0cyBvZiB0aGlzIGNvbnRleHQgb25seQ';
const clientId = 'acme~old';
const withoutPkce = { client_id: clientId, code_challenge: undefined, code_challenge_method: undefined };
const nonce = 'n-0S6_WzA2Mj';

describe('requests without PKCE', () => {
  let stage: Awaited<ReturnType<typeof startWithSignedInPerson>>;
  beforeEach(async () => {
    stage = await startWithSignedInPerson();
    const confidential = { firstParty: true, authentication: 'client_secret_basic' as const };
    await register(stage, clientId, { ...confidential, pkce: 'optional' });
    await register(stage, 'acme~strict', confidential);
    for (const id of [clientId, 'acme~strict']) await addSecret(stage, id, secret);
  });
  afterEach(() => stage.close());

  const authorize = (changes: Record<string, string | undefined>): Promise<Response> =>
    stage.authorize(authorizationRequest({ ...withoutPkce, ...changes }), stage.browser);
  const refusalOf = async (changes: Record<string, string | undefined>): Promise<string> => {
    const { error, error_description: detail = '' } = redirectParameters(redirectTarget(await authorize(changes)));
    assert.equal(error, 'invalid_request');
    return detail;
  };
  const proof = { client_secret: secret, client_id: clientId };
  const redeem = (code: string, changes: Record<string, string> = {}): Promise<Response> =>
    stage.redeem(code, { ...proof, code_verifier: '', ...changes });

  it('are answered with the nonce in the ID token', async () => {
    const tokens = await jsonOf(redeem(await codeOf(authorize({ nonce }))));
    assert.equal(decodeJwt(String(tokens.id_token)).nonce, nonce);
  });

  it('need a nonce when they are OpenID requests', async () => {
    assert.match(await refusalOf({}), /nonce is missing/);
    const tokens = await jsonOf(redeem(await codeOf(authorize({ scope: 'principals:read' }))));
    assert.equal(tokens.scope, 'principals:read');
  });

  it('need one when the scope is left out, as the client may have openid', async () =>
    assert.match(await refusalOf({ scope: undefined }), /nonce is missing/));

  it('may be pushed', async () => {
    const withoutNonce = { ...authorizationRequest(withoutPkce), ...proof };
    const pushed = { ...withoutNonce, nonce };
    const { request_uri: reference } = await jsonOf(stage.send('/oauth/par', pushed));
    const query = { client_id: clientId, request_uri: String(reference) };
    assert.equal((await redeem(await codeOf(stage.authorize(query, stage.browser)))).status, 200);
    assert.equal((await jsonOf(stage.send('/oauth/par', withoutNonce))).error, 'invalid_request');
  });

  it('are refused to clients that were not let off, and to public ones', async () => {
    assert.match(await refusalOf({ client_id: 'acme~strict', nonce }), /use PKCE/);
    assert.match(await refusalOf({ client_id: 'acme~app', nonce }), /use PKCE/);
    await register(stage, 'acme~loose', { firstParty: true, pkce: 'optional' });
    assert.match(await refusalOf({ client_id: 'acme~loose', nonce }), /use PKCE/, 'recorded, but public');
  });

  it('take PKCE all the same, and then the verifier', async () => {
    const code = await codeOf(stage.authorize(authorizationRequest({ client_id: clientId }), stage.browser));
    await assertRefused(redeem(code), 'invalid_grant');
    assert.equal((await redeem(code, { code_verifier: verifier })).status, 200);
  });

  it('with a method but no challenge, or another method, are malformed', async () => {
    await refusalOf({ nonce, code_challenge_method: 'S256' });
    await refusalOf({ nonce, code_challenge: verifier });
    await refusalOf({ nonce, code_challenge: verifier, code_challenge_method: 'plain' });
  });

  it('PKCE downgrade: a verifier for a code that was requested without a challenge', async () => {
    const code = await codeOf(authorize({ nonce }));
    await assertRefused(redeem(code, { code_verifier: verifier }), 'invalid_grant');
    assert.equal((await redeem(code)).status, 200);
  });

  it('end when the client has to use PKCE before the person is done', async () => {
    await signOut(stage, stage.browser);
    const login = redirectTarget(await authorize({ nonce }));
    const resume = login.searchParams.get('continue') ?? '';
    assert.match(resume, /^\/oauth\/authorize\?resume=/);
    assert.equal((await stage.visit(resume, stage.browser)).status, 303, 'to the sign-in again');
    const was = { firstParty: true, authentication: 'client_secret_basic', pkce: 'optional' } as const;
    await changeRegistration(stage, clientId, { was, is: { pkce: 'required' } });
    await assertPage(await stage.visit(resume, stage.browser), 400);
  });
});
