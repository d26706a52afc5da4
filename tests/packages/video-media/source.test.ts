/** What a film is, and why a file is none. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { missingDecoder } from '../../../packages/video-media/src';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { needs } from '../../support/runner/prerequisites';
import { describeFilm, h264, makeFilm, moving, orFail, tone } from './made-films';

describe('the description of a film', function () {
  this.timeout(120_000);
  needs('ffmpeg');
  const directory = useTemporaryDirectory('film-sources');
  const file = (name: string): string => join(directory, name);
  const film = (name: string, ...args: readonly string[]): string => makeFilm(file(name), args);
  const refusal = (path: string): string => {
    const described = describeFilm(path);
    return isLeft(described) ? described.left.code : 'described';
  };

  it('has exact rates, times and keyframes', () => {
    const path = film('fractional.mp4', ...moving(4, '160x90', '30000/1001'), ...tone(4), ...h264(60), '-c:a', 'aac');
    const { video, audio, durationSeconds } = orFail(describeFilm(path));
    assert.deepEqual(video.frameRate, { numerator: 30_000, denominator: 1_001 });
    assert.deepEqual(video.timing.keyframes, [0, 60_060]);
    assert.equal(video.timing.frameCount, 120);
    assert.equal(durationSeconds, 4.004);
    assert.equal(video.isVariableRate, false);
    assert.deepEqual(
      audio.map(({ codec, profile, channels }) => [codec, profile, channels]),
      [['aac', 'LC', 1]],
    );
  });

  it('has the size as displayed: turned, and of square pixels', () => {
    const upright = film('upright.mp4', ...moving(1), ...h264(25));
    // Debian's ffmpeg writes this tag as a turn counter-clockwise, and plays it so.
    const turned = film('turned.mp4', '-i', upright, '-c', 'copy', '-metadata:s:v:0', 'rotate=90');
    const anamorphic = film('wide.mp4', ...moving(1, '144x96'), '-vf', 'setsar=4/3', ...h264(25));
    const sizeOf = (path: string): readonly number[] => {
      const { video } = orFail(describeFilm(path));
      return [video.displayedWidth, video.displayedHeight, video.rotation];
    };
    assert.deepEqual(sizeOf(turned), [90, 160, 270]);
    assert.deepEqual(sizeOf(anamorphic), [192, 96, 0]);
  });

  it('names variable rates, 10 bits, HDR, fields, subtitles and channels', () => {
    const variable = film(
      'variable.mp4',
      ...moving(4),
      '-vf',
      "select='not(mod(n,7))+lt(n,40)'",
      '-vsync',
      'vfr',
      ...h264(25),
    );
    const hdr = film(
      'hdr.mkv',
      ...moving(1),
      ...['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le', '-x265-params', 'log-level=none'],
      ...['-color_trc', 'smpte2084', '-color_primaries', 'bt2020', '-colorspace', 'bt2020nc'],
    );
    const fields = film(
      'fields.mp4',
      ...moving(1, '160x96'),
      ...h264(25),
      '-flags',
      '+ildct+ilme',
      '-x264-params',
      'tff=1',
    );
    const surround = film('surround.mkv', ...moving(1), ...tone(1), ...h264(25), '-ac', '6', '-c:a', 'aac');
    assert.equal(orFail(describeFilm(variable)).video.isVariableRate, true);
    const { bitDepth, transfer } = orFail(describeFilm(hdr)).video;
    assert.deepEqual({ bitDepth, transfer }, { bitDepth: 10, transfer: 'pq' });
    assert.equal(orFail(describeFilm(fields)).video.isInterlaced, true);
    assert.equal(orFail(describeFilm(surround)).audio[0]?.channels, 6);
  });

  it('is there for one frame', () => {
    const { video } = orFail(describeFilm(film('one.mp4', ...moving(1), '-frames:v', '1', ...h264(25))));
    assert.equal(video.timing.frameCount, 1);
    assert.equal(video.isVariableRate, false);
  });

  it('is refused by the name of a codec that cannot be decoded', () => {
    const bytes = readFileSync(film('known.mp4', ...moving(1), ...h264(25)));
    for (const [tag, title] of [
      ['vvc1', 'H.266 (VVC)'],
      ['evc1', 'EVC'],
      ['avs3', 'AVS3'],
      ['xyz9', 'xyz9'],
    ] as const) {
      const other = Buffer.from(bytes);
      other.write(tag, other.indexOf('avc1', other.indexOf('stsd')));
      writeFileSync(file(`${tag}.mp4`), other);
      const described = describeFilm(file(`${tag}.mp4`));
      assert.deepEqual(isLeft(described) ? described.left : described.right, {
        code: 'UNSUPPORTED_CODEC',
        detail: `The film is encoded with ${title}, which cannot be decoded here. Export it as H.264 with AAC and upload that.`,
      });
    }
  });

  it('is refused by what ffmpeg says of a codec that it knows and cannot decode', () => {
    const printed = (codec: string) => `Stream mapping:\nDecoder (codec ${codec}) not found for input stream #0:0\n`;
    assert.match(missingDecoder(printed('avs2'))?.detail ?? '', /^A track of the film is encoded with AVS2, /);
    assert.match(missingDecoder(printed('mpegh_3d_audio'))?.detail ?? '', /encoded with mpegh_3d_audio, /);
    assert.match(missingDecoder(printed('none'))?.detail ?? '', /encoded with a codec that is not known here, /);
    assert.equal(missingDecoder('Invalid data found when processing input'), undefined);
  });

  it('is refused with the true reason', () => {
    const whole = film('whole.mp4', ...moving(6), ...h264(25), '-movflags', 'faststart');
    const bytes = readFileSync(whole);
    writeFileSync(file('cut.mp4'), bytes.subarray(0, Math.floor(bytes.length * 0.6)));
    const encrypted = film(
      'encrypted.mp4',
      ...['-i', whole, '-c', 'copy', '-encryption_scheme', 'cenc-aes-ctr'],
      ...['-encryption_key', '00112233445566778899aabbccddeeff', '-encryption_kid', '00112233445566778899aabbccddeeff'],
    );
    assert.equal(refusal(film('sound.m4a', ...tone(1))), 'NO_VIDEO');
    assert.equal(refusal(file('cut.mp4')), 'CUT_OFF');
    // Its index would have stood at its end.
    const unindexed = readFileSync(film('late-index.mp4', ...moving(6), ...h264(25)));
    writeFileSync(file('cut-late.mp4'), unindexed.subarray(0, Math.floor(unindexed.length * 0.6)));
    assert.equal(refusal(file('cut-late.mp4')), 'CUT_OFF');
    assert.equal(refusal(encrypted), 'ENCRYPTED');
    // The header alone claims 48 hours.
    const claim = Buffer.from(bytes);
    const mvhd = claim.indexOf('mvhd');
    claim.writeUInt32BE(claim.readUInt32BE(mvhd + 16) * 48 * 3_600, mvhd + 20);
    const media = claim.indexOf('mdhd');
    claim.writeUInt32BE(Math.min(0xffffffff, claim.readUInt32BE(media + 16) * 48 * 3_600), media + 20);
    writeFileSync(file('long.mp4'), claim);
    assert.equal(refusal(file('long.mp4')), 'TOO_LONG');
  });
});
