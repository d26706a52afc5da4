import assert from 'node:assert/strict';
import { issuer } from '../token/fixture';
import {
  assertPage,
  authorizationRequest,
  clientId,
  redirectParameters,
  redirectTarget,
  startWithSignedInPerson,
} from './fixture';

describe('malformed authorization requests', () => {
  let stage: Awaited<ReturnType<typeof startWithSignedInPerson>>;
  before(async () => {
    stage = await startWithSignedInPerson();
  });
  after(() => stage.close());

  it('parameter duplication: each comes once', async () => {
    for (const name of [
      'state',
      'scope',
      'code_challenge',
      'prompt',
      'nonce',
      'response_type',
      'code_challenge_method',
    ]) {
      const pairs: [string, string][] = [
        ...(Object.entries(authorizationRequest()) as [string, string][]),
        [name, 'one'],
        [name, 'two'],
      ];
      const error = redirectParameters(redirectTarget(await stage.authorize(pairs, stage.browser)));
      assert.equal(error.error, 'invalid_request', name);
    }
  });

  it('parameter duplication: two references, or one and its like', async () => {
    const reference: [string, string] = ['request_uri', 'urn:ietf:params:oauth:request_uri:x'];
    await assertPage(await stage.authorize([['client_id', clientId], reference, reference], stage.browser), 400);
  });

  it('oversized and odd values', async () => {
    for (const changes of [
      { state: 'x'.repeat(2_049) },
      { state: 'line\nbreak' },
      { nonce: 'x'.repeat(513) },
      { nonce: 'n\u00fcn' },
      { login_hint: 'x'.repeat(321) },
      { state: '"'.repeat(2_048), nonce: '"'.repeat(512), login_hint: '\\'.repeat(320) },
      { max_age: '9'.repeat(30) },
    ]) {
      const { error } = redirectParameters(
        redirectTarget(await stage.authorize(authorizationRequest(changes), stage.browser)),
      );
      assert.equal(error, 'invalid_request', JSON.stringify(changes).slice(0, 60));
    }
    assert.equal(
      (await stage.authorize(authorizationRequest({ scope: 'x '.repeat(2_000) }), stage.browser)).status,
      303,
    );
    const resources = Array.from({ length: 11 }, (_, at): [string, string] => ['resource', `https://r${at}.example`]);
    const many = await stage.authorize(
      [...(Object.entries(authorizationRequest()) as [string, string][]), ...resources],
      stage.browser,
    );
    assert.equal(redirectParameters(redirectTarget(many)).error, 'invalid_target');
  });

  it('names that objects have', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const pairs: [string, string][] = [
        ...(Object.entries(authorizationRequest()) as [string, string][]),
        [name, 'x'],
      ];
      assert.ok(redirectParameters(redirectTarget(await stage.authorize(pairs, stage.browser))).code);
      await assertPage(await stage.authorize([[name, 'x']], stage.browser), 400);
    }
  });

  it('mix-up: every answer says who gives it, errors too', async () => {
    const answers = [
      authorizationRequest(),
      authorizationRequest({ prompt: 'none' }),
      authorizationRequest({ response_type: 'x' }),
      authorizationRequest({ scope: 'x:y' }),
    ];
    for (const asked of answers)
      assert.equal(redirectTarget(await stage.authorize(asked, stage.browser)).searchParams.get('iss'), issuer);
  });

  it('answers a state as it came, and none where none came', async () => {
    const state = 'a b&c=d%20+"\'<>';
    assert.equal(
      redirectParameters(redirectTarget(await stage.authorize(authorizationRequest({ state }), stage.browser))).state,
      state,
    );
    const without = redirectParameters(
      redirectTarget(await stage.authorize(authorizationRequest({ state: undefined }), stage.browser)),
    );
    assert.deepEqual(Object.keys(without), ['code']);
  });

  it('is over before an address gets too long for the way back', async () => {
    const asked = authorizationRequest({
      state: '~'.repeat(1_900),
      nonce: 'n'.repeat(512),
      login_hint: 'l'.repeat(320),
    });
    const there = redirectTarget(await stage.authorize(asked));
    assert.ok((there.searchParams.get('continue') ?? '').length < 8_192);
  });
});
