/** Captions as players take them, and the line of what is wrong in them. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import {
  type CaptionCue,
  readCaptions,
  readEmbeddedCaptions,
  spokenCues,
  subtitleArguments,
  writeCaptions,
} from '../../../packages/video-media/src';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { needs } from '../../support/runner/prerequisites';
import { describeFilm, h264, makeFilm, moving, orFail, run, sourceFile } from './made-films';

const lineOf = (text: string): number | undefined => {
  const read = readCaptions(text);
  return isLeft(read) ? read.left.line : undefined;
};

describe('captions', () => {
  it('of SRT become WebVTT', () => {
    const srt =
      '\uFEFF1\r\n00:00:01,500 --> 00:00:03,000\r\nOne\r\ntwo\r\n\r\n2\r\n00:00:04,000 --> 00:00:05,250\r\nThree & four\r\n';
    assert.equal(
      writeCaptions(orFail(readCaptions(srt))),
      'WEBVTT\n\n00:00:01.500 --> 00:00:03.000\nOne\ntwo\n\n00:00:04.000 --> 00:00:05.250\nThree &amp; four\n',
    );
  });

  it('have no markup, style or place', () => {
    const vtt = [
      ...['WEBVTT - a title', '', 'STYLE', '::cue { background: url(http://evil.example/) }', ''],
      ...['NOTE secret', '', 'id', '00:01.000 --> 00:02.000 line:0 position:20%'],
      ...['<v Roger><script>alert(1)</script> <i>Hi</i> {\\an8}<00:01.500>you &lt;img onerror=x&gt;', ''],
    ].join('\n');
    assert.equal(
      writeCaptions(orFail(readCaptions(vtt))),
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nalert(1) Hi you &lt;img onerror=x&gt;\n',
    );
  });

  it('are refused with the line of the fault', () => {
    assert.equal(lineOf(''), 1);
    assert.equal(lineOf('Only text.\nMore text.'), 1);
    assert.equal(lineOf('1\n00:00:01,000 --> 00:00:02,000\nFine\n\n2\n00:00:0x,000 --> 00:00:04,000\nBad'), 6);
    assert.equal(lineOf('1\n00:00:01,000 --> 00:00:02,000\nFine\n\n2\n00:00:05 -> 00:00:09\nAnother arrow'), 6);
    assert.equal(lineOf('WEBVTT\n\n00:05.000 --> 00:04.000\nBackwards'), 3);
    assert.equal(lineOf('WEBVTT\n\n00:05.000 -->\nNo end'), 3);
    assert.equal(lineOf(`WEBVTT\n\n00:05.000 --> 00:06.000\n${'long '.repeat(1_000)}`), 4);
  });

  const line = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => text.trim() !== '' && !text.includes('-->'));
  const cue = fc.record(
    {
      startMs: fc.nat(1_000_000),
      length: fc.integer({ min: 1, max: 10_000 }),
      lines: fc.array(line, { minLength: 1, maxLength: 3 }),
    },
    { noNullPrototype: true },
  );

  it('are the same when they are read again', () => {
    fc.assert(
      fc.property(fc.array(cue, { minLength: 1, maxLength: 5 }), (written) => {
        const cues: readonly CaptionCue[] = written.map(({ startMs, length, lines }) => ({
          ...{ startMs, endMs: startMs + length, lines },
        }));
        const once = readCaptions(writeCaptions(cues));
        if (isLeft(once)) return;
        assert.deepEqual(orFail(readCaptions(writeCaptions(once.right))), once.right);
        assert.doesNotMatch(writeCaptions(once.right).replaceAll('-->', ''), /[<>]/);
      }),
    );
  });

  it('are read of any text without an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        readCaptions(text);
        readEmbeddedCaptions(`WEBVTT\n\n${text}`);
      }),
    );
  });
});

describe('subtitles of a film', function () {
  this.timeout(60_000);
  needs('ffmpeg');
  const directory = useTemporaryDirectory('embedded-subtitles');

  it('have the times of its pictures', () => {
    const srt = join(directory, 'film.srt');
    writeFileSync(srt, '1\n00:00:01,000 --> 00:00:02,500\n<i>Look</i> up\n\n2\n00:00:03,000 --> 00:00:04,000\nDown\n');
    const path = makeFilm(join(directory, 'film.mkv'), [
      ...[...moving(5, '64x48', '12'), '-i', srt, '-map', '0:v', '-map', '1:s', ...h264(24), '-c:s', 'srt'],
      ...['-metadata:s:s:0', 'language=eng', '-output_ts_offset', '7'],
    ]);
    const { subtitles, video } = orFail(describeFilm(path));
    const [track] = subtitles;
    assert.ok(track?.isText === true && track.language === 'eng');
    const output = join(directory, 'film.vtt');
    run('ffmpeg', subtitleArguments({ source: sourceFile(path), subtitles: track, timing: video.timing, output }));
    assert.equal(
      writeCaptions(readEmbeddedCaptions(readFileSync(output, 'utf8'))),
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nLook up\n\n00:00:03.000 --> 00:00:04.000\nDown\n',
    );
  });
});

describe('captions of recognized speech', () => {
  it('are two lines of 42 characters at once, in the time of their passage', () => {
    const text = `${'word '.repeat(30)}end`;
    const cues = spokenCues([{ startMs: 1_000, endMs: 11_000, text }]);
    assert.equal(cues.length, 2);
    assert.deepEqual([cues[0]?.startMs, cues.at(-1)?.endMs], [1_000, 11_000]);
    assert.equal(cues[0]?.endMs, cues[1]?.startMs);
  });

  it('have all words of the passages in order, whatever these are', () => {
    const passage = fc.record({
      startMs: fc.nat(100_000),
      length: fc.integer({ min: 1, max: 30_000 }),
      text: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(passage, { maxLength: 5 }), (spoken) => {
        const passages = spoken.map(({ startMs, length, text }) => ({ startMs, endMs: startMs + length, text }));
        const cues = spokenCues(passages);
        for (const { startMs, endMs, lines } of cues) {
          assert.ok(endMs > startMs && lines.length >= 1 && lines.length <= 2);
          for (const line of lines) assert.ok(line.length <= 42 || !/\s/.test(line));
        }
        const long = passages.filter(({ startMs, endMs, text }) => endMs - startMs > text.length);
        const words = (texts: readonly string[]) =>
          texts
            .join(' ')
            .split(/\s+/)
            .filter((word) => word !== '');
        if (long.length === passages.length)
          assert.deepEqual(words(cues.flatMap(({ lines }) => lines)), words(passages.map(({ text }) => text)));
      }),
    );
  });
});
