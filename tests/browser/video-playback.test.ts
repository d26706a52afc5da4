/** A packaged film in Chromium: it plays to its end, and seeks to the exact frame. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import {
  dashManifest,
  encryptSamples,
  encryptWholeSegments,
  keyframePlaylist,
  keyframePlaylistName,
  masterPlaylist,
  mediaPlaylist,
  type PackagedTrack,
  playlistName,
} from '../../packages/video-media/src';
import { h264, makeFilm, orFail, packageRemuxed, tone } from '../packages/video-media/made-films';
import { useTemporaryDirectory } from '../support/files/temporary-directory';
import { needs } from '../support/runner/prerequisites';
import { fromRunner } from '../support/servers/shared-servers';
import { type Player, servePlayback } from './video/playback-page';

/** The brightness of a frame names its second: 10 at the first, 20 more at each. */
const stairs = 'color=black:duration=14:size=160x96:rate=30000/1001,format=gray,geq=lum=10+20*floor(T)';

/** In seconds. */
const frame = 1_001 / 30_000;

const players: readonly Player[] = ['hls', 'dash', 'shaka'];

const key = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const keyId = Buffer.from('a0a1a2a3a4a5a6a7a8a9aaabacadaeaf', 'hex');

for (const protection of ['clear', 'protected'] as const)
  describe(`a packaged film in a browser, ${protection}`, function () {
    this.timeout(60_000);
    needs('chromium', 'ffmpeg');
    const directory = useTemporaryDirectory(`played-film-${protection}`);
    let browser: Browser;
    let server: Awaited<ReturnType<typeof servePlayback>>;
    before(async () => {
      const film = makeFilm(join(directory, 'film.mp4'), [
        ...['-f', 'lavfi', '-i', stairs, ...tone(14), ...h264(60), '-color_range', 'tv', '-c:a', 'aac'],
      ]);
      const { source, video, audio } = orFail(await packageRemuxed(film, directory));
      assert.ok(audio);
      const read = async (name: string): Promise<Buffer> => readFileSync(join(directory, name));
      const store = async (name: string, bytes: Buffer): Promise<void> => writeFileSync(join(directory, name), bytes);
      const presentationOf = (pictures: PackagedTrack, sounds: PackagedTrack) => ({
        videos: [{ label: '360p', frameRate: source.video.frameRate, track: pictures }],
        audio: { label: 'audio', language: 'en', name: 'English', track: sounds },
        segmentPath: 'seg/',
      });
      const write = (name: string, text: string): void => writeFileSync(join(directory, name), text);
      if (protection === 'clear') {
        const presentation = presentationOf(video, audio);
        write('master.m3u8', masterPlaylist(presentation));
        write('manifest.mpd', dashManifest(presentation));
        write(playlistName('360p'), mediaPlaylist(video, 'seg/'));
        write(keyframePlaylistName('360p'), keyframePlaylist(video, 'seg/'));
        write(playlistName('audio'), mediaPlaylist(audio, 'seg/'));
        server = await servePlayback(directory);
      } else {
        const whole = async (track: PackagedTrack) => orFail(await encryptWholeSegments({ track, read, store }, key));
        const [pictures, sounds] = [await whole(video), await whole(audio)];
        const { initializationVectors } = pictures;
        writeFileSync(join(directory, 'content.key'), key);
        const keyUri = '/film/content.key';
        write('master.m3u8', masterPlaylist(presentationOf(pictures.track, sounds.track)));
        write(playlistName('360p'), mediaPlaylist(pictures.track, 'seg/', { keyUri, initializationVectors }));
        write(playlistName('audio'), mediaPlaylist(sounds.track, 'seg/', { ...sounds, keyUri }));
        const sealed = async (track: PackagedTrack) =>
          orFail(await encryptSamples({ track, read, store }, { keyId, key }));
        const presentation = presentationOf(await sealed(video), await sealed(audio));
        write('manifest.mpd', dashManifest(presentation, { keyId: keyId.toString('hex'), licenseUrl: '/licence' }));
        server = await servePlayback(directory, { keyId: keyId.toString('base64url'), key: key.toString('base64url') });
      }
      browser = await chromium.connect(await fromRunner('browser'));
    });
    after(async () => {
      await browser.close();
      server.close();
    });

    const opened = async (player: Player): Promise<Page> => {
      const page = await browser.newPage();
      await page.goto(`${server.origin}/play/${player}`);
      await page.waitForFunction('video.readyState >= 2 || errors.length > 0');
      return page;
    };

    /**
     * Brightness of the frame that a seek leads to, which is shown a moment after the seek has ended. What EME decrypts is hidden from canvases:
     * that the frame of that time is shown is all that is known of it then.
     */
    const brightnessAt = (page: Page, seconds: number): Promise<number> =>
      page.evaluate(`new Promise((resolve) => {
      const look = (_, { mediaTime }) => {
        if (Math.abs(mediaTime - ${seconds}) > ${frame}) return video.requestVideoFrameCallback(look);
        if (video.mediaKeys !== null) return resolve(0);
        const context = document.createElement('canvas').getContext('2d');
        context.drawImage(video, 0, 0, 8, 8);
        resolve(context.getImageData(4, 4, 1, 1).data[0]);
      };
      video.requestVideoFrameCallback(look);
      video.currentTime = ${seconds};
    })`);

    for (const player of players)
      it(`plays to its end and seeks with ${player}`, async () => {
        const page = await opened(player);
        const brightness: number[] = [];
        // Half a frame before and after a second begins: the frames differ by a stair.
        const isDecryptedByBrowser = player !== 'hls' && protection === 'protected';
        for (const second of [3, 9, 12, 6])
          for (const half of [-0.5, 0.5])
            brightness.push(await brightnessAt(page, Math.ceil(second / frame) * frame + half * frame));
        for (const [index, before] of brightness.entries())
          if (index % 2 === 0 && !isDecryptedByBrowser) {
            const step = (brightness[index + 1] ?? 0) - before;
            assert.ok(step > 10, `${player} shows the same picture before and after a stair: ${brightness}`);
          }
        const end = await page.evaluate<{ readonly ended: boolean; readonly time: number }>(`new Promise((resolve) => {
        const answer = () => resolve({ ended: video.ended, time: video.currentTime });
        video.addEventListener('ended', answer);
        video.addEventListener('error', answer);
        video.playbackRate = 4;
        video.currentTime = 0;
        video.play();
      })`);
        assert.deepEqual(await page.evaluate('errors'), []);
        assert.equal(end.ended, true);
        assert.equal(await page.evaluate('video.mediaKeys !== null'), isDecryptedByBrowser);
        const decoded = await page.evaluate<number>('video.getVideoPlaybackQuality().totalVideoFrames');
        assert.ok(decoded > 50, `${decoded} frames were decoded`);
        assert.ok(Math.abs(end.time - 14.014) < 0.05, `it ended at ${end.time} s`);
        await page.close();
      });
  });
