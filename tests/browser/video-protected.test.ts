/** Protected films in the player of the console: decrypted by hls.js, or by the browser with the licence of the playback. */
import assert from 'node:assert/strict';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Opened, openPage } from '../support/browser/browser-page';
import { useTemporaryDirectory } from '../support/files/temporary-directory';
import { needs } from '../support/runner/prerequisites';
import { fromRunner } from '../support/servers/shared-servers';
import { packageFilm } from './video/packaged-film';
import { serveWatching, videoId } from './video/watch-server';

const watchPath = `/console/videos/${videoId}/watch`;

const waitMilliseconds = 90_000;

describe('protected films in the player of the console', function () {
  this.timeout(240_000);
  needs('chromium', 'ffmpeg');
  const directory = useTemporaryDirectory('protected-film');
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serveWatching>>;
  const opened: Opened[] = [];
  before(async () => {
    const film = await packageFilm(directory, { isProtected: true });
    server = await serveWatching(directory, film, { isProtected: true });
    browser = await chromium.connect(await fromRunner('browser'));
  });
  after(async () => {
    await browser.close();
    server.close();
  });
  beforeEach(() => server.reset());
  afterEach(async () => {
    const done = opened.splice(0);
    await Promise.all(done.map(({ close }) => close()));
    for (const { errors } of done) assert.deepEqual(errors, []);
  });

  const open = async (path: string, expects?: RegExp): Promise<Page> => {
    const one = await openPage(browser, server.origin, expects === undefined ? {} : { expects });
    opened.push(one);
    await one.page.goto(path);
    return one.page;
  };
  const media = <Value>(page: Page, expression: string): Promise<Value> =>
    page.evaluate<Value>(`(() => { const video = document.querySelector('video'); return ${expression}; })()`);
  const until = async (page: Page, expression: string): Promise<void> => {
    const began = Date.now();
    while (!(await media<boolean>(page, expression))) {
      assert.ok(Date.now() - began < waitMilliseconds, `never: ${expression}`);
      await page.waitForTimeout(50);
    }
  };
  const plays = async (page: Page): Promise<void> => {
    await until(page, 'video !== null && video.readyState >= 2');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await until(page, '!video.paused && video.currentTime > 0.3');
  };
  const usesBrowserKeys = (page: Page): Promise<boolean> => media(page, 'video.mediaKeys !== null');

  it('play by hls.js, which decrypts whole segments', async () => {
    const page = await open(watchPath);
    await plays(page);
    assert.equal(await usesBrowserKeys(page), false);
  });

  it('play by dash.js to their end, decrypted by the browser with the licence of the playback', async () => {
    const page = await open(`${watchPath}?engine=dash`);
    await plays(page);
    assert.equal(await usesBrowserKeys(page), true);
    await page.keyboard.press('9');
    await until(page, '!video.seeking && video.readyState >= 2 && video.currentTime > 40');
    await page.getByRole('button', { name: 'Play again' }).waitFor({ timeout: waitMilliseconds });
  });

  it('go on by dash.js where hls.js gets no key', async () => {
    server.stage.licences = ['POST'];
    const page = await open(watchPath, /403/);
    await plays(page);
    assert.equal(await usesBrowserKeys(page), true);
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  it('say so where there is no licence at all', async () => {
    server.stage.licences = [];
    const page = await open(watchPath, /403/);
    await page
      .getByRole('alert')
      .getByText('The film’s key could not be loaded')
      .waitFor({ timeout: waitMilliseconds });
  });
});
