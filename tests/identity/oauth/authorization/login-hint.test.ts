/** Requests that name by an id_token whose sign-in they are for (OpenID Connect Core section 3.1.2.1). */
import assert from 'node:assert/strict';
import {
  authorizationRequest,
  codeOf,
  errorOf,
  jsonOf,
  redirectParameters,
  redirectTarget,
  refreshTarget,
  startWithSignedInPerson,
} from './fixture';
import { addPerson, register, signIn } from './recorded-facts';

describe('an authorization request for one person', () => {
  let stage: Awaited<ReturnType<typeof startWithSignedInPerson>>;
  let hint: string;
  const idTokenOf = async (client = 'acme~app'): Promise<string> => {
    const code = await codeOf(stage.authorize(authorizationRequest({ client_id: client }), stage.browser));
    return String((await jsonOf(stage.redeem(code, { client_id: client }))).id_token);
  };
  beforeEach(async () => {
    stage = await startWithSignedInPerson();
    await addPerson(stage, 'acme.p-2', ['principals:read']);
    hint = await idTokenOf();
    stage.wait(2);
  });
  afterEach(() => stage.close());

  const another = () => signIn(stage, 'acme.p-2');
  const authorize = (changes: Record<string, string>, browser = stage.browser): Promise<Response> =>
    stage.authorize(authorizationRequest({ id_token_hint: hint, ...changes }), browser);
  const silently = async (changes: Record<string, string> = {}, browser = stage.browser) =>
    errorOf(redirectTarget(await authorize({ prompt: 'none', ...changes }, browser)));

  it('is answered by that person', async () => {
    assert.ok(await codeOf(authorize({ prompt: 'none' })));
  });

  it('is not answered by another person, who is asked to sign in', async () => {
    const browser = await another();
    stage.wait(2);
    assert.equal(await silently({}, browser), 'login_required');
    const there = redirectTarget(await authorize({}, browser));
    assert.deepEqual([there.pathname, there.searchParams.get('prompt')], ['/sign-in', 'login']);
  });

  it('is not answered by a sign-in of another person', async () => {
    const there = redirectTarget(await stage.authorize(authorizationRequest({ id_token_hint: hint })));
    const again = there.searchParams.get('continue') ?? '';
    assert.equal(errorOf(await refreshTarget(await stage.visit(again, await another()))), 'login_required');
    assert.ok(redirectParameters(await refreshTarget(await stage.visit(again, stage.browser))).code);
  });

  it('is not answered without a sign-in when its person is no longer known', async () => {
    await register(stage, 'acme~other', { firstParty: true });
    const [head, body] = hint.split('.');
    for (const doubtful of [await idTokenOf('acme~other'), `${head}.${body}.${'A'.repeat(86)}`, 'x']) {
      assert.equal(await silently({ id_token_hint: doubtful }), 'login_required');
      assert.equal(redirectTarget(await authorize({ id_token_hint: doubtful })).pathname, '/sign-in');
    }
    assert.ok(await codeOf(stage.authorize(authorizationRequest({ prompt: 'none' }), stage.browser)));
  });

  it('is the same when it was pushed', async () => {
    const pushed = await jsonOf(
      stage.send('/oauth/par', authorizationRequest({ id_token_hint: hint, prompt: 'none' })),
    );
    const reference = { client_id: 'acme~app', request_uri: String(pushed.request_uri) };
    assert.equal(errorOf(redirectTarget(await stage.authorize(reference, await another()))), 'login_required');
  });
});
