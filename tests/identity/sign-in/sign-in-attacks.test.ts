import assert from 'node:assert/strict';
import { updateAuthenticators } from '../../../commands/identity/people/load-person';
import { firstAdmin } from '../../../domain/identity/ids';
import type { TenantId } from '../../../domain/kernel/ids';
import { codeAtTime, keyIn } from '../../support/identity/authenticator-app';
import { bootstrapCode, enrolPerson, type PeopleStage, signIn, startPeople, strongPassword } from './fixture';

const passwordField = /name="password"/;

describe('attacks on signing in', () => {
  let stage: PeopleStage;
  beforeEach(async () => {
    stage = await startPeople();
  });
  afterEach(() => stage.close());

  it('session fixation: a planted cookie is no session, and the secret changes after each proof', async () => {
    const { browser } = await enrolPerson(stage);
    const name = [...browser.jar.keys()].find((one) => one.endsWith('account')) ?? '';
    const first = browser.jar.get(name) ?? '';
    const victim = stage.browser();
    victim.jar.set(name, `acme.${'a'.repeat(64)}.${'A'.repeat(43)}`);
    assert.match((await victim.open('/account')).text, passwordField);
    victim.jar.set(name, first);
    await victim.open('/sign-in?prompt=login');
    await victim.submit('/sign-in', { login: 'ada@example.org', password: strongPassword });
    assert.notEqual(victim.jar.get(name), first);
    assert.match((await browser.open('/account')).text, passwordField, 'the secret before is dead');
  });

  it('fixation of the visit: what a password proved is under another visit than the one that was there', async () => {
    await enrolPerson(stage);
    const rules = { mfa: 'required', passwords: true, passkeys: true, sessionSeconds: 3_600, providers: [] };
    await stage.api('PUT', '/v1/sign-in-policy', rules);
    const [victim, thief] = [stage.browser(), stage.browser()];
    await thief.open('/sign-in');
    for (const [name, value] of thief.jar) victim.jar.set(name, value);
    assert.match((await signIn(victim)).text, /Set up a second factor/);
    assert.match((await thief.open('/sign-in/code')).text, passwordField);
  });

  it('a password that was changed meanwhile: who had got past it goes no further, by code or by setting an app up', async () => {
    const { browser } = await enrolPerson(stage);
    const thief = stage.browser();
    const rules = { mfa: 'required', passwords: true, passkeys: true, sessionSeconds: 3_600, providers: [] };
    await stage.api('PUT', '/v1/sign-in-policy', rules);
    const key = keyIn((await signIn(thief)).text);
    await browser.open('/account/password');
    assert.equal((await browser.submit('/account/password', { password: 'another lamp entirely' })).status, 200);
    assert.match((await thief.submit('/sign-in/code', { code: codeAtTime(key, stage.now()) })).text, passwordField);
    const own = stage.browser();
    const page = await signIn(own, 'ada@example.org', 'another lamp entirely');
    assert.match(
      (await own.submit('/sign-in/code', { code: codeAtTime(keyIn(page.text), stage.now()) })).text,
      /Keep these/,
    );
  });

  it('the code of the first start, again: it is spent for good, also where the first admin has lost every way in', async () => {
    const root = stage.browser();
    const first = { code: bootstrapCode, login: 'root@example.org', displayName: 'Root' };
    await root.open('/sign-in/first');
    await root.submit('/sign-in/first', first);
    await root.submit('/sign-in/enrol', { password: strongPassword });
    const id = { tenantId: 'acme' as TenantId, principalId: firstAdmin };
    const about = { principalId: firstAdmin, at: stage.deps.clock.now(), reason: 'Lost.', passkeyId: 'key-1' };
    const key = { ...about, publicKey: 'cose', counter: 0, transports: [], name: 'Laptop', enrolment: null };
    for (const type of ['AddPasskey', 'RemovePassword', 'RemovePasskey'] as const) {
      const changed = await updateAuthenticators(stage.deps, id, {
        command: { ...key, type },
        context: { requestId: 'r-1', actor: 'another' },
      });
      assert.equal(changed._tag, 'Right', type);
    }
    const thief = stage.browser();
    await thief.open('/sign-in/first');
    assert.equal((await thief.submit('/sign-in/first', { ...first, login: 'thief' })).status, 409);
  });

  it('cookie of another tenant: the same session under another tenant is no session', async () => {
    const { browser } = await enrolPerson(stage);
    for (const [name, value] of browser.jar) browser.jar.set(name, value.replace(/^acme\./, 'other.'));
    assert.match((await browser.open('/account')).text, passwordField);
  });

  it('cookie twice, truncated, or with another secret: no session', async () => {
    const { browser } = await enrolPerson(stage);
    const [[name = '', value = ''] = []] = browser.jar;
    const other = `${value.slice(0, -43)}${'A'.repeat(43)}`;
    const spoilt = [
      `${name}=${value}; ${name}=${value}`,
      `${name}=${value.slice(0, -1)}`,
      `${name}=${other}`,
      `${name}=`,
    ];
    for (const cookie of spoilt)
      assert.equal((await stage.browser().request('/account', undefined, { cookie })).status, 303, cookie);
  });

  it('open redirect: never to another site, in any spelling', async () => {
    const { browser } = await enrolPerson(stage);
    const elsewhere = [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/%2f/evil.example',
      '\\\\evil.example',
      '/account/..//evil.example',
      'javascript:alert(1)',
      '/account\n//evil',
      '/accounts',
      '/oauth/token',
      '/v1/principals',
      'account',
      '/oauth/authorize/../../v1/x',
      '@evil.example',
      ' /account//x',
      `/account?${'x'.repeat(9_000)}`,
      'data:text/html,x',
      '/account@evil.example',
      '/sign-in',
    ];
    for (const path of elsewhere) {
      const { headers } = await browser.request(`/sign-in?continue=${encodeURIComponent(path)}`);
      assert.match(headers.get('location') ?? '', /^\/(?:console\/session\/begin$|account(\?|$|\/\.\.)?)/, path);
      assert.ok(!/evil/.test(new URL(headers.get('location') ?? '', 'https://septet.example').host), path);
    }
  });

  it('markup in what people say of themselves is text', async () => {
    const name = '"><img src=x onerror=alert(1)><script>alert(1)</script>';
    const made = await stage.api('POST', '/v1/people', { login: `<b>${'x'}</b>`, displayName: name });
    const { enrolmentUrl } = (await made.json()) as { enrolmentUrl: string };
    const browser = stage.browser();
    await browser.open(enrolmentUrl.replace('https://septet.example', ''));
    const page = await browser.submit('/sign-in/enrol', { password: strongPassword });
    assert.ok(!page.text.includes('<img src=x') && !page.text.includes('<script>alert') && !page.text.includes('<b>x'));
    assert.ok(page.text.includes('&lt;script&gt;'));
  });
});
