/** A film in two codecs: the player takes the better one that the browser decodes, and names qualities alike. */
import assert from 'node:assert/strict';
import { type Browser, chromium } from 'playwright-core';
import { openPage } from '../support/browser/browser-page';
import { useTemporaryDirectory } from '../support/files/temporary-directory';
import { needs } from '../support/runner/prerequisites';
import { fromRunner } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';
import { packageFilm, readDelivered } from './video/packaged-film';
import { serveWatching, videoId } from './video/watch-server';

describe('a film with AV1 beside H.264, in Chromium', function () {
  this.timeout(240_000);
  needs('chromium', 'ffmpeg');
  const directory = useTemporaryDirectory('film-of-two-codecs');
  const h264Segments = new Set<string>();
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serveWatching>>;
  before(async () => {
    const film = await packageFilm(directory, { codec: 'av1' });
    for (const label of ['360p', '720p']) {
      const playlist = readDelivered(directory, `${film.manifests}/${label}.m3u8`).toString('utf8');
      for (const [name] of playlist.matchAll(/segments\/\w+\.m(?:4s|p4)/g)) h264Segments.add(name);
    }
    assert.ok(h264Segments.size > 10);
    server = await serveWatching(directory, film);
    browser = await chromium.connect(await fromRunner('browser'));
  });
  after(async () => {
    await browser.close();
    server.close();
  });
  beforeEach(() => server.reset());

  for (const engine of ['hls', 'dash'])
    it(`is played in AV1 by ${engine}`, async () => {
      const { page, close, errors } = await openPage(browser, server.origin);
      await page.goto(`/console/videos/${videoId}/watch?engine=${engine}`);
      const video = <Value>(expression: string): Promise<Value> =>
        page.evaluate<Value>(`(() => { const video = document.querySelector('video'); return ${expression}; })()`);
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await eventually(async () => assert.ok(await video<boolean>('video.currentTime > 1')));
      const qualities = await page.getByRole('combobox', { name: 'Quality' }).locator('option').allTextContents();
      assert.deepEqual(
        qualities.map((text) => text.replace(/ .*/, '')).toSorted(),
        ['144p', '360p', 'Auto'],
        'each quality once',
      );
      assert.equal(await video<number>('video.videoWidth'), 160);
      const played = server.stage.delivered.filter((name) => h264Segments.has(name));
      assert.deepEqual(played, [], 'no segment of H.264 is read');
      const decoded = await video<number>('video.getVideoPlaybackQuality().totalVideoFrames');
      assert.ok(decoded > 10);
      assert.deepEqual(errors, []);
      await close();
    });
});
