/** The page that plays shared videos to people who are not signed in: opened by a link or public, without any cookie. */
import assert from 'node:assert/strict';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Look, type Opened, openPage } from '../support/browser/browser-page';
import { useTemporaryDirectory } from '../support/files/temporary-directory';
import { needs } from '../support/runner/prerequisites';
import { fromRunner } from '../support/servers/shared-servers';
import { axeViolationsOn } from './support/axe';
import { filmSeconds, packageFilm } from './video/packaged-film';
import { serveWatching, sharedWatch } from './video/watch-server';

const waitMilliseconds = 90_000;

for (const protection of ['clear', 'protected'] as const)
  describe(`the page of shared videos, ${protection}`, function () {
    this.timeout(240_000);
    needs('chromium', 'ffmpeg');
    const isProtected = protection === 'protected';
    const directory = useTemporaryDirectory(`shared-film-${protection}`);
    let browser: Browser;
    let server: Awaited<ReturnType<typeof serveWatching>>;
    const opened: Opened[] = [];
    before(async () => {
      server = await serveWatching(directory, await packageFilm(directory, { isProtected }), { isProtected });
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

    const open = async (path = sharedWatch, look: Look = {}): Promise<Page> => {
      const one = await openPage(browser, server.origin, look);
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
      const before = await media<number>(page, 'video.currentTime');
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await until(page, `!video.paused && video.currentTime > ${before} + 0.3`);
    };

    if (isProtected) {
      for (const [engine, usesBrowserKeys] of [
        ['hls', false],
        ['dash', true],
      ] as const)
        it(`plays by ${engine} with a licence of the shared route`, async () => {
          const page = await open(`${sharedWatch}?engine=${engine}`);
          await plays(page);
          assert.equal(await media(page, 'video.mediaKeys !== null'), usesBrowserKeys);
        });
      return;
    }

    it('plays a public video, with its title, captions, qualities, keys and pictures of the slider', async () => {
      const page = await open();
      await page.getByRole('heading', { level: 1, name: 'A day at sea' }).waitFor();
      await page.getByText('And gulls.').waitFor();
      await plays(page);
      assert.equal(await page.title(), 'A day at sea · Septet');
      assert.deepEqual(await axeViolationsOn(page), []);
      await page.getByRole('combobox', { name: 'Quality' }).selectOption('360p');
      await page.getByRole('combobox', { name: 'Captions' }).selectOption({ label: 'English' });
      await until(
        page,
        '[...video.textTracks].some(({ mode, activeCues }) => mode === "showing" && activeCues?.length === 1)',
      );
      await page.keyboard.press('k');
      await until(page, 'video.paused');
      await page.keyboard.press('5');
      await until(page, `Math.round(video.currentTime) === ${filmSeconds / 2}`);
      await page.getByText('Keys', { exact: true }).click();
      await page.getByRole('group').getByText('Back 10 seconds').waitFor();
      await page.getByRole('slider', { name: 'Position' }).hover();
      await page.locator('.player-thumbnail').waitFor();
      assert.deepEqual(await axeViolationsOn(page), []);
    });

    it('plays by a link, whose secret is in no address that is requested but of the playback', async () => {
      server.stage.link = 'l1.k1.secret';
      const requested: string[] = [];
      const page = await open('about:blank');
      page.on('request', (request) => requested.push(request.url()));
      await page.goto(`${sharedWatch}#l1.k1.secret`);
      await plays(page);
      const naming = requested.filter((url) => url.includes('secret') && !url.includes('#'));
      assert.deepEqual(
        naming.map((url) => new URL(url).pathname.split('/').at(-1)),
        ['playback'],
      );
    });

    it('resumes where this browser left, as the same viewer, and reports what was watched with its proof', async () => {
      const page = await open();
      await plays(page);
      await page.keyboard.press('5');
      await until(page, `video.currentTime > ${filmSeconds / 2} + 0.5 && !video.paused`);
      await page.waitForTimeout(1_000);
      await page.keyboard.press('k');
      await until(page, 'video.paused');
      await page.waitForTimeout(500);
      assert.ok(server.stage.heartbeats.length > 0);
      assert.ok(server.stage.heartbeats.every(({ playbackProof }) => playbackProof === 'proof-t1'));
      await page.reload();
      await page.getByText(/^Continued at 0:2\d/).waitFor();
      assert.deepEqual(server.stage.earlierProofs, [null, 'proof-t1']);
    });

    it('says the same of a video that is gone, private, or has another link, and what helps', async () => {
      const expects = /status of 404/;
      server.stage.link = 'l1.k1.secret';
      const texts: string[] = [];
      for (const path of [sharedWatch, `${sharedWatch}#l0.k1.old`, '/watch/acme/never', '/watch/acme']) {
        const page = await open(path, { expects });
        await page.getByRole('heading', { level: 1, name: 'This video is not here for you' }).waitFor();
        texts.push(await page.getByRole('alert').locator('p').innerText());
        if (path === sharedWatch) {
          const href = await page.getByRole('link', { name: 'Sign in' }).getAttribute('href');
          assert.match(href ?? '', /^\/console\/session\/begin\?continue=%2Fconsole%2Fvideos%2F/);
          assert.deepEqual(await axeViolationsOn(page), []);
        }
      }
      assert.equal(new Set(texts).size, 1);
    });

    const refuse = (status: number, code: string): void => {
      server.stage.refusal = { status, body: { type: 'about:blank', title: code, status, code, detail: code } };
    };

    it('ends when the video is shared no longer, as soon as a heartbeat says so', async () => {
      const page = await open(sharedWatch, { expects: /status of 404/ });
      await plays(page);
      await page.waitForTimeout(1_500);
      refuse(404, 'video-unknown');
      await page.keyboard.press('k');
      await page.getByRole('heading', { level: 1, name: 'This video is not here for you' }).waitFor();
      assert.equal(await page.locator('video').count(), 0);
    });

    it('says when it needs a person, waits for what is processed, and tries again what is away', async () => {
      refuse(403, 'entitlement-required');
      const page = await open(sharedWatch, { expects: /status of (?:403|409|503)/ });
      await page.getByRole('heading', { name: 'This video needs a subscription, a purchase or a rental' }).waitFor();
      await page.getByRole('link', { name: 'Sign in' }).waitFor();
      refuse(503, 'delivery-unavailable');
      await page.reload();
      await page.getByRole('heading', { name: 'The video cannot be played now' }).waitFor();
      refuse(409, 'not-playable');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'This video is not ready yet' }).waitFor();
      server.stage.refusal = undefined;
      await plays(page);
    });

    it('leads to the next episode', async () => {
      server.stage.nextEpisodeId = 'v-2';
      const page = await open();
      assert.equal(await page.getByRole('link', { name: 'Next episode' }).getAttribute('href'), '/watch/acme/v-2');
    });
  });
