/** Recovery codes: shown once, good once, and only for who has the password and an app that is lost. */
import assert from 'node:assert/strict';
import { codeAtTime, keyIn } from '../../support/identity/authenticator-app';
import { admin, enrolPerson, type PeopleStage, signIn, startPeople } from './fixture';
import { type FormBrowser, openFormBrowser } from './form-browser';

const codesIn = (text: string): readonly string[] => text.match(/(?<=<li>)[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}(?=<)/g) ?? [];
const isIn = /Signed in as/;

describe('recovery codes', () => {
  let stage: PeopleStage;
  let browser: FormBrowser;
  let principalId: string;
  let codes: readonly string[];
  beforeEach(async () => {
    stage = await startPeople();
    ({ browser, principalId } = await enrolPerson(stage));
    codes = await withApp(browser);
  });
  afterEach(() => stage.close());

  const withApp = async (one: FormBrowser): Promise<readonly string[]> => {
    const key = keyIn((await one.open('/account/totp')).text);
    return codesIn((await one.submit('/account/totp', { code: codeAtTime(key, stage.now()) })).text);
  };
  const atRecovery = async (): Promise<FormBrowser> => {
    const one = stage.browser();
    await signIn(one);
    await one.open('/sign-in/recovery');
    return one;
  };
  const use = async (code: string, one?: FormBrowser) =>
    (one ?? (await atRecovery())).submit('/sign-in/recovery', { code });

  it('are ten, come with an app, and each lets in once, however it is typed', async () => {
    assert.equal(new Set(codes).size, 10);
    const [first = '', second = ''] = codes;
    assert.match((await use(` ${first.toLowerCase().replaceAll('-', ' ')} `)).text, isIn);
    const again = await use(first);
    assert.deepEqual([again.status, isIn.test(again.text)], [401, false]);
    const in2 = await use(second);
    assert.match(in2.text, /8 recovery codes are left/);
  });

  it('are void after new codes, or after the app was set up again or removed', async () => {
    await browser.open('/account');
    const others = codesIn((await browser.submit('/account/recovery-codes')).text);
    assert.equal((await use(codes[0] as string)).status, 401);
    stage.wait(60);
    const last = await withApp(browser);
    assert.equal((await use(others[0] as string)).status, 401);
    assert.match((await use(last[0] as string)).text, isIn);
    const waiting = await atRecovery();
    await stage.api('POST', `/v1/principals/${principalId}/totp/remove`, { reason: 'Lost.' }, admin);
    assert.equal((await use(last[1] as string, waiting)).status, 401);
    await browser.open('/account');
    assert.equal(codesIn((await browser.submit('/account/recovery-codes')).text).length, 0);
  });

  it('let in one of two who use the same at once', async () => {
    const both = await Promise.all([atRecovery(), atRecovery()]);
    const pages = await Promise.all(both.map((one) => use(codes[0] as string, one)));
    assert.deepEqual(pages.map(({ text }) => isIn.test(text)).sort(), [false, true]);
  });

  it('guessing: they count with the codes of the app, against the same six tries', async () => {
    const one = await atRecovery();
    for (let tries = 0; tries < 3; tries += 1) assert.equal((await use('AAAA-AAAA-AAAA-AAAA', one)).status, 401);
    await one.open('/sign-in/code');
    for (let tries = 0; tries < 3; tries += 1)
      assert.equal((await one.submit('/sign-in/code', { code: '000000' })).status, 401);
    assert.equal((await use(codes[0] as string)).status, 429);
    stage.wait(901);
    assert.match((await use(codes[0] as string)).text, isIn);
  });

  it('refuses a code without the password, another person’s code, and a form of another site', async () => {
    const stranger = stage.browser();
    assert.match((await stranger.open('/sign-in/recovery')).text, /name="password"/);
    const bob = await enrolPerson(stage, 'bob@example.org');
    const [bobs = ''] = await withApp(bob.browser);
    assert.equal((await use(bobs)).status, 401);
    const forged = openFormBrowser(stage.call);
    await signIn(forged);
    assert.equal((await forged.request('/sign-in/recovery', { code: codes[0] as string })).status, 403);
    stage.wait(301);
    await browser.open('/account');
    assert.equal(codesIn((await browser.submit('/account/recovery-codes')).text).length, 0);
  });

  it('are in no event and no line, but that one was used is', async () => {
    await use(codes[0] as string);
    await use(codes[1] as string);
    const text = await stage.everything();
    for (const code of codes)
      for (const shape of [code, code.replaceAll('-', '')]) assert.ok(!text.includes(shape), shape);
    assert.equal(text.match(/identity\.RecoveryCodeUsed\.v1/g)?.length, 2);
  });
});
