/** Films that are encoded in groups: each frame of the source once, at its time, wherever a group begins. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fromNullable, isLeft } from 'fp-ts/Either';
import {
  fraction,
  isEncodable,
  openByteSource,
  packageGroup,
  type Rendition,
  type RenditionLabel,
  readTrack,
} from '../../../packages/video-media/src';
import type { Track } from '../../../packages/video-media/src/mp4/track';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { needs } from '../../support/runner/prerequisites';
import { encodeFilm, h264, joined, makeFilm, numbered, orFail, shadesOf } from './made-films';

describe('a film encoded in groups', function () {
  this.timeout(240_000);
  needs('ffmpeg');
  const directory = useTemporaryDirectory('encoded-films');
  const workplace = (name: string): string => {
    const path = join(directory, name);
    mkdirSync(path);
    return path;
  };

  const films = [
    ['film.mp4', '12000/1001', h264(37)],
    ['film.mkv', '12', h264(250)],
    ['late.mp4', '12', [...h264(50), '-output_ts_offset', '5']],
    ['film.avi', '12', ['-c:v', 'mpeg4', '-q:v', '2', '-g', '40']],
    ['film.ogv', '12', ['-c:v', 'libtheora', '-q:v', '10', '-g', '64']],
  ] as const;

  for (const [name, rate, encoder] of films)
    it(`${name} has its frames in order, each once`, async () => {
      const place = workplace(name);
      const path = makeFilm(join(place, name), [...numbered(80, rate), ...encoder]);
      const { renditions, grid } = await encodeFilm(path, place);
      assert.equal(grid.groups.length, 2);
      const [track] = renditions;
      assert.ok(track);
      assert.equal(track.sampleCount, grid.frameCount);
      const shades = shadesOf(joined(track, place, 'joined.mp4'));
      assert.deepEqual(shades, shadesOf(path));
      assert.equal(shades.length, grid.frameCount);
    });

  const rendition = (label: RenditionLabel, width: number): Rendition => ({
    ...{ label, width, height: (width * 3) / 4, frameRate: fraction(12) },
    ...{ averageKbps: 200, peakKbps: 300 },
  });

  it('has several sizes of one decode, cut at the same frames', async () => {
    const place = workplace('sizes');
    const path = makeFilm(join(place, 'film.mp4'), [...numbered(15, '12'), ...h264(50)]);
    const ladder = [rendition('360p', 16), rendition('720p', 32), rendition('1080p', 64)];
    const { renditions } = await encodeFilm(path, place, { ladder });
    const cut = renditions.map(({ segments, timescale }) =>
      segments.map(({ startTicks, durationTicks }) => [startTicks / timescale, durationTicks / timescale]),
    );
    assert.deepEqual(
      cut,
      Array(3).fill([
        [0, 6],
        [6, 9],
      ]),
    );
    assert.deepEqual(
      renditions.map(({ width }) => width),
      [16, 32, 64],
    );
    for (const track of renditions)
      assert.deepEqual(shadesOf(joined(track, place, `${track.width}.mp4`)), shadesOf(path));
  });

  for (const [codec, name] of [
    ['h265', /^hvc1/],
    ['av1', /^av01/],
  ] as const)
    it(`is the same in ${codec}`, async () => {
      const place = workplace(codec);
      const path = makeFilm(join(place, 'film.mp4'), [...numbered(15, '12'), ...h264(50)]);
      const { renditions } = await encodeFilm(path, place, { codec, ladder: [rendition('360p', 96)] });
      const [track] = renditions;
      assert.ok(track);
      assert.match(track.codec, name);
      assert.ok(isEncodable(codec, track) && !isEncodable(codec, { width: 96, height: 8 }));
      assert.deepEqual(shadesOf(joined(track, place, 'joined.mp4')), shadesOf(path));
    });

  it('shows what a player shows at each time when the rate varies', async () => {
    const place = workplace('variable');
    const film = ['-f', 'lavfi', '-i', 'color=black:duration=80:size=64x48:rate=12,format=yuv420p'];
    const shades = 'geq=lum=20+7*mod(N\\,29):cb=128:cr=128';
    const paused = "select='lt(t,20)+gt(t,40)*not(mod(n,5))'";
    const path = makeFilm(join(place, 'film.mkv'), [
      ...film,
      '-vf',
      `${shades},${paused}`,
      '-fps_mode',
      'vfr',
      ...h264(250),
    ]);
    const { renditions, grid, source } = await encodeFilm(path, place);
    assert.equal(source.video.isVariableRate, true);
    assert.deepEqual(grid.frameRate, fraction(24_000, 1_001));
    const seen = shadesOf(joined(orFail(fromNullable('no track')(renditions[0])), place, 'joined.mp4'));
    const sourceFrames = Array.from({ length: 960 }, (_, frame) => frame).filter(
      (frame) => frame < 240 || (frame > 480 && frame % 5 === 0),
    );
    // Near a change either picture is right, as Matroska rounds times.
    for (const [frame, shade] of seen.entries()) {
      const near = [-0.03, 0, 0.03].map((offset) => {
        const source = sourceFrames.findLast((number) => number / 12 <= (frame * 1_001) / 24_000 + offset) ?? 0;
        return source % 29;
      });
      assert.ok(near.includes(shade), `frame ${frame} shows ${shade}, not ${near}`);
    }
  });

  it('of a film that an edit list shortens has what the list leaves', async () => {
    const place = workplace('edited');
    const whole = makeFilm(join(place, 'whole.mp4'), [...numbered(10, '12'), ...h264(48)]);
    const path = makeFilm(join(place, 'edited.mp4'), ['-ss', '5.5', '-i', whole, '-c', 'copy']);
    const { renditions, grid } = await encodeFilm(path, place);
    const shades = shadesOf(joined(orFail(fromNullable('no track')(renditions[0])), place, 'joined.mp4'));
    assert.equal(shades.length, grid.frameCount);
    assert.deepEqual(shades, shadesOf(path));
  });

  it('of a slow film repeats its pictures', async () => {
    const place = workplace('slow');
    const path = makeFilm(join(place, 'slow.mp4'), [...numbered(40, '1/4'), ...h264(1)]);
    const { renditions } = await encodeFilm(path, place);
    const shades = shadesOf(joined(orFail(fromNullable('no track')(renditions[0])), place, 'joined.mp4'));
    assert.deepEqual(
      shades,
      Array.from({ length: 40 }, (_, second) => Math.floor(second / 4)),
    );
  });

  it('is refused when the encoder wrote something else than the group', async () => {
    const place = workplace('refused');
    const path = makeFilm(join(place, 'film.mp4'), [...numbered(4, '12'), ...h264(12)]);
    const { grid } = await encodeFilm(path, place);
    const source = await openByteSource(join(place, '360p-0.mp4'));
    const track = orFail(await readTrack(source));
    const [group] = grid.groups;
    assert.ok(group);
    const refusal = async (changed: Track, size = { width: 64, height: 48 }): Promise<string> => {
      const job = { source, grid, group, rendition: size, store: async () => {} };
      const packaged = await packageGroup({ ...job, track: changed });
      return isLeft(packaged) ? packaged.left : 'packaged';
    };
    assert.equal(await refusal(track), 'packaged');
    assert.equal(await refusal({ ...track, samples: track.samples.slice(0, -1) }), 'It has 47 frames of 48.');
    assert.match(await refusal(track, { width: 32, height: 24 }), /^It is 64x48, not 32x24/);
    const late = track.samples.map((sample) => ({ ...sample, decodeTime: sample.decodeTime + 1 }));
    assert.match(await refusal({ ...track, samples: late }), /^Frame 0/);
    const open = track.samples.map((sample, index) => ({ ...sample, isSync: index === 0 }));
    assert.match(await refusal({ ...track, samples: open }), /^Keyframes are not on the grid at 24/);
    await source.close();
  });
});
