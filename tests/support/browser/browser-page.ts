/** Pages of a browser that notes every error: of scripts, of the policy, of what could not be loaded. */
import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface Look {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  /** Cookies of a signed-in session. */
  readonly session?: Awaited<ReturnType<BrowserContext['storageState']>> | undefined;
  readonly hasScripts?: boolean;
  /** Errors that belong to the test. */
  readonly expects?: RegExp;
}

export interface Opened {
  readonly page: Page;
  readonly errors: readonly string[];
  readonly close: () => Promise<void>;
}

/** Chromium reports a script that the policy stopped only as this event. */
const logPolicyViolations = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('policy: ' + violatedDirective + ' ' + blockedURI));`;

/** What a browser notes of a read model that is behind; the page retries, and shows nothing where the view never comes. */
const behind = /^Failed to load resource: .*\b503\b.*\/(?:v1|actions|api)\//;

const sizeOf = ({ width = 1_280 }: Look) => ({ width, height: 800 });

export const openContext = async (browser: Browser, url: string, look: Look = {}): Promise<BrowserContext> => {
  const { theme = 'light', session, hasScripts = true } = look;
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: theme,
    viewport: sizeOf(look),
    reducedMotion: 'reduce',
    javaScriptEnabled: hasScripts,
    ...(session === undefined ? {} : { storageState: session }),
  });
  context.setDefaultTimeout(60_000);
  await context.addInitScript({ content: logPolicyViolations });
  return context;
};

const openPageIn = async (context: BrowserContext, url: string, { expects }: Look): Promise<Omit<Opened, 'close'>> => {
  const page = await context.newPage();
  const errors: string[] = [];
  const note = (text: string): void => {
    if (expects?.test(text) !== true && !behind.test(text)) errors.push(text);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') note(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => note(`script: ${error.message}`));
  page.on('dialog', (dialog) => {
    note(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  // Nothing is loaded but from our own origin. A film that is still fed to the player has an address in the page's memory.
  const own = [url, `blob:${url}`, 'data:'];
  page.on('request', (request) => {
    if (!own.some((start) => request.url().startsWith(start))) note(`elsewhere: ${request.url()}`);
  });
  return { page, errors };
};

/** In a browser of its own. */
export const openPage = async (browser: Browser, url: string, look: Look = {}): Promise<Opened> => {
  const context = await openContext(browser, url, look);
  return { ...(await openPageIn(context, url, look)), close: () => context.close() };
};

/** In a browser that has loaded the scripts before. What the page keeps goes with it. */
export const openTab = async (context: BrowserContext, url: string, look: Look): Promise<Opened> => {
  const opened = await openPageIn(context, url, look);
  const { page } = opened;
  if (look.width !== undefined) await page.setViewportSize(sizeOf(look));
  const close = async (): Promise<void> => {
    if (page.url().startsWith(url)) await page.evaluate('localStorage.clear()');
    await page.close();
  };
  return { ...opened, close };
};
