/** What people meet first: addresses that nothing answers, help with signing in, an authenticator app, and no console where there is nothing in it. */
import assert from 'node:assert/strict';
import { axeViolationsOn } from './support/axe';
import { setPassword, strong, usePersonPages } from './support/person-pages';

const refusedLoad = /Failed to load resource/;

describe('the first hour', () => {
  const { stage, open, enrolment } = usePersonPages();

  it('shows a page at an unknown address to browsers, and a problem to programs', async () => {
    const { url } = stage.system;
    const page = await open('/nowhere/at/all', { expects: refusedLoad }, url);
    await page.getByRole('heading', { level: 1, name: 'No page has this address' }).waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: page.getByText('It may have moved') }), []);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    const answer = await fetch(`${url}/nowhere`);
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [404, 'application/problem+json']);
  });

  it('links help with signing in, and follows the theme that the console keeps', async () => {
    const page = await open('/sign-in', {}, stage.system.url);
    await page.keyboard.press('Tab');
    await page.getByText('Can’t sign in?').press('Enter');
    await page.getByText('ask an administrator for a new link').waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.evaluate("localStorage.setItem('septet-theme', 'dark')");
    await page.reload();
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
  });

  it('keeps a person without rights in the console on the own account, where an app is set up by its code', async () => {
    const home = stage.system.url;
    const page = await open(await enrolment('grace.hour@example.org'), {}, home);
    await setPassword(page);
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    assert.ok(page.url().endsWith('/account'));
    assert.equal(await page.getByRole('link', { name: 'Console' }).count(), 0);
    await page.getByRole('link', { name: 'Set one up' }).click();
    // The step-up requires the password again.
    const code = page.getByRole('img', { name: /^QR code/ });
    await code.or(page.getByLabel('Password')).waitFor();
    if ((await code.count()) === 0) {
      await page.getByLabel('Login').fill('grace.hour@example.org');
      await page.getByLabel('Password').fill(strong);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    }
    await code.waitFor();
    assert.match((await page.locator('[data-key]').textContent()) ?? '', /^[A-Z2-7]{32}$/);
    assert.deepEqual(await axeViolationsOn(page, { content: code }), []);
  });
});
