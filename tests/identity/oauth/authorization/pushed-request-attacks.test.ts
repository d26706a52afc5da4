import assert from 'node:assert/strict';
import {
  assertPage,
  authorizationRequest,
  clientId,
  field,
  jsonOf,
  redirectParameters,
  redirectTarget,
  refreshTarget,
  startWithSignedInPerson,
} from './fixture';
import { addSecret, register, signIn } from './recorded-facts';

const secret = 'a-secret-of-this-client-alone-that-nobody-knows';

describe('POST /oauth/par', () => {
  let stage: Awaited<ReturnType<typeof startWithSignedInPerson>>;
  beforeEach(async () => {
    stage = await startWithSignedInPerson();
  });
  afterEach(() => stage.close());

  const push = async (changes: Record<string, string | undefined> = {}): Promise<Record<string, unknown>> =>
    jsonOf(stage.send('/oauth/par', authorizationRequest(changes)));
  const use = (requestUri: unknown, more: Record<string, string> = {}, browser = stage.browser): Promise<Response> =>
    stage.authorize({ client_id: clientId, request_uri: String(requestUri), ...more }, browser);

  it('keeps a request, and answers it once', async () => {
    const { request_uri: requestUri, expires_in: expires } = await push();
    assert.match(String(requestUri), /^urn:ietf:params:oauth:request_uri:[A-Za-z0-9_-]{43}$/);
    assert.equal(expires, 90);
    const { code = '' } = redirectParameters(redirectTarget(await use(requestUri)));
    assert.equal((await stage.redeem(code)).status, 200);
    await assertPage(await use(requestUri), 400);
  });

  it('goes on after a sign-in, though by then the reference is over', async () => {
    const { request_uri: requestUri } = await push();
    const there = redirectTarget(await stage.authorize({ client_id: clientId, request_uri: String(requestUri) }));
    stage.wait(600);
    assert.equal((await stage.visit(there.searchParams.get('continue') ?? '', stage.browser)).status, 200);
  });

  it('asks for what was pushed, whatever the address says besides', async () => {
    const { request_uri: requestUri } = await push({ scope: 'openid' });
    const more = { scope: 'openid principals:read', state: 'evil', redirect_uri: 'https://evil.example' };
    const { code = '', state } = redirectParameters(redirectTarget(await use(requestUri, more)));
    assert.equal(state, 'state-1');
    assert.equal((await jsonOf(stage.redeem(code))).scope, 'openid');
  });

  it('is over after 90 seconds', async () => {
    const { request_uri: requestUri } = await push();
    stage.wait(90);
    await assertPage(await use(requestUri), 400);
  });

  it('has one code, also where it is loaded by several at once', async () => {
    const { request_uri: requestUri } = await push();
    const answers = await Promise.all([use(requestUri), use(requestUri), use(requestUri)]);
    const codes = answers
      .filter(({ status }) => status === 303)
      .map((answer) => redirectParameters(redirectTarget(answer)).code);
    assert.deepEqual([codes.length > 0, new Set(codes).size], [true, 1]);
    await assertPage(await use(requestUri), 400);
  });

  describe('while the person has not answered', () => {
    const needsConsent = 'acme~asks';
    const consentAt = async (requestUri: unknown) => {
      const there = redirectTarget(await use(requestUri, { client_id: needsConsent }));
      assert.equal(there.pathname, '/consent');
      const page = await assertPage(await stage.visit(`${there.pathname}${there.search}`, stage.browser), 200);
      return Object.fromEntries(['csrf', 'request', 'shown'].map((name) => [name, field(page, name)]));
    };
    const decide = (fields: Record<string, string>, decision: 'allow' | 'deny') =>
      stage.submit('/consent', { ...fields, decision }, stage.browser);
    beforeEach(() => register(stage, needsConsent));

    it('lets the page be loaded again, also after the reference alone would be over, until there is a code', async () => {
      const { request_uri: requestUri } = await push({ client_id: needsConsent });
      await consentAt(requestUri);
      stage.wait(600);
      const fields = await consentAt(requestUri);
      const { code = '' } = redirectParameters(await refreshTarget(await decide(fields, 'allow')));
      await assertPage(await use(requestUri, { client_id: needsConsent }), 400);
      assert.equal((await stage.redeem(code, { client_id: needsConsent })).status, 200);
      await assertPage(await use(requestUri, { client_id: needsConsent }), 400);
    });

    it('lets it be loaded again before and after the sign-in', async () => {
      stage.wait(10);
      const { request_uri: requestUri } = await push({ client_id: needsConsent, prompt: 'login' });
      for (let times = 0; times < 2; times += 1) {
        const there = redirectTarget(await use(requestUri, { client_id: needsConsent }));
        assert.equal(there.pathname, '/sign-in');
      }
      stage.wait(100);
      const browser = await signIn(stage, 'acme.p-1');
      assert.equal(redirectTarget(await use(requestUri, { client_id: needsConsent }, browser)).pathname, '/consent');
    });

    it('is over once it is refused, for pages that are open as well', async () => {
      const { request_uri: requestUri } = await push({ client_id: needsConsent });
      const fields = await consentAt(requestUri);
      const { error } = redirectParameters(await refreshTarget(await decide(fields, 'deny')));
      assert.equal(error, 'access_denied');
      await assertPage(await use(requestUri, { client_id: needsConsent }), 400);
      await assertPage(await decide(fields, 'allow'), 409);
    });

    it('is over half an hour after it was opened', async () => {
      const { request_uri: requestUri } = await push({ client_id: needsConsent });
      await consentAt(requestUri);
      stage.wait(1_800);
      await assertPage(await use(requestUri, { client_id: needsConsent }), 400);
    });
  });

  it('is over once it is refused without a page', async () => {
    const { request_uri: requestUri } = await push({ prompt: 'none' });
    const silent = await stage.authorize({ client_id: clientId, request_uri: String(requestUri) });
    assert.equal(redirectParameters(redirectTarget(silent)).error, 'login_required');
    await assertPage(await use(requestUri), 400);
  });

  it('a reference of another client, of another tenant, or made up', async () => {
    await register(stage, 'acme~thief', { firstParty: true });
    await register(stage, 'other~app', { firstParty: true });
    const { request_uri: requestUri } = await push();
    for (const thief of ['acme~thief', 'other~app']) await assertPage(await use(requestUri, { client_id: thief }), 400);
    const made = `urn:ietf:params:oauth:request_uri:${'x'.repeat(43)}`;
    for (const wrong of [made, 'urn:x', 'https://evil.example/request', 'https://app.example/request.jwt'])
      await assertPage(await use(wrong), 400);
    assert.equal((await use(requestUri)).status, 303);
  });

  it('a client that pushes its requests is answered by no other', async () => {
    await register(stage, 'acme~careful', { firstParty: true, requirePushed: true });
    const plain = redirectTarget(
      await stage.authorize(authorizationRequest({ client_id: 'acme~careful' }), stage.browser),
    );
    assert.equal(redirectParameters(plain).error, 'invalid_request');
    const { request_uri: requestUri } = await push({ client_id: 'acme~careful' });
    assert.ok(redirectParameters(redirectTarget(await use(requestUri, { client_id: 'acme~careful' }))).code);
  });

  it('asks clients with a secret for it', async () => {
    await register(stage, 'acme~secret', { firstParty: true, authentication: 'client_secret_basic' });
    await addSecret(stage, 'acme~secret', secret);
    const basic = (value: string) => ({ authorization: `Basic ${btoa(`acme%7Esecret:${value}`)}` });
    const form = authorizationRequest({ client_id: 'acme~secret' });
    assert.equal((await stage.send('/oauth/par', form)).status, 401);
    assert.equal((await stage.send('/oauth/par', form, basic('wrong'))).status, 401);
    assert.equal((await stage.send('/oauth/par', form, basic(secret))).status, 201);
  });

  it('says at once what would be wrong later', async () => {
    const wrong: readonly (readonly [Record<string, string | undefined>, string])[] = [
      [{ redirect_uri: 'https://evil.example' }, 'invalid_request'],
      [{ redirect_uri: undefined }, 'invalid_request'],
      [{ code_challenge: undefined }, 'invalid_request'],
      [{ scope: 'platform:write' }, 'invalid_scope'],
      [{ resource: 'https://evil.example' }, 'invalid_target'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'invalid_request'],
      [{ client_id: 'acme~nobody' }, 'invalid_client'],
    ];
    for (const [changes, error] of wrong) assert.equal((await push(changes)).error, error, JSON.stringify(changes));
  });

  it('leaves nothing of the request in the log, nor the reference', async () => {
    const { request_uri: requestUri } = await push({ login_hint: 'ada@example.com', nonce: 'nonce-of-this-one' });
    const reference = String(requestUri).split(':').at(-1) ?? '';
    const written: string[] = [];
    for await (const { data } of stage.store.readAll({ after: null })) written.push(JSON.stringify(data));
    assert.ok(written.some((line) => line.includes('sealed')));
    for (const line of written)
      for (const personal of [reference, 'ada@example.com', 'nonce-of-this-one'])
        assert.ok(!line.includes(personal), line);
  });
});
