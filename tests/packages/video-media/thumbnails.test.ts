/** Thumbnails at their times, in sheets that the WebVTT names truly, and a poster that shows something. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  choosePoster,
  planThumbnails,
  posterArguments,
  type SourceDescription,
  sheetName,
  type ThumbnailPlan,
  thumbnailArguments,
  thumbnailTrack,
} from '../../../packages/video-media/src';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { needs } from '../../support/runner/prerequisites';
import { describeFilm, h264, makeFilm, orFail, run, sourceFile } from './made-films';

interface Region {
  readonly sheet: string;
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly y: number;
}

const secondsOf = (text: string): number => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

const regionsOf = (track: string): readonly Region[] =>
  [...track.matchAll(/([\d:.]+) --> ([\d:.]+)\n(\S+)#xywh=(\d+),(\d+),\d+,\d+/g)].map(
    ([, from = '', to = '', sheet = '', x, y]) => ({
      ...{ sheet, from: secondsOf(from), to: secondsOf(to) },
      ...{ x: Number(x), y: Number(y) },
    }),
  );

/** Brightness of one pixel in the middle of each region. */
const brightnessOf = (
  directory: string,
  regions: readonly Region[],
  { width, height }: ThumbnailPlan,
): readonly number[] =>
  regions.map(({ sheet, x, y }) => {
    const crop = `extractplanes=y,crop=1:1:${x + Math.floor(width / 2)}:${y + Math.floor(height / 2)}`;
    const { stdout } = spawnSync('ffmpeg', [
      ...['-v', 'error', '-i', join(directory, sheet), '-vf', crop, '-f', 'rawvideo', 'pipe:1'],
    ]);
    return stdout[0] ?? -1;
  });

describe('thumbnails', function () {
  this.timeout(240_000);
  needs('ffmpeg');
  const directory = useTemporaryDirectory('thumbnails');
  const make = async (name: string, args: readonly string[]) => {
    const place = join(directory, name.replaceAll('.', '-'));
    mkdirSync(place);
    const path = makeFilm(join(place, name), args);
    const description = orFail(describeFilm(path));
    const plan = planThumbnails(description);
    const candidates = join(place, 'candidates');
    const job = { source: sourceFile(path), video: description.video, plan, threads: 1 };
    run('ffmpeg', thumbnailArguments({ ...job, directory: place, candidates }));
    const poster = join(place, 'poster.jpg');
    const candidate = choosePoster(readFileSync(candidates));
    run('ffmpeg', posterArguments({ ...job, candidate, output: poster }));
    return { place, plan, description, poster, candidate };
  };

  /** Five shades, 4 s each; one begins at 10 s, another at 30 s. */
  const stairs = (seconds: number, rate: number): readonly string[] => [
    ...['-f', 'lavfi', '-i', `color=black:duration=${seconds}:size=64x48:rate=${rate},format=yuv420p`],
    ...['-vf', 'geq=lum=20+40*mod(floor((T+2)/4)\\,5):cb=128:cr=128'],
  ];
  const expected = (second: number): number => ((4 + 40 * (Math.floor((second + 2) / 4) % 5)) * 255) / 219;

  for (const [name, seconds, rate, keyframeEvery] of [
    ['short.mp4', 35, 12, 30],
    ['keyframes.mkv', 125, 4, 4],
    ['one-keyframe.mp4', 125, 4, 10_000],
    ['sheets.mp4', 1_015, 1, 2],
  ] as const)
    it(`of ${name} show each tenth second`, async () => {
      const { place, plan, description } = await make(name, [...stairs(seconds, rate), ...h264(keyframeEvery)]);
      const sheets = Array.from({ length: plan.sheetCount }, (_, index) => sheetName(index + 1));
      assert.ok(sheets.every((sheet) => existsSync(join(place, sheet))));
      assert.ok(!existsSync(join(place, sheetName(plan.sheetCount + 1))));
      const track = thumbnailTrack({ plan, durationSeconds: description.durationSeconds, sheets });
      const regions = regionsOf(track);
      assert.equal(regions.length, Math.ceil(seconds / 10));
      for (const [index, brightness] of brightnessOf(place, regions, plan).entries())
        assert.ok(
          Math.abs(brightness - expected(index * 10)) <= 12,
          `${index}: ${brightness}, ${expected(index * 10)}`,
        );
    });

  it('has a poster that is not black though the film begins and ends so', async () => {
    const { poster, candidate } = await make('faded.mp4', [
      ...['-f', 'lavfi', '-i', 'testsrc2=duration=24:size=160x90:rate=12'],
      ...['-vf', 'fade=in:st=5:d=1,fade=out:st=14:d=1:color=black', ...h264(24)],
    ]);
    assert.ok(candidate >= 3 && candidate <= 7, `${candidate}`);
    const { stdout } = spawnSync('ffmpeg', [
      ...['-v', 'error', '-i', poster, '-vf', 'scale=1:1', '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1'],
    ]);
    assert.ok((stdout[0] ?? 0) > 60, `${stdout[0]}`);
  });

  it('has a poster for each candidate, also where seeking leads to a keyframe after it', () => {
    const path = join('tests', 'packages', 'video-media', 'clips', 'prog_8s.mp4');
    const description = orFail(describeFilm(path));
    const plan = planThumbnails(description);
    const job = { source: sourceFile(path), video: description.video, plan, threads: 1 };
    for (const candidate of Array.from({ length: plan.candidateCount }, (_, index) => index)) {
      const output = join(directory, `candidate-${candidate}.jpg`);
      run('ffmpeg', posterArguments({ ...job, candidate, output }));
      assert.ok(existsSync(output), `candidate ${candidate}`);
    }
  });
});

