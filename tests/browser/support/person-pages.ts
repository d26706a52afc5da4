/** People's own pages, each in a browser of its own; every error on one fails the test. */
import assert from 'node:assert/strict';
import type { CDPSession, Page } from 'playwright-core';
import { type Look, type Opened, openPage } from '../../support/browser/browser-page';
import { contentOf } from '../../support/identity/tenant';
import { useConsole } from './fixture';

export const strong = 'a quiet lamp by the sea';

/** On the own account, or in the console. The failure names the page that was there instead. */
export const signedIn = async (page: Page): Promise<void> => {
  try {
    await page.waitForURL(/\/(?:account|console\/(?!session))/);
  } catch (error) {
    throw new Error(`${page.url()} shows: ${await page.locator('body').innerText()}`, { cause: error });
  }
};

export const signOut = async (page: Page): Promise<void> => {
  await page.goto('/account/sign-out');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
};

/** From the page that a link leads to. */
export const setPassword = async (page: Page): Promise<void> => {
  await page.getByLabel('New password').fill(strong);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await signedIn(page);
};

/** A device of this browser that keeps passkeys. */
export const authenticator = async (page: Page) => {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
  const person = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  const added = await cdp.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, ...person } });
  return { cdp, ...added };
};

export const usePersonPages = () => {
  const stage = useConsole();
  const opened: Opened[] = [];
  afterEach(async () => {
    const done = opened.splice(0);
    await Promise.all(done.map(({ close }) => close()));
    for (const { errors } of done) assert.deepEqual(errors, []);
  });

  /** Passkeys are for names: the same place, by the one that this machine has. */
  const place = (): string => stage.system.url.replace('127.0.0.1', 'localhost');
  const open = async (path: string, look: Look = {}, url = place()): Promise<Page> => {
    const page = await openPage(stage.browser, url, look);
    opened.push(page);
    await page.page.goto(path);
    return page.page;
  };
  const enrolled = async (login: string, more: object = {}) => {
    const send = await stage.admin();
    const made = send('/v1/people', { login, displayName: 'Ada Lovelace', ...more });
    const { principalId, enrolmentUrl } = await contentOf<Readonly<Record<string, string>>>(made);
    const { pathname, search } = new URL(enrolmentUrl as string);
    return { principalId, path: pathname + search };
  };
  const enrolment = async (login: string, more?: object): Promise<string> => (await enrolled(login, more)).path;
  return { stage, place, open, enrolled, enrolment };
};
