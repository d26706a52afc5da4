/**
 * From a completed upload to the first rendition that plays, for a film that is packaged as it is. `remux`: real workers, sandboxes and object storage, the
 * log in memory; the baseline is what ffmpeg takes to copy the film into one fragmented MP4. `browser`: from the answer of `complete` to the first frame in
 * Chromium, on a whole system; the baseline is until playback is answered. `SECONDS` changes the film's length.
 */
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { h264, makeFilm, moving, tone } from '../packages/video-media/made-films';
import { stopServers } from '../support/servers/shared-servers';
import { openVideoProcessing } from '../support/video/processing-stage';
import { percentile, report } from './measure';
import { openWatchedSystem } from './video/watched-system';

const seconds = Number(process.env.SECONDS ?? 60);
const rounds = 5;

const unit = `s for ${seconds} s of 720p`;

const filmAt = (path: string): string =>
  makeFilm(path, [...moving(seconds, '1280x720', '30'), ...tone(seconds), ...h264(60), '-c:a', 'aac']);

const remux = async (): Promise<void> => {
  const stage = await openVideoProcessing();
  const film = filmAt(stage.path('film.mp4'));
  const copying: number[] = [];
  const playable: number[] = [];
  stage.startWorkers();
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    const copied = ['-nostdin', '-v', 'error', '-y', '-i', film, '-c', 'copy', '-movflags', 'frag_keyframe'];
    spawnSync('ffmpeg', [...copied, stage.path('copied.mp4')]);
    copying.push((performance.now() - began) / 1_000);
    const completed = performance.now();
    await stage.upload(`v-${round}`, film);
    await stage.until(`v-${round}`, ({ playableAt }) => playableAt !== undefined);
    playable.push((performance.now() - completed) / 1_000);
    await stage.until(`v-${round}`, ({ isReady }) => isReady, 1_800_000);
  }
  for (const share of [0.5, 1])
    report({
      ...{ name: `video-playable.remux.p${share * 100}`, unit, value: percentile(playable, share) },
      baseline: percentile(copying, share),
    });
  await stage.close();
  await stopServers();
};

const browser = async (): Promise<void> => {
  const system = await openWatchedSystem();
  try {
    const context = await system.openContext();
    const page = await context.newPage();
    const answered: number[] = [];
    const displayed: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const videoId = await system.upload(page, filmAt(system.path(`film-${round}.mp4`)));
      const completed = performance.now();
      while (!(await system.isPlayable(page, videoId))) await sleep(100);
      answered.push((performance.now() - completed) / 1_000);
      await system.watch(page, videoId);
      displayed.push((performance.now() - completed) / 1_000);
      // The next round is not beside its encoding.
      await page.goto(`/console/videos/${videoId}`);
      await page.getByText('Ready', { exact: true }).first().waitFor({ timeout: 600_000 });
    }
    for (const share of [0.5, 1])
      report({
        ...{ name: `video-playable.browser.p${share * 100}`, unit, value: percentile(displayed, share) },
        baseline: percentile(answered, share),
      });
  } finally {
    await system.close();
  }
};

const measures = { remux, browser } as const;

export const parts = Object.keys(measures);

export const run = async (chosen: readonly string[]): Promise<void> => {
  for (const part of chosen.length > 0 ? chosen : parts) await measures[part as keyof typeof measures]();
};
