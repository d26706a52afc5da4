/** Encoded sound: in step with the pictures whatever the source lacks, of one loudness, with its dialogue. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { planGain, readLoudness } from '../../../packages/video-media/src';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { needs } from '../../support/runner/prerequisites';
import { encodeSound, h264, joined, makeFilm, run } from './made-films';

const sampleRate = 48_000;

/** The louder of two channels at each sample; 16 bits. */
const samplesOf = (path: string): Int16Array => {
  const { status, stdout, stderr } = spawnSync(
    'ffmpeg',
    ['-nostdin', '-v', 'error', '-copyts', '-i', path, '-map', '0:a:0', '-f', 's16le', '-ac', '1', 'pipe:1'],
    { maxBuffer: 1_000_000_000 },
  );
  assert.equal(status, 0, stderr.toString());
  return new Int16Array(stdout.buffer, stdout.byteOffset, stdout.length / 2);
};

/** When sounds begin, in seconds: each after a tenth of silence. */
const onsets = (samples: Int16Array): readonly number[] => {
  const found: number[] = [];
  let quietSince = 0;
  for (let at = 0; at < samples.length; at++)
    if (Math.abs(samples[at] ?? 0) > 3_000) {
      if (at - quietSince > sampleRate / 10 || found.length === 0) found.push(at / sampleRate);
      quietSince = at;
    }
  return found;
};

/** A beep of 50 ms at the beginning of each period, from the first period on. */
const beeps = (seconds: number, period: number): string =>
  `aevalsrc='0.5*sin(2000*PI*t)*lt(mod(t,${period}),0.05)*gte(t,${period})':s=${sampleRate}:d=${seconds}`;

