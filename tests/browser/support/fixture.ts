/** The run's browser and running system, for the files of this folder. */
import assert from 'node:assert/strict';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { type Look, type Opened, openContext, openPage, openTab } from '../../support/browser/browser-page';
import type { FirstSignIn } from '../../support/identity/first-sign-in';
import { openSystem, type SharedSystem, type System } from '../../support/processes/running-system';
import { needs } from '../../support/runner/prerequisites';
import { fromRunner } from '../../support/servers/shared-servers';

export interface Stage extends FirstSignIn {
  readonly browser: Browser;
  readonly system: System;
  /** A page that is signed in, unless a session is given or refused; every error on it fails the test. */
  readonly open: (path: string, look?: Look & { readonly isStranger?: boolean }) => Promise<Page>;
  /** Loads the page again until it shows what was recorded past our services, whose answers would have named the position to wait for. */
  readonly openWhen: (path: string, shows: (page: Page) => Locator) => Promise<Page>;
  /** The same of a page that is open. */
  readonly until: (page: Page, expected: Locator) => Promise<void>;
  readonly admin: () => ReturnType<typeof signInAgain>;
  /** An access token of the admin's credential. */
  readonly token: () => Promise<string>;
}

/** As for whatever else a page is to show. */
const longestMilliseconds = 60_000;

interface Credential {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const issueToken = async ({ url, clientId, clientSecret }: Credential): Promise<string> => {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const issued = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  return ((await issued.json()) as { readonly access_token: string }).access_token;
};

const signInAgain = async (credential: Credential) => {
  const { url } = credential;
  const token = await issueToken(credential);
  return (path: string, body: object): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
};

/** Registers its hooks with the describe that calls it; skips that where there is no browser. */
export const useConsole = (): Stage => {
  const stage = {} as { -readonly [Field in keyof Stage]: Stage[Field] };
  const opened: Opened[] = [];
  /** Of the signed-in pages. */
  let context: BrowserContext | undefined;
  needs('chromium');
  before(async function () {
    // The first file starts the system for all of them.
    this.timeout(240_000);
    const shared = JSON.parse(await fromRunner('system')) as SharedSystem;
    const browser = await chromium.connect(await fromRunner('browser'));
    Object.assign(stage, {
      browser,
      system: openSystem(shared),
      credential: shared.credential,
      session: shared.session,
    });
  });
  stage.open = async (path, { isStranger = false, ...look } = {}) => {
    const { browser, system, session } = stage;
    const { url } = system;
    const needsOwn = isStranger || [look.session, look.theme, look.hasScripts].some((one) => one !== undefined);
    if (!needsOwn) context ??= await openContext(browser, url, { session });
    const page = await (needsOwn || context === undefined
      ? openPage(browser, url, { ...(isStranger ? {} : { session }), ...look })
      : openTab(context, url, look));
    opened.push(page);
    await page.page.goto(path);
    return page.page;
  };
  stage.until = async (page, expected) => {
    const began = Date.now();
    for (;;) {
      try {
        return await expected.first().waitFor({ timeout: 2_000 });
      } catch (error) {
        if (Date.now() - began > longestMilliseconds) throw error;
      }
      await page.reload();
    }
  };
  stage.openWhen = async (path, shows) => {
    const page = await stage.open(path);
    await stage.until(page, shows(page));
    return page;
  };
  stage.admin = () => signInAgain({ url: stage.system.url, ...stage.credential });
  stage.token = () => issueToken({ url: stage.system.url, ...stage.credential });
  afterEach(async () => {
    const done = opened.splice(0);
    await Promise.all(done.map(({ close }) => close()));
    for (const { errors } of done) assert.deepEqual(errors, []);
  });
  after(async () => {
    if (!('browser' in stage)) return;
    await stage.browser.close();
    await stage.system.close();
  });
  return stage;
};
