/** Where the tenant requires two factors, a provider that proves one is half of a sign-in. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { updateAuthenticators } from '../../../../commands/identity/people/load-person';
import { provesSeveralFactors } from '../../../../commands/identity/sign-in/federation/provider-authentication';
import type { SessionEvent } from '../../../../domain/identity/session/events';
import type { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import { codeAtTime, keyIn } from '../../../support/identity/authenticator-app';
import type { FormBrowser } from '../form-browser';
import { ada, useProvider } from './fixture';

describe('what a provider says of factors', () => {
  for (const [methods, context, isSeveral] of [
    [['mfa'], null, true],
    [['pwd', 'otp'], null, true],
    [['pin', 'hwk'], null, true],
    [['fpt', 'swk'], null, true],
    [['pwd'], null, false],
    [[], null, false],
    // Two of one kind, and what proves no factor.
    [['pwd', 'pin', 'kba'], null, false],
    [['otp', 'sms'], null, false],
    [['pwd', 'user', 'rba', 'geo', 'wia'], null, false],
    [['pwd', 'MFA', '__proto__', 'constructor'], null, false],
    [['pwd'], 'urn:example:mfa', true],
    [['pwd'], 'urn:example:mfa:not', false],
    [['pwd'], '', false],
  ] as const)
    it(`counts ${JSON.stringify(methods)} with acr ${context} as ${isSeveral ? 'several' : 'one'}`, () => {
      assert.equal(provesSeveralFactors({ methods, context }, { mfaContexts: ['urn:example:mfa'] }), isSeveral);
    });
});

describe('a tenant that requires two factors, and an enterprise’s provider', () => {
  const { stage, provider, allow, leave } = useProvider();
  const required = (more: object = {}) => allow(more, provider().origin, { mfa: 'required' });
  const arrive = async (browser: FormBrowser, claims: object = {}) => {
    provider().answering.claims = { ...ada, ...claims };
    return browser.open(provider().back(await leave(browser)));
  };
  const sessions = async (): Promise<readonly SessionEvent['data'][]> => {
    const found: SessionEvent['data'][] = [];
    for await (const { type, data } of stage().deps.store.readAll({ after: null }))
      if (/^identity\.Session(Opened|SteppedUp)/.test(type)) found.push(data as SessionEvent['data']);
    return found;
  };
  const isSignedIn = async (browser: FormBrowser) => /Signed in as/.test((await browser.open('/account')).text);

  it('a sign-in by the provider with one factor gets no session', async () => {
    await required();
    for (const claims of [
      {},
      { amr: ['pwd'] },
      { amr: ['pwd', 'pin'] },
      { amr: 'mfa' },
      { amr: ['MFA'] },
      { acr: 'urn:example:mfa' },
    ]) {
      const browser = stage().browser();
      assert.match((await arrive(browser, claims)).text, /Set up a second factor/, JSON.stringify(claims));
      assert.equal(await isSignedIn(browser), false, JSON.stringify(claims));
    }
    assert.deepEqual(await sessions(), []);
  });

  it('accepts two factors proved by the provider, by amr or by a configured acr', async () => {
    for (const [claims, mfaContexts] of [
      [{ amr: ['mfa'] }, []],
      [{ amr: ['pwd', 'otp'] }, []],
      [{ acr: 'urn:example:mfa' }, ['urn:example:mfa']],
    ] as const) {
      await required({ mfaContexts });
      const browser = stage().browser();
      assert.match((await arrive(browser, claims)).text, /Signed in as/, JSON.stringify(claims));
      const opened = (await sessions()).at(-1) as { methods?: readonly string[] };
      assert.deepEqual(opened.methods, ['fed', 'mfa']);
    }
  });

  it('asks the provider for a context by which it says so', async () => {
    await required({ mfaContexts: ['urn:example:mfa', 'phrh'] });
    const { searchParams } = new URL(await leave(stage().browser()));
    assert.equal(searchParams.get('acr_values'), 'urn:example:mfa phrh');
    await allow({ mfaContexts: ['phrh'] });
    assert.equal(new URL(await leave(stage().browser())).searchParams.get('acr_values'), null);
  });

  it('has an app set up by who has none, then asks for its code, and the session says both', async () => {
    await required();
    const first = stage().browser();
    const key = keyIn((await arrive(first)).text);
    assert.equal((await first.submit('/sign-in/code', { code: '000000' })).status, 401);
    assert.match(
      (await first.submit('/sign-in/code', { code: codeAtTime(key, stage().now()) })).text,
      /Keep these codes/,
    );
    assert.ok(await isSignedIn(first));
    stage().wait(60);
    const again = stage().browser();
    assert.match((await arrive(again)).text, /Enter your code/);
    assert.equal(await isSignedIn(again), false);
    await again.open('/sign-in/code');
    assert.match((await again.submit('/sign-in/code', { code: codeAtTime(key, stage().now()) })).text, /Signed in as/);
    const opened = (await sessions()).at(-1) as { methods?: readonly string[]; upstreamIssuer?: string };
    assert.deepEqual([opened.methods, opened.upstreamIssuer], [['fed', 'otp', 'mfa'], provider().origin]);
  });

  it('sends who has a passkey to it, and sets nothing else up in its place', async () => {
    await allow();
    assert.ok(await arrive(stage().browser()));
    const [{ principalId }] = (await sessions()) as unknown as readonly [{ principalId: PrincipalId }];
    const person = { tenantId: 'acme' as TenantId, principalId };
    const passkey = {
      passkeyId: 'key-1',
      publicKey: 'cose',
      counter: 0,
      transports: [],
      name: 'Laptop',
      enrolment: null,
    };
    const command = { type: 'AddPasskey', principalId, at: stage().deps.clock.now(), ...passkey } as const;
    const added = await updateAuthenticators(stage().deps, person, {
      command,
      context: { requestId: 'r-1', actor: principalId },
    });
    assert.ok(isRight(added));
    await required();
    const browser = stage().browser();
    const page = await arrive(browser);
    assert.match(page.text, /Sign in with your passkey\./);
    assert.match(page.text, /Sign in with Example Ltd/);
    assert.equal(await isSignedIn(browser), false);
  });

  it('refuses the code if the link or the provider was removed in between', async () => {
    await required();
    const first = stage().browser();
    const key = keyIn((await arrive(first)).text);
    await first.submit('/sign-in/code', { code: codeAtTime(key, stage().now()) });
    for (const spoil of [
      () => allow({ providerId: 'other' }, provider().origin, { mfa: 'required' }),
      () => allow({ issuer: 'https://elsewhere.example' }, undefined, { mfa: 'required' }),
    ]) {
      await required();
      stage().wait(60);
      const browser = stage().browser();
      await arrive(browser);
      await spoil();
      await browser.open('/sign-in/code');
      await browser.submit('/sign-in/code', { code: codeAtTime(key, stage().now()) });
      assert.equal(await isSignedIn(browser), false);
    }
  });

  it('asks for our second factor where an application wants two and the tenant does not', async () => {
    await allow();
    provider().answering.claims = ada;
    const browser = stage().browser();
    await browser.open('/sign-in?acr=mfa');
    const url = browser.onward(await browser.submit('/sign-in/with')) ?? '';
    assert.match((await browser.open(provider().back(url))).text, /Set up a second factor/);
    assert.equal(await isSignedIn(browser), false);
  });
});
