/** Pictures of packaged films at any time of them, and posters of pictures that were uploaded. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { frameArguments, pictureArguments, pictureTypeOf } from '../../../packages/video-media/src';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { needs } from '../../support/runner/prerequisites';
import { h264, joined, makeFilm, orFail, packageRemuxed, run } from './made-films';

const sizeOf = (path: string): string =>
  run('ffprobe', ['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0', path]).trim();

const brightnessOf = (path: string): number => {
  const { stdout } = spawnSync('ffmpeg', [
    ...['-v', 'error', '-i', path, '-vf', 'extractplanes=y,crop=1:1', '-f', 'rawvideo', 'pipe:1'],
  ]);
  return stdout[0] ?? assert.fail('no picture');
};

describe('posters', function () {
  this.timeout(120_000);
  needs('ffmpeg');
  const directory = useTemporaryDirectory('posters');
  const output = join(directory, 'poster.jpg');

  it('are the picture that is shown at the time, to the last one', async () => {
    const path = makeFilm(join(directory, 'film.mp4'), [
      ...['-f', 'lavfi', '-i', `color=black:s=64x36:r=10:d=2,geq=lum='16+N*10':cb=128:cr=128`, ...h264(10)],
    ]);
    const packaged = join(directory, 'packaged');
    mkdirSync(packaged);
    const { video: track } = orFail(await packageRemuxed(path, packaged));
    const input = joined(track, packaged, 'joined.mp4');
    for (const [positionMilliseconds, frame] of [
      [0, 0],
      [99, 0],
      [100, 1],
      [1_150, 11],
      [1_900, 19],
      [1_999, 19],
      [2_000, 19],
    ] as const) {
      run('ffmpeg', frameArguments({ input, output, track, seconds: positionMilliseconds / 1_000 }));
      const expected = (frame * 10 * 255) / 219;
      const found = brightnessOf(output);
      assert.ok(Math.abs(found - expected) <= 4, `at ${positionMilliseconds} ms ${found}, not ${expected}`);
      assert.equal(sizeOf(output), '64,36');
    }
  });

  const make = (name: string, size: string): string => {
    const path = join(directory, name);
    run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', `color=white:s=${size}`, '-frames:v', '1', path]);
    return path;
  };
  const reencode = (input: string) => {
    const type = pictureTypeOf(readFileSync(input)) ?? assert.fail(`${input} is not known`);
    return spawnSync('ffmpeg', [...pictureArguments({ input, output, type })], { encoding: 'utf8' });
  };

  it('are made of JPEG, PNG and WebP, 1,280 pixels at most, and never larger', () => {
    for (const [name, size, expected] of [
      ['a.jpg', '2561x1441', '1280,720'],
      ['b.png', '900x2700', '426,1280'],
      ['c.webp', '321x181', '320,180'],
      ['d.png', '3x3', '2,2'],
      ['e.png', '4000x2', '1280,2'],
    ] as const) {
      const { status, stderr } = reencode(make(name, size));
      assert.equal(status, 0, stderr);
      assert.equal(sizeOf(output), expected, name);
    }
  });

  it('are not made of what claims to be larger than memory, or is damaged', () => {
    const huge = readFileSync(make('huge.png', '64x64'));
    huge.writeUInt32BE(60_000, 16);
    huge.writeUInt32BE(60_000, 20);
    for (const bytes of [huge, huge.subarray(0, 60)]) {
      const path = join(directory, 'bad.png');
      writeFileSync(path, bytes);
      spawnSync('rm', ['-f', output]);
      reencode(path);
      assert.equal(existsSync(output), false);
    }
  });

  it('are of no other type, whatever the bytes are', () => {
    for (const text of ['', 'GIF89a', '#EXTM3U', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'RIFF0000AVI '])
      assert.equal(pictureTypeOf(Buffer.from(text)), undefined);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        const known = pictureTypeOf(Buffer.from(bytes));
        assert.ok(known === undefined || bytes[0] === 0xff || bytes[0] === 0x89 || bytes[0] === 0x52);
      }),
    );
  });
});
