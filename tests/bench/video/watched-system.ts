/** A whole system as `npm start` brings it up, and a person who is signed in to its console in Chromium: for what viewers wait for. */
import assert from 'node:assert/strict';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { openContext } from '../../support/browser/browser-page';
import { chromiumPath, noChromium } from '../../support/browser/chromium';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { enterFirst } from '../../support/identity/first-sign-in';
import { launch, linkTools } from '../../support/processes/launcher';

/** Once a frame of the film is shown. */
const untilFirstFrame = (page: Page): Promise<void> =>
  page.locator('video').evaluate(
    (video) =>
      new Promise<void>((resolve) => {
        const media = video as unknown as {
          readonly readyState: number;
          readonly requestVideoFrameCallback: (call: () => void) => void;
        };
        if (media.readyState >= 2) resolve();
        else media.requestVideoFrameCallback(() => resolve());
      }),
  );

export const openWatchedSystem = async () => {
  assert.ok(chromiumPath(), noChromium);
  const home = temporaryDirectory('bench-watched');
  linkTools(home.path);
  const septet = await launch({
    directory: process.cwd(),
    arguments: ['--data', home.path, '--port', '0'],
    env: { EMBEDDINGS: 'hashed' },
    asInstalled: true,
  });
  const browser = await chromium.launch({
    executablePath: chromiumPath() as string,
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
  });
  const { session } = await enterFirst(browser, { url: septet.url, code: septet.code as string });

  /** Uploads a film on the page. Resolves with its id once `complete` is answered. */
  const upload = async (page: Page, path: string): Promise<string> => {
    await page.goto('/console/videos');
    const completed = page.waitForResponse(/\/api\/videos\/upload\/complete$/);
    await page.locator('input[type=file]').setInputFiles(path);
    const { videoId } = (await (await completed).json()) as { readonly videoId: string };
    return videoId;
  };
  const isPlayable = (page: Page, videoId: string): Promise<boolean> =>
    page.evaluate(async (path) => (await fetch(path)).ok, `/api/videos/${videoId}/playback`);
  const watch = async (page: Page, videoId: string): Promise<void> => {
    await page.goto(`/console/videos/${videoId}/watch?autoplay=1`, { waitUntil: 'commit' });
    await untilFirstFrame(page);
  };
  return {
    path: (name: string): string => `${home.path}/${name}`,
    /** With an empty cache. */
    openContext: (): Promise<BrowserContext> => openContext(browser, septet.url, { session }),
    upload,
    isPlayable,
    watch,
    close: async (): Promise<void> => {
      await browser.close();
      await septet.stop();
      home.remove();
    },
  };
};