describe('the plan of thumbnails', () => {
  const described = (durationSeconds: number, displayedWidth: number, displayedHeight: number): SourceDescription =>
    ({
      durationSeconds,
      video: { displayedWidth, displayedHeight, timing: { keyframes: [0], startTicks: 0, endTicks: 1, timescale: 1 } },
    }) as unknown as SourceDescription;
  const side = fc.integer({ min: 1, max: 8_192 });

  it('covers the film without gaps, within sheets of at most 1600 pixels a side', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 86_400, noNaN: true }), side, side, (seconds, width, height) => {
        const plan = planThumbnails(described(seconds, width, height));
        const [sheetWidth, sheetHeight] = [plan.columns * plan.width, plan.rows * plan.height];
        assert.ok(sheetWidth <= 1_600 && sheetHeight <= 1_600);
        const sheets = Array.from({ length: plan.sheetCount }, (_, index) => `${index}.jpg`);
        const regions = regionsOf(thumbnailTrack({ plan, durationSeconds: seconds, sheets }));
        assert.equal(regions.length, plan.count);
        assert.equal(new Set(regions.map(({ sheet, x, y }) => `${sheet} ${x} ${y}`)).size, plan.count);
        let end = 0;
        for (const { from, to, x, y, sheet } of regions) {
          assert.equal(from, end);
          assert.ok(to > from && sheets.includes(sheet));
          assert.ok(x + plan.width <= sheetWidth && y + plan.height <= sheetHeight);
          end = to;
        }
        assert.ok(Math.abs(end - seconds) <= 0.001);
      }),
    );
  });
});

describe('the choice of a poster', () => {
  const picture = (value: (pixel: number) => number): Uint8Array =>
    Uint8Array.from({ length: 576 }, (_, at) => value(at));
  const chosen = (...pictures: readonly Uint8Array[]): number => choosePoster(Buffer.concat(pictures));
  const [black, white] = [picture(() => 16), picture(() => 235)];
  const scene = picture((at) => 60 + (at % 120));

  it('prefers what has contrast to black, white and plain', () => {
    assert.equal(
      chosen(
        black,
        white,
        picture(() => 128),
        scene,
        black,
      ),
      3,
    );
    assert.equal(chosen(scene, scene), 0);
    assert.equal(chosen(black, black), 0);
    assert.equal(choosePoster(new Uint8Array(10)), 0);
  });

  it('prefers a dim picture to none', () => {
    assert.equal(
      chosen(
        black,
        picture((at) => 16 + (at % 20)),
        black,
      ),
      1,
    );
  });
});
