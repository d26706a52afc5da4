/** Sources of every kind: each is encoded upright, in its shape and colors, with all of its frames. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PackagedTrack } from '../../../packages/video-media/src';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { needs } from '../../support/runner/prerequisites';
import { encodeFilm, h264, joined, makeFilm, moving, run } from './made-films';

describe('a source', function () {
  this.timeout(240_000);
  needs('ffmpeg');
  const directory = useTemporaryDirectory('picture-matrix');

  /** How much the encoded film looks like another (SSIM, 1 is equal), frame by frame. */
  const likeness = (encoded: string, other: string, track: PackagedTrack): number => {
    const graph = `[1:v]scale=${track.width}:${track.height},setsar=1,format=yuv420p[other];[0:v][other]ssim`;
    const report = run(
      'ffmpeg',
      ['-hide_banner', '-i', encoded, '-i', other, '-lavfi', graph, '-f', 'null', '-'],
      'stderr',
    );
    return Number(/SSIM .* All:([\d.]+)/.exec(report)?.[1]);
  };

  const encode = async (name: string, args: readonly string[]) => {
    const place = join(directory, name.replaceAll('.', '-'));
    mkdirSync(place);
    const path = makeFilm(join(place, name), args);
    const { renditions, source, grid } = await encodeFilm(path, place);
    const [track] = renditions;
    assert.ok(track);
    return { path, track, source, grid, encoded: joined(track, place, 'joined.mp4') };
  };

  const raw = (format: string): readonly string[] => ['-c:v', 'ffv1', '-pix_fmt', format];
  const films = [
    ['of an odd size', 'odd.mkv', [...moving(1, '161x91'), ...raw('yuv444p')], '160x90'],
    ['of two pixels', 'tiny.mkv', [...moving(1, '2x2'), ...raw('yuv420p')], '2x2'],
    ['one pixel wide', 'narrow.mkv', [...moving(1), '-vf', 'scale=1:64,setsar=1', ...raw('yuv444p')], '2x64'],
    ['with wide pixels', 'wide.mp4', [...moving(1, '144x96'), '-vf', 'setsar=4/3', ...h264(25)], '192x96'],
    ['of 10 bits and 4:2:2', 'deep.mkv', [...moving(1), ...raw('yuv422p10le')], '160x90'],
    ['of RGB', 'rgb.mkv', [...moving(1), ...raw('bgra')], '160x90'],
    ['of gray', 'gray.mkv', [...moving(1), ...raw('gray')], '160x90'],
    ['of one frame', 'one.mp4', [...moving(1), '-frames:v', '1', ...h264(25)], '160x90'],
    ['of 120 frames a second', 'fast.mp4', [...moving(1, '160x90', '120'), ...h264(25)], '160x90'],
  ] as const;

  for (const [name, file, args, size] of films)
    it(`${name} looks the same`, async () => {
      const { path, track, encoded } = await encode(file, args);
      assert.equal(`${track.width}x${track.height}`, size);
      // Of fewer than eight pixels there is no likeness, and of 120 frames each second one is played.
      if (Math.min(track.width, track.height) < 8 || file === 'fast.mp4') return;
      const like = likeness(encoded, path, track);
      assert.ok(like > 0.9, `${like}`);
    });

  for (const rotation of [90, 180, 270])
    it(`turned by ${rotation} degrees is upright`, async () => {
      const upright = makeFilm(join(directory, `upright-${rotation}.mp4`), [...moving(1), ...h264(25)]);
      const turned = ['-i', upright, '-c', 'copy', '-metadata:s:v:0', `rotate=${rotation}`];
      const { path, track, encoded } = await encode(`turned-${rotation}.mp4`, turned);
      assert.equal(`${track.width}x${track.height}`, rotation === 180 ? '160x90' : '90x160');
      // ffmpeg turns the source as players do.
      const like = likeness(encoded, path, track);
      assert.ok(like > 0.9, `${like}`);
    });

  for (const [name, transfer] of [
    ['PQ', 'smpte2084'],
    ['HLG', 'arib-std-b67'],
  ] as const)
    it(`of ${name} has its brightness mapped to what all screens show`, async () => {
      const plain = makeFilm(join(directory, `plain-${name}.mkv`), [...moving(1), ...raw('yuv420p')]);
      const bright = `zscale=tin=709:min=709:pin=709:rin=limited:t=${transfer}:p=2020:m=2020_ncl:npl=203`;
      const { track, source, encoded } = await encode(`${name}.mkv`, [
        ...['-i', plain, '-vf', `${bright},format=yuv420p10le`, '-c:v', 'ffv1'],
        ...['-color_trc', transfer, '-color_primaries', 'bt2020', '-colorspace', 'bt2020nc'],
      ]);
      assert.equal(source.video.transfer, name.toLowerCase());
      const like = likeness(encoded, plain, track);
      assert.ok(like > 0.8, `${like}`);
    });

  it('of fields has whole pictures', async () => {
    const plain = makeFilm(join(directory, 'progressive.mkv'), [
      ...moving(2, '160x96', '50'),
      '-vf',
      'scroll=h=0.03',
      ...raw('yuv420p'),
    ]);
    const { track, source, encoded, path } = await encode('fields.mkv', [
      ...['-i', plain, '-vf', 'tinterlace=interleave_top,fieldorder=tff', '-c:v', 'libx264', '-crf', '10'],
      ...['-preset', 'ultrafast', '-flags', '+ildct+ilme', '-x264-params', 'tff=1'],
    ]);
    assert.equal(source.video.isInterlaced, true);
    const half = makeFilm(join(directory, 'half.mkv'), ['-i', plain, '-vf', 'fps=25', ...raw('yuv420p')]);
    const [whole, combed] = [likeness(encoded, half, track), likeness(path, half, track)];
    assert.ok(whole > combed + 0.1, `${whole}, ${combed} before`);
  });
});
