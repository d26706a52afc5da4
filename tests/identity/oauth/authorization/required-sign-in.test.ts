import assert from 'node:assert/strict';
import {
  authorizationRequest,
  codeOf,
  errorOf,
  redirectParameters,
  redirectTarget,
  refreshTarget,
  startWithSignedInPerson,
} from './fixture';
import { addPerson, type Browser, register, signIn } from './recorded-facts';

type Usual = Awaited<ReturnType<typeof startWithSignedInPerson>>;

describe('who has to sign in at /oauth/authorize', () => {
  let stage: Usual;
  beforeEach(async () => {
    stage = await startWithSignedInPerson();
  });
  afterEach(() => stage.close());

  const refusedWith = async (changes: Record<string, string | undefined>, browser?: Browser): Promise<string> =>
    errorOf(redirectTarget(await stage.authorize(authorizationRequest(changes), browser ?? stage.browser))) ?? 'none';

  it('sends who is not signed in to do so, and goes on from there', async () => {
    const there = redirectTarget(await stage.authorize(authorizationRequest({ login_hint: 'ada' })));
    assert.deepEqual(
      [there.pathname, there.searchParams.get('tenant'), there.searchParams.get('login_hint')],
      ['/sign-in', 'acme', 'ada'],
    );
    const back = there.searchParams.get('continue') ?? '';
    const { code = '', state } = redirectParameters(await refreshTarget(await stage.visit(back, stage.browser)));
    assert.equal(state, 'state-1');
    assert.equal((await stage.redeem(code)).status, 200);
  });

  it('gives who comes back twice the same code', async () => {
    const back = redirectTarget(await stage.authorize(authorizationRequest())).searchParams.get('continue') ?? '';
    const once = redirectParameters(await refreshTarget(await stage.visit(back, stage.browser)));
    assert.deepEqual(redirectParameters(await refreshTarget(await stage.visit(back, stage.browser))), once);
  });

  it('takes a session of another tenant for none', async () => {
    await addPerson(stage, 'other.p-1', ['principals:read']);
    const elsewhere = await signIn(stage, 'other.p-1');
    assert.equal(redirectTarget(await stage.authorize(authorizationRequest(), elsewhere)).pathname, '/sign-in');
  });

  it('signs in again when the sign-in is too old for max_age, and once only', async () => {
    stage.wait(100);
    assert.equal((await stage.authorize(authorizationRequest({ max_age: '100' }), stage.browser)).status, 303);
    stage.wait(1);
    const there = redirectTarget(await stage.authorize(authorizationRequest({ max_age: '100' }), stage.browser));
    assert.deepEqual([there.pathname, there.searchParams.get('prompt')], ['/sign-in', 'login']);
    const fresh = await signIn(stage, 'acme.p-1');
    const back = there.searchParams.get('continue') ?? '';
    assert.equal(redirectTarget(await stage.visit(back, stage.browser)).pathname, '/sign-in');
    assert.ok(redirectParameters(await refreshTarget(await stage.visit(back, fresh))).code);
  });

  it('signs in again for the prompt login', async () => {
    stage.wait(1);
    const there = redirectTarget(await stage.authorize(authorizationRequest({ prompt: 'login' }), stage.browser));
    assert.equal(there.pathname, '/sign-in');
    const fresh = await signIn(stage, 'acme.p-1');
    assert.ok(
      redirectParameters(await refreshTarget(await stage.visit(there.searchParams.get('continue') ?? '', fresh))).code,
    );
  });

  it('steps up for acr_values, and says so when that did not come of it', async () => {
    stage.wait(1);
    const there = redirectTarget(await stage.authorize(authorizationRequest({ acr_values: '2' }), stage.browser));
    assert.equal(there.searchParams.get('acr'), 'mfa');
    const back = there.searchParams.get('continue') ?? '';
    const weak = await signIn(stage, 'acme.p-1');
    assert.equal(errorOf(await refreshTarget(await stage.visit(back, weak))), 'unmet_authentication_requirements');
    const strong = await signIn(stage, 'acme.p-1', ['pwd', 'otp', 'mfa']);
    assert.ok(redirectParameters(await refreshTarget(await stage.visit(back, strong))).code);
    assert.ok(await codeOf(stage.authorize(authorizationRequest({ acr_values: 'unheard-of 1' }), stage.browser)));
  });

  it('asks nothing for the prompt none', async () => {
    assert.equal(
      errorOf(redirectTarget(await stage.authorize(authorizationRequest({ prompt: 'none' })))),
      'login_required',
    );
    assert.ok(await codeOf(stage.authorize(authorizationRequest({ prompt: 'none' }), stage.browser)));
    stage.wait(10);
    assert.equal(await refusedWith({ prompt: 'none', max_age: '5' }), 'login_required');
    await register(stage, 'acme~foreign');
    assert.equal(await refusedWith({ prompt: 'none', client_id: 'acme~foreign' }), 'consent_required');
  });
});
