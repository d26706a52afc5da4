/** The client in a browser, on a page of the gateway's own. */
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { fromRunner } from '../../support/servers/shared-servers';

const bundled = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: ['packages/client/src/index.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'septet',
    platform: 'browser',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
};

/** The page follows over both transports, sends a command, reads its result, and receives its event. */
const inPage = `async (token) => {
  const client = septet.connect({ token, credentials: 'same-origin' });
  const first = async (transport) => {
    let live = () => undefined;
    const isLive = new Promise((resolve) => { live = resolve; });
    const onState = ({ kind }) => (kind === 'live' ? live() : undefined);
    const events = client.followSecurityEvents({ type: 'PrincipalRegistered' }, { transport, onState })[Symbol.asyncIterator]();
    const next = events.next();
    await isLive;
    return async () => {
      const { value } = await next;
      await events.return();
      return value.data.principalId;
    };
  };
  const followers = [await first('sse'), await first('websocket')];
  const { body } = await client.registerPrincipal({ body: { principalType: 'HUMAN' } });
  const found = await client.getPrincipal({ principalId: body.principalId });
  const refused = await client.getPrincipal({ principalId: 'nobody' }).catch((error) => error);
  return {
    did: body.principalId,
    saw: found.body.principalId,
    notifications: await Promise.all(followers.map((one) => one())),
    refused: septet.isProblem(refused, 'not-found'),
  };
}`;

export interface BrowserResult {
  readonly did: string;
  readonly saw: string;
  readonly notifications: readonly string[];
  readonly refused: boolean;
}

/** For what needs the prerequisite `chromium`. */
export const runClientInBrowser = async (url: string, token: string): Promise<BrowserResult> => {
  const browser = await chromium.connect(await fromRunner('browser'));
  try {
    // The page is not made for scripts; what is tested here is the client and not the page.
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`${url}/healthz`);
    await page.addScriptTag({ content: await bundled() });
    return (await page.evaluate(`(${inPage})(${JSON.stringify(token)})`)) as BrowserResult;
  } finally {
    await browser.close();
  }
};
