/** A provider's session may be hours old: it does not prove a fresh sign-in. */
import assert from 'node:assert/strict';
import type { FormBrowser } from '../form-browser';
import { ada, useProvider } from './fixture';

describe('signing in again through an enterprise’s provider', () => {
  const { stage, provider, allow, leave } = useProvider();
  const seconds = (): number => Math.floor(stage().now() / 1000);
  const leaveFrom = async (browser: FormBrowser, query: string): Promise<string> => {
    await browser.open(`/sign-in${query}`);
    return browser.onward(await browser.submit('/sign-in/with')) ?? '';
  };
  beforeEach(() => allow());

  it('asks the provider to ask again where a page or an application wants it, and only there', async () => {
    for (const query of ['?prompt=login', '?max_age=300', '?acr=mfa']) {
      const { searchParams } = new URL(await leaveFrom(stage().browser(), query));
      assert.deepEqual([searchParams.get('prompt'), searchParams.get('max_age')], ['login', '0'], query);
    }
    assert.equal(new URL(await leaveFrom(stage().browser(), '')).searchParams.get('prompt'), null);
  });

  it('takes no old proof for a new one, nor forgets that it was one', async () => {
    const browser = stage().browser();
    provider().answering.claims = { ...ada, auth_time: seconds() - 7_200 };
    await browser.open(provider().back(await leave(browser)));
    assert.match((await browser.open('/account')).text, /since 2026-01-31 10:00 UTC/);
    const page = await browser.open('/account/password');
    assert.match(page.text, /Sign in with Example Ltd/);
    const refused = await browser.open(provider().back(browser.onward(await browser.submit('/sign-in/with')) ?? ''));
    assert.deepEqual([refused.status, /must sign in again/.test(refused.text)], [403, true]);
    await browser.open('/account/password');
    const url = browser.onward(await browser.submit('/sign-in/with')) ?? '';
    provider().answering.claims = { ...ada, auth_time: seconds() - 30 };
    assert.match((await browser.open(provider().back(url))).text, /New password/);
  });

  it('believes a provider that does not say when', async () => {
    const browser = stage().browser();
    provider().answering.claims = { ...ada, auth_time: undefined };
    await browser.open(provider().back(await leaveFrom(browser, '?max_age=300&continue=/account')));
    assert.match((await browser.open('/account/password')).text, /New password/);
  });

  it('keeps what was proved here a moment before', async () => {
    const browser = stage().browser();
    provider().answering.claims = { ...ada, auth_time: seconds() };
    await browser.open(provider().back(await leave(browser)));
    provider().answering.claims = { ...ada, auth_time: seconds() - 7_200 };
    await browser.request('/sign-in?prompt=select_account');
    await browser.open(provider().back(browser.onward(await browser.submit('/sign-in/with')) ?? ''));
    assert.match((await browser.open('/account/password')).text, /New password/);
  });
});
