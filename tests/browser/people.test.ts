/** People's own pages, in a browser that has passkeys. */
import assert from 'node:assert/strict';
import { openScriptlessBrowser } from '../support/identity/scriptless-browser';
import { pageOf } from '../support/identity/tenant';
import { axeViolationsOn } from './support/axe';
import { authenticator, setPassword, signedIn, signOut, strong, usePersonPages } from './support/person-pages';

interface Credential {
  readonly credentialId: string;
  readonly signCount: number;
}

describe('people’s own pages', () => {
  const { stage, place, open, enrolment } = usePersonPages();

  it('takes a passkey from a link, signs in with it, and refuses it when it is sent again or was copied', async () => {
    const page = await open(await enrolment('hedy@example.org'), { expects: /Failed to load resource/ });
    const { cdp, authenticatorId } = await authenticator(page);
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await signedIn(page);
    await signOut(page);
    const requestBodies: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/sign-in/passkey')) requestBodies.push(request.postData() ?? '');
    });
    const before = await page.context().cookies();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await signedIn(page);
    await page.context().clearCookies();
    await page.context().addCookies(before);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const again = await page.request.post('/sign-in/passkey', { headers, data: requestBodies[0] ?? '' });
    assert.deepEqual([requestBodies.length, again.status()], [1, 401]);

    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    const [known] = credentials as unknown as readonly Credential[];
    assert.ok(known !== undefined && known.signCount > 1);
    await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: known.credentialId });
    const copy = { ...known, signCount: 0 } as never;
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: copy });
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'The passkey was copied' }).waitFor();
  });

  it('has the first field focused, explains the login, and shows a password until it is sent', async () => {
    const page = await open(await enrolment('focused@example.org'));
    await page.locator('input:focus[name=password]').waitFor();
    await page.keyboard.type(strong);
    const password = page.getByLabel('New password');
    assert.equal(await password.getAttribute('type'), 'password');
    await page.getByRole('button', { name: 'Show what is typed' }).click();
    assert.deepEqual([await password.getAttribute('type'), await password.inputValue()], ['text', strong]);
    await page.locator('input:focus[name=password]').waitFor();
    await page.getByRole('button', { name: 'Hide what is typed' }).click();
    assert.equal(await password.getAttribute('type'), 'password');
    assert.equal(await password.getAttribute('autocomplete'), 'new-password');
    await page.getByRole('button', { name: 'Show what is typed' }).click();
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.evaluate(
      `document.querySelector('form [name=password]').form.addEventListener('submit', () => { window.sentAs = document.getElementById('password').type; sessionStorage.setItem('sent-as', window.sentAs); })`,
    );
    await page.keyboard.press('Enter');
    await sent;
    await signedIn(page);
    assert.equal(await page.evaluate("sessionStorage.getItem('sent-as')"), 'password');
    await signOut(page);
    await page.goto('/sign-in');
    const login = page.getByLabel('Login');
    await page.locator('input:focus[name=login]').waitFor();
    const description = await login.getAttribute('aria-describedby');
    await page.locator(`#${description}`).getByText('e-mail address').waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
  });

  it('adds and removes passkeys, and works without scripts where there are none', async () => {
    const page = await open(await enrolment('grace@example.org'));
    await authenticator(page);
    await setPassword(page);
    await page.getByLabel('Name of the new passkey').fill('My <key>');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('My <key>').waitFor();
    await page.getByRole('region', { name: 'Passkeys' }).getByRole('button', { name: 'Remove' }).click();
    await page.getByText('You have none.').waitFor();
    const context = await stage.browser.newContext({ baseURL: place(), javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto('/sign-in');
    assert.equal(await plain.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0);
    await plain.getByLabel('Login').fill('grace@example.org');
    await plain.getByLabel('Password').fill(strong);
    await plain.getByRole('button', { name: 'Sign in', exact: true }).click();
    await signedIn(plain);
    await context.close();
  });

  it('lets a person in by a passkey in a new browser while guesses of strangers have blocked the password, and shows that', async () => {
    const page = await open(await enrolment('ida@example.org'), { expects: /Failed to load resource/ });
    await authenticator(page);
    await setPassword(page);
    await page.getByLabel('Name of the new passkey').fill('A key');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('A key').waitFor();
    await signOut(page);
    // What the browser was known by goes; its authenticator stays.
    await page.context().clearCookies();
    await page.goto('/sign-in');
    const stranger = openScriptlessBrowser(stage.system.url, fetch);
    const begun = await pageOf(stranger.go('/sign-in'));
    const guessed = { login: 'ida@example.org', password: 'not the password' };
    for (let tries = 0; tries < 9; tries += 1)
      assert.equal((await pageOf(stranger.press(begun, guessed, '/sign-in'))).status, 401);
    const guess = async (): Promise<void> => {
      await page.getByLabel('Login').fill('ida@example.org');
      await page.getByLabel('Password').fill('not the password');
      const navigated = page.waitForEvent('framenavigated');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await navigated;
      await page.getByRole('alert').filter({ visible: true }).first().waitFor();
    };
    await guess();
    await page.getByText('The login or the password is wrong.').waitFor();
    await guess();
    await page.getByText(/You can try again here in 15 minutes\. Until then, use .*a passkey\./).waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await signedIn(page);
    const authorization = `Bearer ${await stage.token()}`;
    const listed = await fetch(`${stage.system.url}/v1/principals?q=ida@example.org`, { headers: { authorization } });
    const { items } = (await listed.json()) as { readonly items: readonly { readonly principalId: string }[] };
    const operator = await stage.open(`/console/principals/${items[0]?.principalId ?? ''}`);
    await operator
      .getByText(/^Sign-in of this person is limited after too many wrong passwords or codes\. Last refused/)
      .waitFor();
  });

  it('are for everybody', async () => {
    const page = await open(await enrolment('mary@example.org'));
    assert.deepEqual(await axeViolationsOn(page), []);
    await setPassword(page);
    for (const path of [
      '/account',
      '/account/password',
      '/account/sign-out',
      '/sign-in/first',
      '/sign-in?prompt=login',
    ]) {
      await page.goto(path);
      assert.deepEqual(await axeViolationsOn(page), []);
    }
  });
});
