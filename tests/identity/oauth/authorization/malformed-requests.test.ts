import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { issuer } from '../token/fixture';
import {
  assertPage,
  authorizationRequest,
  clientId,
  redirectParameters,
  redirectTarget,
  startWithSignedInPerson,
} from './fixture';

/** As ASP.NET Core protects it: base64url, which does not compress. */
const randomText = (length: number): string => randomBytes(length).toString('base64url').slice(0, length);
/** Every character that a state may have. */
const randomVisible = (length: number): string =>
  String.fromCharCode(...Array.from(randomBytes(length), (byte) => 0x20 + (byte % 95)));

const locationOf = (answer: Response): URL => new URL(answer.headers.get('location') ?? '', issuer);

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
      { state: 'x'.repeat(8_193) },
      { state: 'line\nbreak' },
      { nonce: 'x'.repeat(1_025) },
      { nonce: 'n\u00fcn' },
      { login_hint: 'x'.repeat(321) },
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
    for (const request of answers)
      assert.equal(redirectTarget(await stage.authorize(request, stage.browser)).searchParams.get('iss'), issuer);
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

  it('says which value is too long, and how long it may be; the state comes back with that', async () => {
    const answered = async (changes: Record<string, string>) =>
      redirectParameters(redirectTarget(await stage.authorize(authorizationRequest(changes), stage.browser)));
    const state = randomText(8_193);
    const refused = await answered({ state });
    assert.equal(refused.error_description, 'The parameter state is longer than 8192 characters.');
    assert.equal(refused.state, state);
    const { error_description: why } = await answered({ nonce: 'n'.repeat(1_025) });
    assert.equal(why, 'The parameter nonce is longer than 1024 characters.');
    // What is too long for an address is answered by a page with the same error.
    const form = authorizationRequest({ state: randomText(20_000) });
    const page = await stage.submit('/oauth/authorize', Object.entries(form) as [string, string][], stage.browser);
    assert.equal(page.status, 400);
    assert.match(await page.text(), /The parameter state is longer than 8192 characters\./);
  });

  it('returns a state of 8,192 characters whole, whichever they are', async () => {
    for (const state of [randomText(8_192), randomVisible(8_192)]) {
      const pairs = Object.entries(authorizationRequest({ state, nonce: 'n'.repeat(1_024) })) as [string, string][];
      const there = locationOf(await stage.submit('/oauth/authorize', pairs, stage.browser));
      assert.ok(there.searchParams.get('state') === state && there.searchParams.has('code'));
    }
  });

  it('stays short enough for the way over the sign-in, also with the longest values of all characters', async () => {
    const pairs = Object.entries(
      authorizationRequest({ state: randomVisible(8_192), nonce: randomVisible(1_024), login_hint: 'l'.repeat(320) }),
    ) as [string, string][];
    const there = locationOf(await stage.submit('/oauth/authorize', pairs));
    assert.equal(there.pathname, '/sign-in');
    assert.ok((there.searchParams.get('continue') ?? '').length < 16_384);
    assert.equal(there.searchParams.get('login_hint'), 'l'.repeat(320));
  });
});
