/** The first sign-in of an installation, on its page. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext } from 'playwright-core';
import { openPage } from '../browser/browser-page';

export interface FirstSignIn {
  /** Of the first admin, as it was shown once. */
  readonly credential: { readonly clientId: string; readonly clientSecret: string };
  /** What the admin's browser keeps. */
  readonly session: Awaited<ReturnType<BrowserContext['storageState']>>;
}

/** As the first admin does: with the code that was printed. */
export const enterFirst = async (
  browser: Browser,
  { url, code }: { readonly url: string; readonly code: string },
): Promise<FirstSignIn> => {
  const { page, errors, close } = await openPage(browser, url);
  await page.goto('/');
  await page.getByRole('button', { name: 'Use the first sign-in code' }).click();
  await page.getByLabel('First sign-in code').fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Keep your credential' }).waitFor();
  const [clientId = '', clientSecret = ''] = await page.locator('dd').allTextContents();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const session = await page.context().storageState();
  assert.deepEqual(errors, []);
  await close();
  return { credential: { clientId, clientSecret }, session };
};
