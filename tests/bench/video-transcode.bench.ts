/**
 * The whole ladder of a film of 1080p beside bare ffmpeg with the same encoder: processor time and wall time until every rendition is published. Ours is
 * encoded in groups, checked, packaged and published, with its sound at one loudness; `dividing` is the encoding alone. `SECONDS` changes the film's length.
 */
import { spawnSync } from 'node:child_process';
import { h264, makeFilm, moving, tone } from '../packages/video-media/made-films';
import { stopServers } from '../support/servers/shared-servers';
import { openVideoProcessing } from '../support/video/processing-stage';
import { processorTime } from './files/processor-time';
import { report } from './measure';

const seconds = Number(process.env.SECONDS ?? 60);

/** Peaks in kbit/s as the ladder has them. */
const ladder = [
  { height: 360, peak: 1_200 },
  { height: 720, peak: 4_200 },
  { height: 1_080, peak: 7_500 },
];

const bareArguments = (film: string, directory: string): readonly string[] => [
  ...['-nostdin', '-v', 'error', '-y', '-threads', '2', '-i', film, '-filter_complex'],
  `[0:v]split=3[a][b][c];[a]scale=-2:360[a1];[b]scale=-2:720[b1];[c]null[c1]`,
  ...ladder.flatMap(({ height, peak }, index) => [
    ...['-map', `[${'abc'[index]}1]`, '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-threads', '2'],
    ...['-maxrate', `${peak}k`, '-bufsize', `${peak}k`, '-g', '60', '-keyint_min', '60', '-sc_threshold', '0'],
    `${directory}/${height}.mp4`,
  ]),
  ...['-map', '0:a', '-c:a', 'aac', '-b:a', '128k', `${directory}/sound.mp4`],
];

interface Times {
  readonly wall: number;
  readonly processor: number;
}

const timed = async (task: () => Promise<unknown>): Promise<Times> => {
  const [began, before] = [performance.now(), processorTime()];
  await task();
  return { wall: (performance.now() - began) / 1_000, processor: (processorTime() - before) / 1_000 };
};

export const run = async (): Promise<void> => {
  const stage = await openVideoProcessing();
  const film = makeFilm(stage.path('film.mkv'), [
    ...[...moving(seconds, '1920x1080', '30'), ...tone(seconds), ...h264(300), '-pix_fmt', 'yuv422p', '-c:a', 'flac'],
  ]);
  const bare = await timed(async () => {
    const { status, stderr } = spawnSync('ffmpeg', bareArguments(film, stage.path('.')), { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  });
  let playable = 0;
  const ours = await timed(async () => {
    const began = performance.now();
    stage.startWorkers();
    await stage.upload('v-1', film);
    await stage.until('v-1', ({ playableAt }) => playableAt !== undefined, 1_800_000);
    playable = (performance.now() - began) / 1_000;
    await stage.until(
      'v-1',
      ({ facts: { packaged, manifest } }) => packaged.size === 3 && manifest?.renditions.length === 3,
      1_800_000,
    );
  });
  const unit = `s for ${seconds} s of 1080p`;
  report({ name: 'video-transcode.processor', value: ours.processor, unit: `CPU-${unit}`, baseline: bare.processor });
  report({ name: 'video-transcode.wall', value: ours.wall, unit, baseline: bare.wall });
  report({
    name: 'video-transcode.playable',
    value: playable,
    unit: 's until the smallest rendition plays',
    baseline: bare.wall,
  });
  await stage.close();
  await stopServers();
};