describe('the encoded sound of a film', function () {
  this.timeout(600_000);
  needs('ffmpeg');
  const directory = useTemporaryDirectory('encoded-sounds');
  const encode = async (name: string, args: readonly string[]) => {
    const place = join(directory, name.replaceAll('.', '-'));
    mkdirSync(place);
    const path = makeFilm(join(place, name), args);
    const { track, gain, grid } = await encodeSound(path, place);
    return { track, gain, grid, samples: samplesOf(joined(track, place, 'joined.mp4')) };
  };
  const pictures = (seconds: number) => ['-f', 'lavfi', '-i', `color=blue:duration=${seconds}:size=64x48:rate=12`];
  const both = ['-map', '0:v', '-map', '1:a', ...h264(24)];
  const beeping = ['-f', 'lavfi', '-i', beeps(14, 2)];

  /** Matroska has whole milliseconds, and shifts pictures by the delay of Opus. */
  const isNear = (found: readonly number[], expected: readonly number[]): void => {
    assert.equal(found.length, expected.length, `${found}`);
    for (const [index, seconds] of found.entries())
      assert.ok(Math.abs(seconds - (expected[index] ?? 0)) < 0.01, `${found} are not ${expected}`);
  };

  const sounds = [
    ['aac.mp4', beeping, ['-c:a', 'aac'], [2, 4, 6, 8, 10, 12]],
    ['opus.mkv', beeping, ['-c:a', 'libopus'], [2, 4, 6, 8, 10, 12]],
    ['late.mkv', ['-itsoffset', '1.5', ...beeping], ['-c:a', 'aac'], [3.5, 5.5, 7.5, 9.5, 11.5, 13.5]],
    [
      'early.mkv',
      ['-itsoffset', '-1.5', ...beeping],
      ['-c:a', 'flac', '-output_ts_offset', '1.5'],
      [0.5, 2.5, 4.5, 6.5, 8.5, 10.5],
    ],
    ['gap.mkv', beeping, ['-af', "aselect='not(between(t,5,7))'", '-c:a', 'flac'], [2, 4, 8, 10, 12]],
    ['short.mp4', beeping, ['-af', 'atrim=end=7', '-c:a', 'aac'], [2, 4, 6]],
  ] as const;

  for (const [name, source, options, expected] of sounds)
    it(`${name}: each sound has the time that it had, in segments that begin with those of the pictures`, async () => {
      const args = ['-f', 'lavfi', '-i', 'testsrc2=duration=14:size=64x48:rate=12', ...source];
      const { samples, track, grid } = await encode(name, [
        ...args,
        '-map',
        '0:v',
        '-map',
        '1:a',
        ...h264(24),
        ...options,
      ]);
      isNear(onsets(samples), expected);
      assert.equal(grid.frameCount, 168);
      assert.deepEqual(
        track.segments.map(({ startTicks }) => Math.round(startTicks / track.timescale)),
        [0, 6],
      );
    });

  it('is in step after an hour, though the clock of the recording was slow', async () => {
    const stretched = 1.000_5;
    const { samples, track, grid } = await encode('hour.mkv', [
      ...['-f', 'lavfi', '-i', 'color=blue:duration=3600:size=16x16:rate=1'],
      ...['-f', 'lavfi', '-i', beeps(3_590, 300), ...both, '-c:a', 'pcm_s16le', '-af', `asetpts=PTS*${stretched}`],
    ]);
    const found = onsets(samples);
    assert.equal(found.length, 11);
    for (const [index, seconds] of found.entries())
      assert.ok(Math.abs(seconds - (index + 1) * 300 * stretched) < 0.04, `${found}`);
    assert.equal(track.segments.length, grid.groups.flatMap(({ segments }) => segments).length);
  });

  const tones = (...volumes: readonly number[]): string =>
    `aevalsrc='${volumes.map((volume, channel) => `${volume}*sin(${600 + 200 * channel}*PI*t)`).join('|')}'`;
  const recorded = (name: string, source: string, ...options: readonly string[]) =>
    encode(name, [...pictures(10), '-f', 'lavfi', '-i', `${source}:d=10:s=48000`, ...both, '-c:a', 'flac', ...options]);

  for (const [name, volume] of [
    ['loud', 0.99],
    ['quiet', 0.03],
  ] as const)
    it(`is as loud as other films when the source is ${name}`, async () => {
      const { track } = await recorded(`${name}.mkv`, tones(volume));
      const path = join(directory, `${name}-mkv`, 'joined.mp4');
      assert.equal(track.channels, 2);
      const { integrated, peak } = readLoudness(
        run('ffmpeg', ['-hide_banner', '-i', path, '-af', 'ebur128=peak=sample', '-f', 'null', '-'], 'stderr'),
      );
      assert.ok(Math.abs(integrated + 16) < 1, `${integrated} LUFS`);
      assert.ok(peak < 0, `${peak} dBFS`);
    });

  it('stays silent when the source is', async () => {
    const { samples, gain } = await recorded('silent.mkv', tones(0));
    assert.deepEqual(gain, { decibels: 0, isLimited: false });
    assert.ok(samples.every((sample) => Math.abs(sample) < 4));
  });

  it('has of 5.1 the center in both channels', async () => {
    const { track } = await recorded('surround.mkv', `${tones(0, 0, 0.5, 0, 0, 0)}:c=5.1`);
    assert.equal(track.channels, 2);
    const path = join(directory, 'surround-mkv', 'joined.mp4');
    for (const channel of ['c0', 'c1']) {
      const { integrated } = readLoudness(
        run(
          'ffmpeg',
          ['-hide_banner', '-i', path, '-af', `pan=mono|c0=${channel},ebur128=peak=sample`, '-f', 'null', '-'],
          'stderr',
        ),
      );
      assert.ok(Math.abs(integrated + 19) < 1.5, `${channel} has ${integrated} LUFS`);
    }
  });
});

describe('the gain of a film', () => {
  const decibels = fc.double({ min: -69, max: 0, noNaN: true });

  it('leads to the target, unless noise or peaks would be too loud', () => {
    fc.assert(
      fc.property(decibels, decibels, (integrated, peak) => {
        const gain = planGain({ integrated, peak });
        assert.ok(gain.decibels <= 20);
        assert.ok(peak + gain.decibels <= 6.1 || gain.decibels === 0);
        assert.equal(gain.isLimited, peak + gain.decibels > -2 && integrated >= -60);
        if (integrated >= -36 && integrated <= peak - 10 && peak - integrated < 20)
          assert.ok(Math.abs(integrated + gain.decibels + 16) <= 0.05 + 1e-9);
      }),
    );
  });

  it('is read from the summary, not from tags of the source', () => {
    const summary = ['Summary:', '  I: -23.0 LUFS', '  Peak: -3.5 dBFS'].join('\n');
    const tags = 'title : Summary:\n I: 5.0 LUFS\n Peak: 1.0 dBFS\n';
    assert.deepEqual(readLoudness(tags + summary), { integrated: -23, peak: -3.5 });
    assert.equal(planGain(readLoudness('nothing')).decibels, 0);
    assert.equal(planGain(readLoudness('Summary:\n I: -70.0 LUFS\n Peak: -inf dBFS')).decibels, 0);
  });
});
