/** Sound and film are known by their bytes, whatever they are called. */
import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { detectFormat } from '../../../../packages/file-readers/src';
import { containerOf } from '../../../../packages/file-readers/src/media/containers';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';
import { needs } from '../../../support/runner/prerequisites';
import { limits, readableFile } from '../read';
import { ffmpeg, openMediaMaker, picture, tone } from './made-media';

describe('the container of a recording', function () {
  this.timeout(60_000);
  needs('ffmpeg');
  const directory = useTemporaryDirectory('containers');
  const { path, make, written } = openMediaMaker(directory);

  const typeOf = async (file: string, name: string): Promise<string> => {
    const detected = await detectFormat(readableFile(file, name), limits);
    return isLeft(detected) ? detected.left.code : `${detected.right.format} ${detected.right.mediaType}`;
  };

  const sounds = [
    ['tone.mp3', [], 'audio audio/mpeg'],
    ['bare.mp3', ['-id3v2_version', '0', '-write_xing', '0'], 'audio audio/mpeg'],
    ['half.mp3', ['-id3v2_version', '0', '-write_xing', '0', '-ar', '22050'], 'audio audio/mpeg'],
    ['tone.wav', [], 'audio audio/wav'],
    ['tone.flac', [], 'audio audio/flac'],
    ['tone.ogg', ['-c:a', 'libvorbis'], 'audio audio/ogg'],
    ['tone.opus', ['-c:a', 'libopus'], 'audio audio/opus'],
    ['tone.m4a', [], 'audio audio/mp4'],
  ] as const;
  for (const [name, options, expected] of sounds)
    it(`of ${name} is ${expected}`, async () => {
      ffmpeg(...tone(1), ...options, path(name));
      assert.equal(await typeOf(path(name), name), expected);
      assert.equal(await typeOf(path(name), 'recording'), expected);
    });

  const films = [
    ['film.mp4', [], 'video video/mp4'],
    ['film.mov', [], 'video video/quicktime'],
    ['film.mkv', [], 'video video/matroska'],
    ['film.webm', ['-c:v', 'libvpx', '-c:a', 'libopus'], 'video video/webm'],
    ['film.avi', [], 'video video/vnd.avi'],
  ] as const;
  for (const [name, more, expected] of films)
    it(`of ${name} is ${expected}`, async () => {
      assert.equal(await typeOf(make(name, { more }), name), expected);
    });

  it('is compared with the name', async () => {
    assert.equal(await typeOf(make('film.mp4'), 'film.pdf'), 'TYPE_MISMATCH');
    assert.equal(
      await typeOf(written('playlist.mp4', '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'), 'playlist.mp4'),
      'TYPE_MISMATCH',
    );
    assert.equal(await typeOf(written('note.mp3', 'No sound.'), 'note.mp3'), 'TYPE_MISMATCH');
  });

  it('is none of pictures, whose boxes are alike, and of two bytes that look like sound', () => {
    assert.equal(containerOf(Buffer.from('0000001c6674797061766966000000006d696631', 'hex')), undefined);
    assert.equal(containerOf(Buffer.from(`fffb90${'00'.repeat(2_000)}`, 'hex')), undefined);
    assert.equal(containerOf(Buffer.from('fff15080', 'hex')), undefined);
  });

  it('is read from every length of a beginning', () => {
    ffmpeg(...picture(1), '-c:v', 'mpeg4', path('whole.mp4'));
    for (let length = 0; length < 64; length += 1) containerOf(Buffer.alloc(length, 0xff));
  });
});
