import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { updateAuthenticators } from '../../../commands/identity/people/load-person';
import { bootstrapAdmin } from '../../../commands/identity/principals/bootstrap-admin';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { codeAtTime, keyIn } from '../../support/identity/authenticator-app';
import { bootstrapCode, enrolPerson, type PeopleStage, signIn, startPeople, strongPassword } from './fixture';

describe('people signing in', () => {
  let stage: PeopleStage;
  beforeEach(async () => {
    stage = await startPeople();
  });
  afterEach(() => stage.close());

  const codeNow = (key: Buffer, steps = 0): string => codeAtTime(key, stage.now(), steps);

  it('begins with the code of the first start, and ends it', async () => {
    const browser = stage.browser();
    const toConsole = '/sign-in?continue=/console/session/begin';
    assert.match((await browser.open(toConsole)).text, /<h1>First sign-in</);
    const wrong = await browser.submit('/sign-in/first', { code: 'no', login: 'root', displayName: 'Root' });
    assert.equal(wrong.status, 403);
    const link = await browser.submit('/sign-in/first', {
      code: bootstrapCode,
      login: 'Root@Example.org ',
      displayName: 'Root',
    });
    assert.match(link.text, /You sign in as <strong>root@example.org</);
    const account = await browser.submit('/sign-in/enrol', { password: strongPassword });
    assert.match(account.text, /Signed in as <strong>root@example.org<[\s\S]*Firefox on Linux/);
    const again = stage.browser();
    await again.open('/sign-in/first');
    const spent = await again.submit('/sign-in/first', { code: bootstrapCode, login: 'other', displayName: 'Other' });
    assert.equal(spent.status, 409);
    assert.match((await stage.browser().open(toConsole)).text, /name="password"[\s\S]*Can’t sign in\?/);
  });

  it('makes one administrator of a code that is redeemed on the page and by the API at once, whichever is first', async () => {
    const winners: string[] = [];
    for (const delay of [0, 1, 2, 3, 4, 6, 8, 12]) {
      const one = await startPeople();
      const browser = one.browser();
      await browser.open('/sign-in/first');
      const form = { code: bootstrapCode, login: 'root@example.org', displayName: 'Root' };
      const redeem = async () => {
        for (let step = 0; step < delay; step += 1) await new Promise(setImmediate);
        return bootstrapAdmin(one.deps, { tenantId: 'acme' as TenantId, key: 'k', requestId: 'r' });
      };
      const [page, byApi] = await Promise.all([browser.submit('/sign-in/first', form), redeem()]);
      const byPage = /You sign in as/.test(page.text);
      assert.notEqual(byPage, isRight(byApi), `after ${delay}: ${page.status}`);
      winners.push(byPage ? 'page' : 'api');
      await one.close();
    }
    assert.deepEqual([...new Set(winners)].sort(), ['api', 'page']);
  });

  it('accepts the right password, and refuses all else with one message', async () => {
    await enrolPerson(stage);
    const right = await signIn(stage.browser(), ' ADA@example.org');
    assert.match(right.text, /Signed in as/);
    const wrong = await signIn(stage.browser(), 'ada@example.org', 'not the password');
    const unknown = await signIn(stage.browser(), 'nobody@example.org', strongPassword);
    assert.deepEqual([wrong.status, unknown.status], [401, 401]);
    const without = (text: string) => text.replaceAll(/value="[^"]*"|data-passkey="[^"]*"/g, '');
    assert.equal(without(wrong.text), without(unknown.text));
  });

  it('asks for the code of an app, once for each code', async () => {
    const { browser } = await enrolPerson(stage);
    const key = keyIn((await browser.open('/account/totp')).text);
    assert.equal((await browser.submit('/account/totp', { code: '000000' })).status, 422);
    const set = await browser.submit('/account/totp', { code: codeNow(key) });
    assert.match(set.text, /Keep these codes/);
    assert.match((await browser.open('/account')).text, /An app is set up/);
    stage.wait(60);
    const [one, other] = [stage.browser(), stage.browser()];
    assert.match((await signIn(one)).text, /Enter your code/);
    assert.match((await one.submit('/sign-in/code', { code: codeNow(key) })).text, /Signed in as/);
    await signIn(other);
    assert.equal((await other.submit('/sign-in/code', { code: codeNow(key) })).status, 401);
    assert.match((await other.submit('/sign-in/code', { code: codeNow(key, 1) })).text, /Signed in as/);
  });

  it('has a second factor set up where the tenant requires one', async () => {
    await enrolPerson(stage);
    const rules = { mfa: 'required', passwords: true, passkeys: true, sessionSeconds: 3_600, providers: [] };
    assert.equal((await stage.api('PUT', '/v1/sign-in-policy', rules)).status, 200);
    const browser = stage.browser();
    const page = await signIn(browser);
    const key = keyIn(page.text);
    assert.match((await browser.submit('/sign-in/code', { code: codeNow(key) })).text, /Keep these codes/);
    assert.match((await browser.open('/account')).text, /Signed in as/);
    const made = await stage.api('POST', '/v1/people', { login: 'bob', displayName: 'Bob' });
    const { enrolmentUrl } = (await made.json()) as { enrolmentUrl: string };
    const other = stage.browser();
    await other.open(enrolmentUrl.replace('https://septet.example', ''));
    const next = await other.submit('/sign-in/enrol', { password: strongPassword });
    await other.submit('/sign-in/code', { code: codeNow(keyIn(next.text)) });
    assert.match((await other.open('/account')).text, /Signed in as/);
  });

  it('asks who has a passkey for it in place of a code, and for a code where the tenant allows no passkeys', async () => {
    const { principalId: id } = await enrolPerson(stage);
    const person = { tenantId: 'acme' as TenantId, principalId: id as PrincipalId };
    const key = { passkeyId: 'key-1', publicKey: 'cose', counter: 0, transports: [], name: 'Laptop', enrolment: null };
    const about = { principalId: person.principalId, at: stage.deps.clock.now() };
    const acting = { requestId: 'r-1', actor: id };
    await updateAuthenticators(stage.deps, person, {
      command: { type: 'AddPasskey', ...about, ...key },
      context: acting,
    });
    assert.match((await signIn(stage.browser())).text, /Sign in with your passkey\./);
    const rules = { mfa: 'required', passwords: true, passkeys: false, sessionSeconds: 3_600, providers: [] };
    const confirmed = { ...rules, confirmsRemovedMethods: true };
    assert.equal((await stage.api('PUT', '/v1/sign-in-policy', confirmed)).status, 200);
    assert.match((await signIn(stage.browser())).text, /Set up a second factor/);
  });

  it('says where passkeys work to who came by an address, and keeps the other ways in', async () => {
    const address = 'http://127.0.0.1:7070';
    for (const [named, advice] of [
      [['http://localhost:7070'], /<a href="http:\/\/localhost:7070\/sign-in">/],
      [[], /Ask who runs this for the name that it has/],
    ] as const) {
      const elsewhere = await startPeople({}, [address, ...named]);
      const made = await elsewhere.api('POST', '/v1/people', { login: 'ada@example.org', displayName: 'Ada' });
      const { principalId: id, enrolmentUrl } = (await made.json()) as { principalId: string; enrolmentUrl: string };
      const by = { 'x-forwarded-proto': 'http', 'x-forwarded-host': '127.0.0.1:7070' };
      const browser = elsewhere.browser();
      const enrolling = await browser.request(enrolmentUrl.slice(new URL(enrolmentUrl).origin.length), undefined, by);
      assert.match(enrolling.text, /Passkeys do not work at this address[\s\S]*name="password"/);
      await browser.submit('/sign-in/enrol', { password: strongPassword }, by);
      const person = { tenantId: 'acme' as TenantId, principalId: id as PrincipalId };
      const key = {
        passkeyId: 'key-1',
        publicKey: 'cose',
        counter: 0,
        transports: [],
        name: 'Laptop',
        enrolment: null,
      };
      const about = { principalId: person.principalId, at: elsewhere.deps.clock.now() };
      const acting = { requestId: 'r-1', actor: id };
      await updateAuthenticators(elsewhere.deps, person, {
        command: { type: 'AddPasskey', ...about, ...key },
        context: acting,
      });
      const other = elsewhere.browser();
      const first = await other.request('/sign-in', undefined, by);
      assert.match(first.text, advice);
      const page = await other.submit('/sign-in', { login: 'ada@example.org', password: strongPassword }, by);
      assert.equal(page.status, 403);
      assert.match(page.text, /Your passkey is needed, and it does not work at this address/);
      assert.match(page.text, advice);
      assert.match(page.text, /name="password"/);
      assert.doesNotMatch(page.text, /Set up a second factor/);
      await elsewhere.close();
    }
  });

  it('returns to the requested page, and asks again after too long', async () => {
    const { browser } = await enrolPerson(stage);
    const target = '/oauth/authorize?client_id=acme~console&state=a%20b';
    const on = await browser.request(`/sign-in?continue=${encodeURIComponent(target)}`);
    assert.deepEqual([on.status, on.headers.get('location')], [303, target]);
    stage.wait(400);
    const signInPage = await browser.open(`/sign-in?continue=${encodeURIComponent(target)}&max_age=300`);
    assert.match(signInPage.text, /name="password"/);
    const before = browser.cookie();
    const done = await browser.submit('/sign-in', { login: 'ada@example.org', password: strongPassword });
    assert.equal(browser.onward(done), target);
    assert.notEqual(browser.cookie(), before);
  });
});
