/**
 * What commands and reads take beside a running transcode, in a whole system as `npm start` brings it up. The baseline is the same system before it.
 * `SECONDS` changes how long each is measured.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../infra/operate/launch/free-port';
import { makeFilm, moving } from '../packages/video-media/made-films';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { contentOf, openTenant, type Tenant } from '../support/identity/tenant';
import { launch, linkTools } from '../support/processes/launcher';
import { openSystem, runningStoresOf } from '../support/processes/running-system';
import { uploadVideo } from '../support/video/upload-video';
import { eventually } from '../support/waiting/eventually';
import { percentile, report } from './measure';

const measuredSeconds = Number(process.env.SECONDS ?? 60);
/** Well below every limit of requests. */
const pauseMilliseconds = 200;

interface Step {
  readonly stage: string;
  readonly state: string;
}

const isTranscoding = async ({ read }: Tenant, videoId: string): Promise<boolean> => {
  const { steps } = await contentOf<{ readonly steps: readonly Step[] }>(read(`/api/videos/${videoId}/processing`));
  return steps.some(({ stage, state }) => stage === 'transcode' && state === 'working');
};

const taken = async (request: () => Promise<Response>): Promise<number> => {
  const began = performance.now();
  const answer = await request();
  await answer.text();
  assert.ok(answer.ok, `${answer.url}: ${answer.status}`);
  return performance.now() - began;
};

/** In milliseconds, one after another. */
const measure = async ({ send, read }: Tenant, goesOn: () => Promise<boolean>) => {
  const commands: number[] = [];
  const reads: number[] = [];
  for (const began = performance.now(); performance.now() - began < measuredSeconds * 1_000; ) {
    commands.push(await taken(() => send('POST', '/v1/file-folders', { name: randomUUID() })));
    reads.push(await taken(() => read('/api/videos')));
    if (!(await goesOn())) break;
    await sleep(pauseMilliseconds);
  }
  return { commands, reads };
};

export const run = async (): Promise<void> => {
  const home = temporaryDirectory('bench-video-neighbours');
  const data = join(home.path, 'data');
  linkTools(data);
  const options = ['--data', data, '--port', String(await freePort()), '--processes'];
  const septet = await launch({ directory: process.cwd(), arguments: options, asInstalled: true });
  const postgresUrl = runningStoresOf(data).POSTGRES_URL;
  const system = openSystem({ url: septet.url, data, postgresUrl, indexPrefix: '' });
  try {
    const tenant = await openTenant(system);
    const film = makeFilm(join(home.path, 'film.mp4'), [
      ...[...moving(120, '1920x1080', '30'), '-c:v', 'mpeg4', '-q:v', '12'],
    ]);
    const alone = await measure(tenant, async () => true);
    const videoId = await uploadVideo(tenant, { title: 'film', content: readFileSync(film) });
    await eventually(async () => assert.ok(await isTranscoding(tenant, videoId)));
    const beside = await measure(tenant, () => isTranscoding(tenant, videoId));
    for (const kind of ['commands', 'reads'] as const)
      for (const share of [0.5, 0.99])
        report({
          name: `video-neighbours.${kind}.p${share * 100}`,
          value: percentile(beside[kind], share),
          unit: `ms, ${beside[kind].length} times`,
          baseline: percentile(alone[kind], share),
        });
  } finally {
    await system.close();
    await septet.stop();
    home.remove();
  }
};
