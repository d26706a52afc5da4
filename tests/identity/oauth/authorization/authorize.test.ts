import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { issuer } from '../token/fixture';
import {
  assertPage,
  authorizationRequest,
  clientId,
  codeOf,
  errorOf,
  field,
  jsonOf,
  redirectParameters,
  redirectTarget,
  startWithSignedInPerson,
} from './fixture';
import { addPerson, type Browser, register, signIn } from './recorded-facts';

type Usual = Awaited<ReturnType<typeof startWithSignedInPerson>>;

describe('GET /oauth/authorize', () => {
  let stage: Usual;
  beforeEach(async () => {
    stage = await startWithSignedInPerson();
  });
  afterEach(() => stage.close());

  const refusedWith = async (changes: Record<string, string | undefined>, browser?: Browser): Promise<string> =>
    errorOf(redirectTarget(await stage.authorize(authorizationRequest(changes), browser ?? stage.browser))) ?? 'none';

  it('answers who is signed in with a code, which is worth tokens', async () => {
    const code = await codeOf(stage.authorize(authorizationRequest({ nonce: 'n-1' }), stage.browser));
    const tokens = await jsonOf(stage.redeem(code));
    assert.deepEqual([tokens.token_type, tokens.expires_in, tokens.scope], ['Bearer', 900, 'openid principals:read']);
    const claims = decodeJwt(String(tokens.access_token));
    assert.deepEqual([claims.sub, claims.client_id, claims.sid], ['p-1', clientId, stage.browser.sessionId]);
    const idToken = decodeJwt(String(tokens.id_token));
    assert.deepEqual([idToken.iss, idToken.aud, idToken.nonce, idToken.acr], [issuer, clientId, 'n-1', '1']);
  });

  it('grants no more than the person has', async () => {
    await addPerson(stage, 'acme.p-2');
    const browser = await signIn(stage, 'acme.p-2');
    const code = await codeOf(stage.authorize(authorizationRequest(), browser));
    assert.equal((await jsonOf(stage.redeem(code))).scope, 'openid');
    assert.equal(await refusedWith({ scope: 'principals:read' }, browser), 'access_denied');
  });

  it('tells the client what is wrong with its request', async () => {
    const wrong: readonly (readonly [Record<string, string | undefined>, string])[] = [
      [{ response_type: undefined }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_type: 'code id_token' }, 'unsupported_response_type'],
      [{ scope: 'openid security:write' }, 'invalid_scope'],
      [{ resource: 'https://other.example' }, 'invalid_target'],
      [{ prompt: 'none login' }, 'invalid_request'],
      [{ prompt: 'shout' }, 'invalid_request'],
      [{ max_age: '-1' }, 'invalid_request'],
      [{ response_mode: 'fragment' }, 'invalid_request'],
      [{ request: 'eyJhbGciOiJub25lIn0..' }, 'request_not_supported'],
      [{ request_uri: 'https://app.example/request.jwt' }, 'request_uri_not_supported'],
      [{ registration: '{}' }, 'registration_not_supported'],
      [{ dpop_jkt: 'short' }, 'invalid_request'],
    ];
    for (const [changes, error] of wrong) assert.equal(await refusedWith(changes), error, JSON.stringify(changes));
  });

  it('issues for the resources asked for, and for fewer at the token endpoint', async () => {
    const both = Object.entries(authorizationRequest()) as [string, string][];
    const pairs: [string, string][] = [...both, ['resource', 'septet'], ['resource', 'https://files.example']];
    const first = await codeOf(stage.authorize(pairs, stage.browser));
    const narrow = await jsonOf(stage.redeem(first, { resource: 'septet' }));
    assert.deepEqual(decodeJwt(String(narrow.access_token)).aud, ['septet']);
    const second = await codeOf(stage.authorize(pairs, stage.browser));
    const whole = await jsonOf(stage.redeem(second));
    assert.deepEqual(decodeJwt(String(whole.access_token)).aud, ['septet', 'https://files.example']);
  });

  it('takes the same by a form', async () => {
    const answer = await stage.submit('/oauth/authorize', authorizationRequest(), stage.browser);
    assert.ok(redirectParameters(redirectTarget(answer)).code);
  });

  it('answers by a form where the client wants one', async () => {
    const answer = await stage.authorize(authorizationRequest({ response_mode: 'form_post' }), stage.browser);
    const policy = answer.headers.get('content-security-policy') ?? '';
    const page = await assertPage(answer, 200);
    assert.match(page, /<form class="form" method="post" action="https:\/\/app.example\/callback">/);
    // It submits itself, by the one script that the policy allows beside those of files.
    const [, script = ''] = /<script>([^<]*)<\/script>/.exec(page) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    assert.match(script, /\.submit\(\)$/);
    assert.ok(policy.includes(`script-src 'self' 'sha256-${hash}';`), policy);
    assert.ok(!policy.includes('unsafe'), policy);
    assert.equal(field(page, 'iss'), issuer);
    assert.equal((await stage.redeem(field(page, 'code'))).status, 200);
  });

  it('keeps what the redirect_uri has of its own', async () => {
    await register(stage, 'acme~own', { firstParty: true, redirectUris: ['https://app.example/callback?from=us'] });
    const changes = { client_id: 'acme~own', redirect_uri: 'https://app.example/callback?from=us' };
    const there = redirectTarget(await stage.authorize(authorizationRequest(changes), stage.browser));
    assert.equal(there.searchParams.get('from'), 'us');
  });

  it('gives refresh tokens to who asks to stay connected, and they outlive the session', async () => {
    await register(stage, 'acme~stays', { firstParty: true });
    const scope = 'openid offline_access principals:read';
    const code = await codeOf(stage.authorize(authorizationRequest({ client_id: 'acme~stays', scope }), stage.browser));
    const tokens = await jsonOf(stage.redeem(code, { client_id: 'acme~stays' }));
    assert.ok(tokens.refresh_token);
    assert.equal(decodeJwt(String(tokens.access_token)).sid, undefined);
    // The id_token names it nevertheless: the application signs the person out of it.
    const { sid } = decodeJwt(String(tokens.id_token));
    assert.match(String(sid), /^[0-9a-f]{64}$/);
    const form = { grant_type: 'refresh_token', client_id: 'acme~stays', refresh_token: String(tokens.refresh_token) };
    const refreshed = await stage.send('/oauth/token', form);
    assert.equal(refreshed.status, 200);
    const { access_token: access, id_token: id } = await jsonOf(Promise.resolve(refreshed));
    assert.deepEqual([decodeJwt(String(access)).sid, decodeJwt(String(id)).sid], [undefined, sid]);
  });
});
