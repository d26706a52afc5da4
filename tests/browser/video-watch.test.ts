/** The player of the console: it plays a packaged film, by pointer and by keys, and reports what was watched. */
import assert from 'node:assert/strict';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Look, type Opened, openPage } from '../support/browser/browser-page';
import { useTemporaryDirectory } from '../support/files/temporary-directory';
import { needs } from '../support/runner/prerequisites';
import { fromRunner } from '../support/servers/shared-servers';
import { axeViolationsOn } from './support/axe';
import { filmSeconds, packageFilm } from './video/packaged-film';
import { serveWatching, videoId } from './video/watch-server';

const watchPath = `/console/videos/${videoId}/watch`;

const waitMilliseconds = 90_000;

describe('the player of the console', function () {
  this.timeout(240_000);
  needs('chromium', 'ffmpeg');
  const directory = useTemporaryDirectory('watched-film');
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serveWatching>>;
  const opened: Opened[] = [];
  before(async () => {
    server = await serveWatching(directory, await packageFilm(directory));
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

  const open = async (path = watchPath, look: Look = {}): Promise<Page> => {
    const one = await openPage(browser, server.origin, look);
    opened.push(one);
    await one.page.goto(path);
    return one.page;
  };
  /** Of `video`, the media element; by the protocol, as the policy of the page evaluates nothing. */
  const media = <Value>(page: Page, expression: string): Promise<Value> =>
    page.evaluate<Value>(`(() => { const video = document.querySelector('video'); return ${expression}; })()`);
  const until = async (page: Page, expression: string): Promise<void> => {
    const began = Date.now();
    while (!(await media<boolean>(page, expression))) {
      const state =
        'JSON.stringify([video.currentTime, video.duration, video.readyState, video.seeking, video.paused])';
      if (Date.now() - began >= waitMilliseconds)
        assert.fail(`never: ${expression}; ${await media<string>(page, state)}; ${server.stage.delivered.slice(-6)}`);
      await page.waitForTimeout(50);
    }
  };
  const opens = async (path?: string, look?: Look): Promise<Page> => {
    const page = await open(path, look);
    await until(page, 'video !== null && video.readyState >= 2');
    return page;
  };
  const play = async (page: Page): Promise<void> => {
    const before = await media<number>(page, 'video.currentTime');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await until(page, `!video.paused && video.currentTime > ${before} + 0.3`);
  };
  const secondsOf = (page: Page): Promise<number> => media(page, 'Math.round(video.currentTime)');

  it('plays with a button, and is as good as the network carries', async () => {
    const page = await opens();
    await page.getByRole('heading', { name: 'A day at sea', exact: true }).waitFor();
    await page.getByText('1,234 views').waitFor();
    assert.equal(await media(page, 'video.videoWidth'), 160);
    await play(page);
    await media(page, 'video.playbackRate = 4');
    await until(page, 'video.videoWidth === 640');
    await until(page, '[...document.querySelectorAll("option")].some(({ text }) => text === "Auto (360p)")');
    assert.ok(
      await media<boolean>(page, 'video.buffered.end(0) - video.currentTime < 37'),
      'more than the target is loaded',
    );
    await page.getByRole('button', { name: 'Pause' }).click();
    await until(page, 'video.paused');
  });

  it('continues with the next episode after the end, unless that is cancelled', async () => {
    server.stage.nextEpisodeId = videoId;
    const page = await opens();
    const next = page.getByRole('region', { name: 'Next episode' });
    const playTheEnd = async (): Promise<void> => {
      await media(page, `video.currentTime = ${filmSeconds - 1}`);
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await next.getByText('It begins soon.').waitFor();
    };
    await playTheEnd();
    await next.getByRole('button', { name: 'Cancel' }).click();
    await next.getByText('It begins soon.').waitFor({ state: 'detached' });
    assert.ok(!page.url().includes('autoplay'));
    await page.reload();
    await until(page, 'video !== null && video.readyState >= 2');
    await playTheEnd();
    await page.waitForURL(/autoplay=1/);
  });

  it('plays in the quality that is chosen', async () => {
    const page = await opens();
    await page.getByRole('combobox', { name: 'Quality' }).selectOption('360p');
    await play(page);
    await until(page, 'video.videoWidth === 640');
    await page.reload();
    await until(page, 'video !== null && video.readyState >= 2');
    await page.getByRole('combobox', { name: 'Quality' }).selectOption('144p');
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('2');
    assert.equal(await media(page, 'video.playbackRate'), 2);
    await media(page, 'video.playbackRate = 4');
    await play(page);
    await until(page, 'video.currentTime > 36');
    assert.equal(await media(page, 'video.videoWidth'), 160);
  });

  it('does by keys alone what it does by pointer', async () => {
    const page = await opens();
    await page.keyboard.press('k');
    await until(page, '!video.paused');
    await page.keyboard.press('Space');
    await until(page, 'video.paused');
    for (const [key, seconds] of [
      ['5', 24],
      ['l', 34],
      ['j', 24],
      ['ArrowRight', 29],
      ['ArrowLeft', 24],
      ['0', 0],
    ] as const) {
      await page.keyboard.press(key);
      await until(page, '!video.seeking');
      assert.equal(await secondsOf(page), seconds, key);
    }
    await page.keyboard.press('m');
    await page.getByRole('button', { name: 'Sound on' }).waitFor();
    await page.getByRole('button', { name: 'Sound on' }).focus();
    await page.keyboard.press('m');
    await page.keyboard.press('ArrowDown');
    await until(page, 'Math.abs(video.volume - 0.95) < 0.001 && !video.muted');
    await page.keyboard.press('c');
    await until(page, 'video.textTracks[0].mode === "showing" && video.textTracks[0].cues?.length === 2');
    await page.keyboard.press('c');
    await until(page, 'video.textTracks[0].mode === "disabled"');
    // A button that has the focus keeps the space bar, a slider the letters of the player.
    await page.getByRole('button', { name: 'Play', exact: true }).focus();
    await page.keyboard.press('Space');
    await until(page, '!video.paused');
    await page.getByRole('slider', { name: 'Position' }).focus();
    await page.keyboard.press('k');
    await until(page, 'video.paused');
    await page.keyboard.press('f');
    await until(page, 'document.fullscreenElement?.className === "player"');
    await page.keyboard.press('f');
    await until(page, 'document.fullscreenElement === null');
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Captions on or off').waitFor();
    await sheet.getByText('To a tenth of the film').waitFor();
  });

  it('shows the thumbnail of the time that is pointed at, and captions', async () => {
    const page = await opens();
    const box = await page.locator('.player-seek').boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2);
    await page.locator('.player-preview').getByText('0:24').waitFor();
    const place = await page.evaluate('document.querySelector(".player-thumbnail").style.backgroundPosition');
    assert.equal(place, '-160px 0px');
    const captions = page.getByRole('combobox', { name: 'Captions' });
    assert.deepEqual(await captions.locator('option').allTextContents(), ['Off', 'English', 'Deutsch (recognized)']);
    await captions.selectOption('English');
    await until(page, 'video.textTracks[0].cues?.[0]?.text === "The first caption"');
  });

  it('goes on where its viewer left, or from the beginning', async () => {
    server.stage.positionSeconds = 20;
    const page = await opens();
    assert.equal(await secondsOf(page), 20);
    await page.getByText('Continued at 0:20.').waitFor();
    await page.getByRole('button', { name: 'From the beginning' }).click();
    await until(page, 'video.currentTime === 0 && !video.seeking');
    assert.equal(await page.getByText('Continued at').count(), 0);
  });

  it('plays to its end, and reports by the clock what was watched', async () => {
    server.stage.positionSeconds = filmSeconds - 12;
    const page = await opens();
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('2');
    await play(page);
    await page.getByRole('button', { name: 'Play again' }).waitFor();
    await page.keyboard.press('0');
    await play(page);
    await page.waitForTimeout(1_500);
    await page.goto('about:blank');
    const { heartbeats } = server.stage;
    const watched = heartbeats.reduce((sum, { watchedSeconds }) => sum + watchedSeconds, 0);
    assert.ok(watched >= 5 && watched <= 12, `${watched} s of 6 s and one or two were reported`);
    assert.deepEqual(
      heartbeats.map(({ sequence }) => sequence),
      heartbeats.map((_, index) => index),
    );
    assert.ok(heartbeats.length >= 2, 'at the end, and when the page goes');
    assert.deepEqual([...new Set(heartbeats.map(({ playbackProof }) => playbackProof))], ['proof-t1']);
    assert.ok(heartbeats.every(({ quality }) => ['144p', '360p'].includes(quality)));
    assert.equal(heartbeats[0]?.positionSeconds, filmSeconds);
  });

  it('asks for other addresses where its own have expired, and goes on', async () => {
    const page = await opens(watchPath, { expects: /403/ });
    server.stage.token = 't2';
    await page.keyboard.press('9');
    await until(page, '!video.seeking && video.readyState >= 2 && video.currentTime > 40');
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  it('says that it cannot be loaded, and goes on when it can', async () => {
    server.stage.isAway = true;
    const page = await open(watchPath, { expects: /Failed to load resource/ });
    await page.getByRole('alert').getByText('The film cannot be loaded now').waitFor();
    server.stage.isAway = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await until(page, 'video.readyState >= 2');
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  it('says why there is nothing to play, and begins when there is', async () => {
    const problem = (status: number, code: string, detail: string) => ({
      ...{ status, body: { type: 'about:blank', title: 'Not playable', status, code, detail, errors: [] } },
    });
    server.stage.refusal = problem(409, 'not-playable', 'The video is being processed.');
    const page = await open(watchPath, { expects: /Failed to load resource/ });
    await page.getByText('The video is being processed. This page asks again').waitFor();
    server.stage.refusal = problem(403, 'entitlement-required', 'The video is played with one of these: rental.');
    await page.getByText('Ask its owner for access.').waitFor();
    server.stage.refusal = undefined;
    await page.getByRole('button', { name: 'Try again' }).click();
    await until(page, 'video?.readyState >= 2');
  });

  it('plays by DASH where that is chosen', async () => {
    const page = await opens(`${watchPath}?engine=dash`);
    assert.equal(await media(page, 'video.videoWidth'), 160);
    await play(page);
    // A busy machine reads segments slowly, which is no matter of the player: the quality is chosen by hand.
    const quality = page.getByRole('combobox', { name: 'Quality' });
    await media(page, 'video.playbackRate = 4');
    await quality.selectOption('360p');
    await until(page, 'video.videoWidth === 640');
    await quality.selectOption('144p');
    await until(page, 'video.videoWidth === 160');
  });

  it('is found on the page of its video, with each step and its viewers', async () => {
    const page = await open(watchPath.replace('/watch', ''));
    await page.getByRole('link', { name: 'Watch' }).waitFor();
    const steps = page.getByRole('list', { name: 'Steps' });
    assert.match((await steps.getByRole('listitem').nth(2).textContent()) ?? '', /^Picture 720pfailed.*four times/);
    await page.getByRole('button', { name: 'Process again' }).click();
    await page.getByText('The video is processed again').waitFor();
    assert.equal(server.stage.retries, 1);
    await page.getByRole('button', { name: 'Copy the link' }).waitFor();
    await page.getByText('1.5 in an hour of watching').waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: steps }), []);
    await page.getByRole('link', { name: 'Watch' }).click();
    await until(page, 'document.querySelector("video")?.readyState >= 2');
  });

  it('is beside uploads of several files, which go on while a film is watched', async () => {
    let store = (): void => undefined;
    server.stage.storing = new Promise<void>((resolve) => {
      store = resolve;
    });
    const page = await open('/console/videos');
    const files = [
      { name: 'Harbour.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(2_500_000, 1) },
      { name: 'Waves.mov', mimeType: 'video/quicktime', buffer: Buffer.alloc(10, 1) },
      { name: 'Gulls.mkv', mimeType: 'video/x-matroska', buffer: Buffer.alloc(20, 1) },
    ];
    await page.getByLabel('Upload videos').setInputFiles(files);
    const lines = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem');
    await page.getByRole('progressbar', { name: 'Upload of Harbour.mp4' }).waitFor();
    await lines.nth(2).getByText('waiting for the others').waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: lines.first() }), []);
    await page.getByRole('link', { name: 'A day at sea' }).click();
    await page.getByRole('link', { name: 'Watch' }).click();
    await until(page, 'video?.readyState >= 2');
    store();
    await page.getByRole('link', { name: 'Videos', exact: true }).first().click();
    for (const { name } of files) await lines.getByRole('link', { name }).waitFor();
    assert.deepEqual(
      [...server.uploads.values()].map(({ parts, isComplete }) => [
        [...parts.values()].reduce((a, b) => a + b),
        isComplete,
      ]),
      files.map(({ buffer }) => [buffer.length, true]),
    );
  });

  it('is for everybody', async () => {
    server.stage.positionSeconds = 20;
    const page = await opens();
    const player = page.getByRole('region', { name: 'Player: A day at sea' });
    assert.deepEqual(await axeViolationsOn(page, { content: player }), []);
    const position = page.getByRole('slider', { name: 'Position' });
    assert.equal(await position.getAttribute('aria-valuetext'), '20 seconds of 48 seconds');
  });
});
