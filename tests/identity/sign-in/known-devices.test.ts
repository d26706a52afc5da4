/** Strangers close a login's password; browsers in which the person has signed in before count apart. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { requireSignInAttempt } from '../../../commands/identity/sign-in/attempt-limits';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { bootstrapCode, enrolPerson, type PeopleStage, signIn, startPeople } from './fixture';
import type { FormBrowser } from './form-browser';

const login = 'ada@example.org';
const deviceCookie = '__Host-septet-device';

describe('a stranger who closes the password of a login', () => {
  let stage: PeopleStage;
  beforeEach(async () => {
    stage = await startPeople();
  });
  afterEach(() => stage.close());

  const guess = async (browser: FormBrowser, who = login): Promise<number> =>
    (await signIn(browser, who, 'not the password')).status;
  const closeBy = async (browserOf: () => FormBrowser, who = login): Promise<void> => {
    for (let tries = 0; tries < 10; tries += 1) assert.equal(await guess(browserOf(), who), 401);
    assert.equal(await guess(browserOf(), who), 429);
  };
  /** Of all that a browser has, the device cookie alone. */
  const stolenFrom = (owner: FormBrowser): FormBrowser => {
    const thief = stage.browser();
    thief.jar.set(deviceCookie, owner.jar.get(deviceCookie) ?? '');
    return thief;
  };
  const signedOut = async (browser: FormBrowser): Promise<FormBrowser> => {
    await browser.open('/account/sign-out');
    await browser.submit('/account/sign-out');
    return browser;
  };
  const isClosed = async (browser: FormBrowser): Promise<boolean> => (await signIn(browser)).status === 429;

  it('does not stop the person in a browser that they have signed in with before', async () => {
    const { browser } = await enrolPerson(stage);
    await signedOut(browser);
    await closeBy(() => stage.browser());
    assert.ok(await isClosed(stage.browser()), 'the right password does not help in a new browser');
    assert.match((await signIn(browser)).text, /Signed in as/);
  });

  it('does not stop that browser by a hundred tries at other logins from the same address either', async () => {
    const { browser } = await enrolPerson(stage);
    await signedOut(browser);
    for (let index = 0; index < 100; index += 1) assert.equal(await guess(stage.browser(), `l${index}`), 401);
    assert.equal(await guess(stage.browser(), 'another'), 429);
    assert.match((await signIn(browser)).text, /Signed in as/);
  });

  it('closes no other way in at an address by a hundred wrong passwords: codes and providers are counted apart', async () => {
    for (let index = 0; index < 100; index += 1) assert.equal(await guess(stage.browser(), `l${index}`), 401);
    assert.equal(await guess(stage.browser(), 'another'), 429);
    const { attempts } = stage.deps.people;
    for (const kind of ['code', 'return'] as const) {
      const taken = await requireSignInAttempt(attempts, { kind, name: 'ada', address: '192.0.2.7' });
      assert.ok(isRight(taken), kind);
    }
    const browser = stage.browser();
    await browser.open('/sign-in/first');
    const first = await browser.submit('/sign-in/first', { code: bootstrapCode, login: 'root', displayName: 'Root' });
    assert.match(first.text, /You sign in as/);
  });

  it('gets the same message about remaining methods whether or not the login exists', async () => {
    await enrolPerson(stage);
    await closeBy(() => stage.browser());
    await closeBy(() => stage.browser(), 'nobody@example.org');
    const [known, unknown] = [await signIn(stage.browser()), await signIn(stage.browser(), 'nobody@example.org')];
    const without = (text: string) => text.replaceAll(/value="[^"]*"|data-passkey="[^"]*"/g, '');
    assert.equal(without(known.text), without(unknown.text));
    assert.deepEqual([known.status, known.headers.get('retry-after')], [429, '900']);
    assert.match(known.text, /You can try again here in 15 minutes\./);
    assert.match(
      known.text,
      /Until then, use the password in a browser that you signed in with before, or a passkey\./,
    );
    assert.match(known.text, /action="\/sign-in\/passkey" data-passkey=/);
  });

  it('has ten tries with a stolen device cookie, which close neither the owner’s way nor anybody else’s', async () => {
    const { browser } = await enrolPerson(stage);
    const thief = stolenFrom(browser);
    await signedOut(browser);
    await closeBy(() => thief);
    const page = await signIn(thief);
    assert.doesNotMatch(page.text, /a browser that you signed in with before/);
    assert.equal(await guess(stage.browser()), 401, 'strangers are counted apart');
    stage.wait(15 * 60 + 1);
    assert.match((await signIn(browser)).text, /Signed in as/);
    await signedOut(browser);
    await closeBy(() => stage.browser());
    assert.ok(await isClosed(thief), 'a copy ends when its owner signs in again');
    assert.match((await signIn(browser)).text, /Signed in as/);
  });

  it('is a stranger with the device cookie of another person, and in another tenant', async () => {
    await enrolPerson(stage);
    const { browser: other } = await enrolPerson(stage, 'bob@example.org');
    await closeBy(() => stage.browser());
    assert.equal(await guess(stolenFrom(other)), 429);
    for (let tries = 0; tries < 10; tries += 1)
      await signIn(stage.browser(), 'bob@example.org', 'wrong', '?tenant=globex');
    const elsewhere = await signIn(stolenFrom(other), 'bob@example.org', 'wrong', '?tenant=globex');
    assert.equal(elsewhere.status, 429);
  });

  it('is counted as a stranger with device cookies that were made up', async () => {
    await enrolPerson(stage);
    let made = 0;
    const madeUp = (): FormBrowser => {
      const browser = stage.browser();
      made += 1;
      browser.jar.set(deviceCookie, String(made).padStart(43, 'A'));
      return browser;
    };
    await closeBy(madeUp);
    assert.ok(await isClosed(stage.browser()));
  });

  it('meets browsers that are strangers again: signed out everywhere, epoch raised, three months later', async () => {
    const { browser, principalId: id } = await enrolPerson(stage);
    const principalId = id as PrincipalId;
    const isKnown = async (): Promise<boolean> => {
      const copy = stolenFrom(browser);
      for (let tries = 0; tries < 10; tries += 1) await guess(stage.browser());
      const answer = await guess(copy);
      stage.wait(15 * 60 + 1);
      return answer === 401;
    };
    assert.ok(await isKnown());
    await browser.open('/account');
    await browser.submit('/account/sessions/end-all');
    assert.equal(await isKnown(), false, 'after signing out everywhere');
    await signIn(browser);
    assert.ok(await isKnown());
    const bumped = { principalId, from: 1, to: 2, grants: 'kept', reason: 'Lost.' } as const;
    await stage.record(id, { type: 'SecurityEpochBumped', data: bumped });
    assert.equal(await isKnown(), false, 'after the epoch was raised');
    await signIn(browser);
    stage.wait(89 * 86_400);
    assert.ok(await isKnown());
    stage.wait(86_400);
    assert.equal(await isKnown(), false, 'after 90 days, however often it was used');
  });

  it('cannot make us keep devices without end: the oldest is forgotten', async () => {
    const { browser } = await enrolPerson(stage);
    const oldest = stolenFrom(browser);
    const browsers = Array.from({ length: 20 }, () => stage.browser());
    for (const one of browsers) await signIn(one);
    await closeBy(() => stage.browser());
    assert.equal(await guess(oldest), 429);
    assert.equal(await guess(stolenFrom(browsers[0] as FormBrowser)), 401);
  });
});
