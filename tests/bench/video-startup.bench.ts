/**
 * From the address of a film to its first frame, at 3 Mbit/s and a round trip of 40 ms: a whole system with its edge, the console's player in Chromium.
 * The browser has the console's scripts in its cache, and nothing of the film. The baseline is the same without a limit. `ROUNDS` changes the number of
 * openings.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { h264, makeFilm, moving, tone } from '../packages/video-media/made-films';
import { percentile, report } from './measure';
import { openWatchedSystem } from './video/watched-system';

const rounds = Number(process.env.ROUNDS ?? 100);
const bytesPerSecond = 3_000_000 / 8;

const limit = async (page: Page): Promise<void> => {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Network.enable');
  await protocol.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 40, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond },
  });
};

export const run = async (): Promise<void> => {
  const system = await openWatchedSystem();
  try {
    const film = (name: string, seconds: number): string =>
      makeFilm(system.path(`${name}.mp4`), [
        ...[...moving(seconds, '1280x720', '30'), ...tone(seconds), ...h264(60), '-b:v', '3M', '-c:a', 'aac'],
      ]);
    const uploading = await system.openContext();
    const page = await uploading.newPage();
    const ids: string[] = [];
    for (const path of [film('other', 12), film('measured', 60)]) ids.push(await system.upload(page, path));
    const [other = '', measured = ''] = ids;
    for (const id of ids) while (!(await system.isPlayable(page, id))) await sleep(500);
    // With its whole ladder.
    await page.goto(`/console/videos/${measured}`);
    await page.getByText('Ready', { exact: true }).first().waitFor({ timeout: 600_000 });
    await uploading.close();

    /** In milliseconds. */
    const opened = async (isLimited: boolean): Promise<number> => {
      const context = await system.openContext();
      const viewer = await context.newPage();
      await system.watch(viewer, other);
      if (isLimited) await limit(viewer);
      const began = performance.now();
      await system.watch(viewer, measured);
      const took = performance.now() - began;
      await context.close();
      return took;
    };
    const took = { limited: [] as number[], free: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      took.free.push(await opened(false));
      took.limited.push(await opened(true));
    }
    for (const share of [0.5, 0.99])
      report({
        ...{ name: `video-startup.p${share * 100}`, unit: `ms to the first frame at 3 Mbit/s, of ${rounds}` },
        ...{ value: percentile(took.limited, share), baseline: percentile(took.free, share) },
      });
  } finally {
    await system.close();
  }
};
