/** One running system and one browser, shared by all files that only use them. Each is started on first use, also after a stop. */
import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserServer, chromium } from 'playwright-core';
import { chromiumPath, noChromium } from '../support/browser/chromium';
import { enterByCode, enterFirst, type FirstSignIn } from '../support/identity/first-sign-in';
import { type RunningSystem, type SharedSystem, startSystem } from '../support/processes/running-system';
import { MissingPrerequisite } from '../support/runner/missing-prerequisite';
import type { SharedStores } from './stores';

/** The system runs without it, as the product does. */
const undefinedWhereMissing = (error: unknown): undefined => {
  if (!(error instanceof MissingPrerequisite)) throw error;
};

interface WholeSystemOptions {
  readonly directory: string;
  readonly stores: SharedStores;
  readonly print: (line: string) => void;
}

export const wholeSystem = ({ directory, stores, print }: WholeSystemOptions) => {
  let browserServer: Promise<BrowserServer> | undefined;
  let system: Promise<RunningSystem> | undefined;
  let entered: Promise<string> | undefined;
  let stopped: Promise<void> = Promise.resolve();

  const startBrowser = (): Promise<BrowserServer> => {
    const executablePath = chromiumPath();
    if (executablePath === undefined) return Promise.reject(new MissingPrerequisite(noChromium));
    const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];
    return chromium.launchServer({
      executablePath,
      args,
      handleSIGINT: false,
      env: { ...process.env, TMPDIR: directory },
    });
  };

  const browserEndpoint = async (): Promise<string> => {
    browserServer ??= startBrowser();
    return (await browserServer).wsEndpoint();
  };

  /** On the page that people see, where there is a browser. */
  const signInFirst = async ({ address, code }: RunningSystem): Promise<FirstSignIn> => {
    if (chromiumPath() === undefined) return enterByCode({ url: address.url, code });
    const browser = await chromium.connect(await browserEndpoint());
    const first = await enterFirst(browser, { url: address.url, code });
    await browser.close();
    return first;
  };

  const enter = async (): Promise<string> => {
    const began = Date.now();
    const place = mkdtempSync(join(directory, 'system-'));
    chmodSync(place, 0o711);
    const { urlOf } = stores;
    const [elasticsearch, valkey, postgres] = await Promise.all([
      urlOf('elasticsearch').catch(undefinedWhereMissing),
      urlOf('valkey'),
      urlOf('postgres'),
    ]);
    // Of the guides' API.
    const env = { AUDIENCES: 'septet,orders' };
    system = startSystem(place, { elasticsearch, valkey, postgres, env });
    const first = await signInFirst(await system);
    print(`  system: ready after ${((Date.now() - began) / 1000).toFixed(1)} s`);
    return JSON.stringify({ ...(await system).address, ...first } satisfies SharedSystem);
  };

  const end = async (running: typeof system, browser: typeof browserServer): Promise<void> => {
    await running?.then((one) => one.stop()).catch(() => undefined);
    await browser?.then((server) => server.close()).catch(() => undefined);
  };

  return {
    valueOf: (name: 'browser' | 'system'): Promise<string> => {
      if (name === 'browser') return browserEndpoint();
      entered ??= enter();
      return entered;
    },
    stop: (): Promise<void> => {
      stopped = Promise.all([stopped, end(system, browserServer)]).then(() => undefined);
      [system, entered, browserServer] = [undefined, undefined, undefined];
      return stopped;
    },
  };
};
