/** Speech and its times in sound and films: by subtitles, chapters and the file's own words. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import type { Element } from '../../../../domain/files/content/element';
import { decodeSpeech } from '../../../../packages/file-readers/src/media/decode-speech';
import { mediaLimits } from '../../../../packages/file-readers/src/media/limits';
import { frameAt } from '../../../../packages/file-readers/src/media/read-media';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';
import { needs } from '../../../support/runner/prerequisites';
import { limits, readableFile, readCode, readFacts } from '../read';
import { ffmpeg, openMediaMaker, picture, srt, tone } from './made-media';

const timed = ({ kind, text, anchor }: Element) => {
  assert.ok(anchor.type === 'timestamp');
  return [kind, text, anchor.timestampStartMs, anchor.timestampEndMs, anchor.frame];
};

describe('a reader of sound and films', function () {
  this.timeout(120_000);
  needs('ffmpeg');
  const directory = useTemporaryDirectory('media');
  const { path, make, written } = openMediaMaker(directory);

  for (const [name, ...codecs] of [
    ['film.mkv', '-c:s', 'srt', '-c:a', 'flac'],
    ['film.mp4', '-c:s', 'mov_text'],
    ['film.mov', '-c:s', 'mov_text'],
    ['film.webm', '-c:s', 'webvtt', '-c:v', 'libvpx', '-c:a', 'libopus'],
  ] as const)
    it(`finds the subtitles of ${name} with half-open times and frames`, async () => {
      const { elements, facts } = await readFacts(make(name, { subtitles: true, more: codecs }));
      const cues = elements.filter(({ kind }) => kind === 'cue').map(timed);
      // Opus begins 6.5 ms before 0, so that this muxer moves everything to later.
      const rounded = cues.map((one) =>
        one.map((field) => (typeof field === 'number' && field > 100 ? field - (field % 50) : field)),
      );
      assert.deepEqual(name.endsWith('.webm') ? rounded : cues, [
        ['cue', 'The lease ends in June.', 500, 1_750, 12],
        ['cue', 'Three months of notice.', 2_000, 3_000, 50],
      ]);
      assert.ok(elements.every(({ modality }) => modality === 'video'));
      assert.deepEqual([facts.format, facts.width, facts.height], ['video', 64, 48]);
      assert.deepEqual([facts.hasSound, facts.hasSubtitles], [true, true]);
      assert.ok(Math.abs((facts.durationMs ?? 0) - 4_000) < 100);
    });

  it('puts chapters above what is said in them, and the title above all', async () => {
    const { elements, facts } = await readFacts(
      make('meeting.mkv', { subtitles: true, chapters: true, more: ['-c:s', 'srt'] }),
    );
    assert.equal(facts.title, 'Board meeting');
    assert.deepEqual(
      elements.map(({ kind, text }) => [kind, text.split('\n')[0]]),
      [
        ['title', 'Board meeting'],
        ['paragraph', 'Film, 0:04, 64 × 48 pixels'],
        ['heading', 'Opening'],
        ['cue', 'The lease ends in June.'],
        ['heading', 'Contracts'],
        ['cue', 'Three months of notice.'],
      ],
    );
    assert.match(elements[1]?.text ?? '', /^Artist: Ada$/m);
  });

  it('has chapters with their times where there are no subtitles', async () => {
    const { elements, facts } = await readFacts(make('talk.m4a', { film: false, chapters: true }));
    assert.deepEqual(elements.filter(({ kind }) => kind === 'caption').map(timed), [
      ['caption', 'Opening', 0, 1_900, null],
      ['caption', 'Contracts', 1_900, 4_000, null],
    ]);
    assert.deepEqual([facts.format, facts.hasSubtitles, facts.hasSound], ['audio', false, true]);
  });

  it('says at least what a recording is', async () => {
    ffmpeg(...tone(65), path('tone.wav'));
    const { elements } = await readFacts(path('tone.wav'));
    assert.deepEqual(elements.map(timed), [['paragraph', 'Sound recording, 1:05', 0, 65_000, null]]);
    ffmpeg(...tone(1), '-metadata', 'artist=Grace', '-metadata', 'comment=Recorded\nin Lisbon', path('tagged.flac'));
    const tagged = await readFacts(path('tagged.flac'));
    assert.match(tagged.elements[0]?.text ?? '', /Artist: Grace\nComment: Recorded\nin Lisbon/);
  });

  it('has a heading for each track of subtitles where there are several', async () => {
    const german = written('de.srt', srt.replace('The lease ends in June.', 'Der Vertrag endet im Juni.'));
    ffmpeg(
      ...[...tone(4), '-i', written('en.srt', srt), '-i', german, '-map', '0', '-map', '1', '-map', '2'],
      ...['-c:s', 'srt', '-metadata:s:s:0', 'language=eng', '-metadata:s:s:1', 'language=ger', path('two.mkv')],
    );
    const { elements } = await readFacts(path('two.mkv'));
    assert.deepEqual(
      elements.filter(({ kind }) => kind === 'heading').map(({ text }) => text),
      ['Subtitles: English', 'Subtitles: German'],
    );
    assert.equal(elements.filter(({ kind }) => kind === 'cue').length, 4);
  });

  it('numbers frames by their average rate, also where it is no whole number', () => {
    assert.equal(frameAt(0, 25), 0);
    assert.equal(frameAt(39, 25), 0);
    assert.equal(frameAt(40, 25), 1);
    assert.equal(frameAt(1_001, 30_000 / 1_001), 30);
    assert.equal(frameAt(60_060, 60_000 / 1_001), 3_600);
  });

  it('tells a cover from a film', async () => {
    ffmpeg(...picture(1), '-frames:v', '1', path('cover.png'));
    ffmpeg(...tone(1), '-i', path('cover.png'), '-map', '0', '-map', '1', '-c:v', 'copy', path('song.mp3'));
    const { facts, elements } = await readFacts(path('song.mp3'));
    assert.deepEqual([facts.format, facts.width], ['audio', null]);
    assert.match(elements[0]?.text ?? '', /^Sound recording/);
  });

  describe('gives sound to a transcriber', () => {
    const samplesOf = async (file: string): Promise<Int16Array> => {
      const output = path(`${Math.random().toString(36).slice(2)}.pcm`);
      const decoded = await decodeSpeech(readableFile(file), limits, output);
      if (isLeft(decoded)) assert.fail(decoded.left.detail);
      const bytes = readFileSync(output);
      return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
    };

    it('with 16,000 samples a second of one channel', async () => {
      ffmpeg(...tone(2), '-ac', '2', '-ar', '44100', path('stereo.flac'));
      const samples = await samplesOf(path('stereo.flac'));
      assert.ok(Math.abs(samples.length - 32_000) < 200, String(samples.length));
    });

    it('at the times of the film, where the sound begins later', async () => {
      ffmpeg(...picture(3), '-itsoffset', '1.5', ...tone(1), '-c:v', 'mpeg4', path('late.mkv'));
      const samples = await samplesOf(path('late.mkv'));
      const first = samples.findIndex((one) => Math.abs(one) > 500);
      assert.ok(Math.abs(first - 24_000) < 1_600, `sound begins at sample ${first}`);
    });
  });

  describe('refuses, with a code,', () => {
    it('what is cut off, empty, or only looks like a recording', async () => {
      copyFileSync(make('whole.mp4'), path('cut.mp4'));
      truncateSync(path('cut.mp4'), Math.floor(statSync(path('cut.mp4')).size / 2));
      assert.equal(await readCode(path('cut.mp4')), 'CORRUPT');
      assert.equal(await readCode(written('empty.mp4', '')), 'CORRUPT');
      assert.equal(
        await readCode(written('boxes.mp4', Buffer.from('0000001866747970697'.padEnd(200, '0'), 'hex'))),
        'CORRUPT',
      );
      for (const head of [
        'RIFF\x24\0\0\0WAVEfmt ',
        'OggS\0\0',
        'fLaC\0\0\0\x22',
        'RIFF\0\0\0\0AVI LIST',
        'ID3\x03\0\0\0\0\0\0',
      ])
        assert.equal(await readCode(written('noise', Buffer.from(head.padEnd(64, '\0'), 'latin1'))), 'CORRUPT', head);
    });

    it('containers of other kinds', async () => {
      ffmpeg(...tone(1), path('tone.aiff'));
      assert.equal(await readCode(path('tone.aiff')), 'UNSUPPORTED_TYPE');
    });

    it('pictures of too many pixels, and too many tracks', async () => {
      ffmpeg(...picture(1, '320x240'), '-c:v', 'mpeg4', path('large.mp4'));
      assert.equal(await readCode(path('large.mp4'), undefined, { pixels: 320 * 240 - 1 }), 'TOO_LARGE');
      const maps = Array.from({ length: mediaLimits.streams + 4 }, () => ['-map', '0:a']).flat();
      ffmpeg(...tone(1), ...maps, '-c:a', 'pcm_s16le', path('tracks.mkv'));
      assert.equal(await readCode(path('tracks.mkv')), 'TOO_LARGE');
    });

    it('more text than is allowed', async () => {
      const film = make('long.mkv', { subtitles: true, more: ['-c:s', 'srt'] });
      assert.equal(await readCode(film, undefined, { textBytes: 30 }), 'TOO_LARGE');
    });

    it('a recording of more than a day', async () => {
      const late = written('late.srt', '1\n25:00:00,000 --> 25:00:01,000\nLate.\n');
      ffmpeg(...tone(1), '-i', late, '-c:s', 'srt', path('day.mkv'));
      assert.equal(await readCode(path('day.mkv')), 'TOO_LARGE');
    });
  });

  it('follows no playlist and no reference to another file', async () => {
    const secret = make('secret.mp4', { subtitles: true, more: ['-c:s', 'mov_text'] });
    const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${secret}\n#EXT-X-ENDLIST\n`;
    // ffprobe opens it for what it is, unless it is held to one demuxer.
    const opened = spawnSync('ffprobe', ['-v', 'error', '-allowed_extensions', 'ALL', written('list.m3u8', playlist)]);
    assert.equal(opened.status, 0, 'the attack works without a demuxer');
    for (const name of ['evil.mp4', 'evil.mkv', 'evil.mp3'])
      assert.equal(await readCode(written(name, playlist)), 'TYPE_MISMATCH', name);
    // Under the head of a container, so that it passes for one.
    for (const head of ['\0\0\0\x18ftypmp42', 'RIFF\0\0\0\0AVI ', 'OggS\0\0\0\0'])
      assert.equal(await readCode(written('evil', `${head}\n${playlist}\0`)), 'CORRUPT', head);
    const concat = `ffconcat version 1.0\nfile '${secret}'\n`;
    assert.equal(await readCode(written('evil.mov', concat)), 'TYPE_MISMATCH');
    const { elements } = await readFacts(written('plain.m3u8', playlist));
    assert.ok(
      elements.every(({ modality }) => modality === 'text'),
      'a playlist is text',
    );
  });
});
