/** The first sign-in of an installation, on its page. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openPage } from '../browser/browser-page';

export interface FirstSignIn {
  /** Of the first admin, as it was shown once. */
  readonly credential: { readonly clientId: string; readonly clientSecret: string };
  /** What the admin's browser keeps. */
  readonly session: Awaited<ReturnType<BrowserContext['storageState']>>;
}

/** As a program does, where there is no browser; so no browser keeps a session. */
export const enterByCode = async ({
  url,
  code,
}: {
  readonly url: string;
  readonly code: string;
}): Promise<FirstSignIn> => {
  const response = await fetch(`${url}/v1/bootstrap`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  assert.equal(response.ok, true, `the sign-in code is answered with ${response.status}`);
  const { clientId, clientSecret } = (await response.json()) as FirstSignIn['credential'];
  return { credential: { clientId, clientSecret }, session: { cookies: [], origins: [] } };
};

/** The same, and signs a browser in with the credential. */
export const enterFirst = async (
  browser: Browser,
  { url, code }: { readonly url: string; readonly code: string },
): Promise<FirstSignIn> => {
  const { credential } = await enterByCode({ url, code });
  const { page, errors, close } = await openPage(browser, url);
  await page.goto('/console/sign-in');
  await page.getByLabel('Client id').fill(credential.clientId);
  await page.getByLabel('Client secret').fill(credential.clientSecret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const session = await page.context().storageState();
  assert.deepEqual(errors, []);
  await close();
  return { credential, session };
};

/** As a person: from the printed address to the console. `look` sees the form. Answers what the browser keeps. */
export const enterFirstAsPerson = async (
  browser: Browser,
  { url, code, look }: { readonly url: string; readonly code: string; readonly look: (page: Page) => Promise<void> },
): Promise<FirstSignIn['session']> => {
  const { page, errors, close } = await openPage(browser, url);
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'First sign-in' }).waitFor();
  await look(page);
  // By keyboard alone; the page has the focus in its first field.
  await page.keyboard.type(code);
  for (const text of ['root@example.org', 'Grace Hopper']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
  await page.getByLabel('New password').fill('a quiet lamp by the sea');
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Sections' }).waitFor();
  const session = await page.context().storageState();
  assert.deepEqual(errors, []);
  await close();
  return session;
};
