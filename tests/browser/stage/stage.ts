/** One browser and one running system for all files of this folder that a process runs; the last that needs them ends them. */
import assert from 'node:assert/strict';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { chromiumPath } from './chromium';
import { type Look, type Opened, openPage } from './pages';
import { type System, startSystem } from './system';

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

interface Shared {
  readonly browser: Browser;
  readonly system: System;
  /** Of the first admin, as it was shown once. */
  readonly credential: { readonly clientId: string; readonly clientSecret: string };
  readonly session: Session;
}

const startBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] });

/** As the first admin does: with the code that was printed. */
const enterFirst = async (browser: Browser, system: System): Promise<Pick<Shared, 'credential' | 'session'>> => {
  const { page, errors, close } = await openPage(browser, system.url);
  await page.goto('/');
  await page.getByRole('button', { name: 'Use the first sign-in code' }).click();
  await page.getByLabel('First sign-in code').fill(system.code);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Keep your credential' }).waitFor();
  const [clientId = '', clientSecret = ''] = await page.locator('dd').allTextContents();
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('heading', { name: 'Streams' }).waitFor();
  const session = await page.context().storageState();
  assert.deepEqual(errors, []);
  await close();
  return { credential: { clientId, clientSecret }, session };
};

const start = async (): Promise<Shared> => {
  const [browser, system] = await Promise.all([startBrowser(chromiumPath() as string), startSystem()]);
  return { browser, system, ...(await enterFirst(browser, system)) };
};

let shared: Promise<Shared> | undefined;
let users = 0;

/** Its projectors would go on to sweep the indexes of whoever uses the same Elasticsearch next. */
const leave = async (): Promise<void> => {
  users -= 1;
  if (users > 0 || shared === undefined) return;
  const { browser, system } = await shared;
  shared = undefined;
  await browser.close();
  await system.stop();
};

export interface Stage extends Shared {
  /** A page that is signed in, unless a session is given or refused; every error on it fails the test. */
  readonly open: (path: string, look?: Look & { readonly isStranger?: boolean }) => Promise<Opened['page']>;
  readonly admin: () => ReturnType<typeof signInAgain>;
}

const signInAgain = async ({
  url,
  clientId,
  clientSecret,
}: {
  url: string;
  clientId: string;
  clientSecret: string;
}) => {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const issued = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = (await issued.json()) as { readonly access_token: string };
  return (path: string, body: object): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
};

/** Registers its hooks with the describe that calls it; skips that where there is no browser. */
export const onStage = (): Stage => {
  const stage = {} as { -readonly [Field in keyof Stage]: Stage[Field] };
  const opened: Opened[] = [];
  users += 1;
  before(async function () {
    this.timeout(300_000);
    if (chromiumPath() === undefined) {
      console.log('      no Chromium on the PATH (Debian: apt-get install chromium): the console is not tested');
      this.skip();
    }
    shared ??= start();
    Object.assign(stage, await shared);
  });
  stage.open = async (path, { isStranger = false, ...look } = {}) => {
    const { browser, system, session } = stage;
    const page = await openPage(browser, system.url, { ...(isStranger ? {} : { session }), ...look });
    opened.push(page);
    await page.page.goto(path);
    return page.page;
  };
  stage.admin = () => signInAgain({ url: stage.system.url, ...stage.credential });
  afterEach(async () => {
    const done = opened.splice(0);
    await Promise.all(done.map(({ close }) => close()));
    for (const { errors } of done) assert.deepEqual(errors, []);
  });
  after(leave);
  return stage;
};
