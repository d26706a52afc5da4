/** Subtitles in files of their own: half-open times in milliseconds, and text as it is shown. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { type Cue, parseSubtitles } from '../../../../packages/file-readers/src/subtitles/parse-subtitles';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';
import { readFacts } from '../read';

const parse = (text: string, format: 'srt' | 'vtt') => parseSubtitles(text.split(/\r\n|\n/), format);
const cue = (startMs: number, endMs: number, text: string): Cue => ({ startMs, endMs, text });

const two = (at: number, digits = 2) => String(at).padStart(digits, '0');
const stamp = (ms: number, mark: string) =>
  `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1_000) % 60)}${mark}${two(ms % 1_000, 3)}`;
const srtOf = (cues: readonly Cue[], end: string): string =>
  cues
    .map(({ startMs, endMs, text }, at) =>
      [`${at + 1}`, `${stamp(startMs, ',')} --> ${stamp(endMs, ',')}`, text, '', ''].join(end),
    )
    .join('');
const vttOf = (cues: readonly Cue[], end: string): string =>
  [
    'WEBVTT - a title',
    '',
    'STYLE',
    '::cue { color: red }',
    '',
    'NOTE nothing',
    '',
    ...cues.flatMap(({ startMs, endMs, text }, at) => [
      ...(at % 2 === 0 ? [`id-${at}`] : []),
      `${stamp(startMs, '.')} --> ${stamp(endMs, '.')}${at % 3 === 0 ? ' align:start line:0' : ''}`,
      text,
      '',
    ]),
  ].join(end);

const words = fc.array(fc.constantFrom('lease', 'June', 'Über', '3', 'of', '日本', "isn't", '100%'), {
  minLength: 1,
  maxLength: 8,
});
const cueLists = fc
  .array(
    fc.record({
      gap: fc.nat(5_000),
      length: fc.integer({ min: 1, max: 9_000 }),
      text: words.map((one) => `${one.join(' ')}.`),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((list) => {
    let at = 0;
    return list.map(({ gap, length, text }) => {
      const startMs = at + gap;
      at = startMs + length;
      return cue(startMs, at, text);
    });
  });

describe('subtitles', () => {
  it('come back as they were written, in both forms and with both line ends', () =>
    fc.assert(
      fc.property(cueLists, fc.constantFrom('\n', '\r\n'), (cues, end) => {
        assert.deepEqual(parse(srtOf(cues, end), 'srt'), cues);
        assert.deepEqual(parse(vttOf(cues, end), 'vtt'), cues);
      }),
    ));

  it('of any text are cues in order, each with text and a duration', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'grapheme' }),
            fc.constantFrom('00:00:01,000 --> 00:00:00,500', '1:02 --> 9:59:59', '-->', '', '7', '<i>', '{\\an8}'),
          ),
          { maxLength: 60 },
        ),
        fc.constantFrom('srt' as const, 'vtt' as const),
        (lines, format) => {
          const cues = parseSubtitles(lines, format);
          for (const [at, { startMs, endMs, text }] of cues.entries()) {
            assert.ok(Number.isInteger(startMs) && startMs >= 0 && endMs > startMs && text.trim() !== '');
            assert.ok(startMs >= (cues[at - 1]?.startMs ?? 0));
          }
        },
      ),
    ));

  it('are shown without the marks of style, voice and place', () => {
    const vtt = 'WEBVTT\n\n00:01.000 --> 00:02.500\n<v Ada><b>Fish &amp; chips</b> <00:01.500>now\n- 1 < 2\n';
    assert.deepEqual(parse(vtt, 'vtt'), [cue(1_000, 2_500, 'Fish & chips now - 1 < 2')]);
    const srt = '1\n00:00:01,000 --> 00:00:02,000 X1:10 X2:20\n{\\an8}<font color="#fff">Hello</font>\n';
    assert.deepEqual(parse(srt, 'srt'), [cue(1_000, 2_000, 'Hello')]);
  });

  it('keep blank lines within a cue of SRT, and its numbers apart', () => {
    const srt =
      '1\n0:00:01,000 --> 0:00:02,000\nOne\n\nmore\n2\n0:00:03,000 --> 0:00:04,000\n1984\n\n3\n0:00:05,000 --> 0:00:06,000\nLast\n\n2024';
    assert.deepEqual(parse(srt, 'srt'), [
      cue(1_000, 2_000, 'One more'),
      cue(3_000, 4_000, '1984'),
      cue(5_000, 6_000, 'Last 2024'),
    ]);
  });

  it('have their times in the order of the film, and none without duration', () => {
    const vtt =
      'WEBVTT\n\n00:05.000 --> 00:06.000\nLate\n\n00:01.000 --> 00:02.000\nEarly\n\n00:03.000 --> 00:03.000\nNever\n';
    assert.deepEqual(parse(vtt, 'vtt'), [cue(1_000, 2_000, 'Early'), cue(5_000, 6_000, 'Late')]);
  });

  it('take time in proportion to their length', () => {
    const line = `${'0'.repeat(900)}:--> `;
    const lines = new Array<string>(20_000).fill(line);
    assert.deepEqual(parseSubtitles(lines, 'srt'), []);
  });

  const directory = useTemporaryDirectory('subtitles');
  const read = (name: string, content: string | Buffer) => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return readFacts(path);
  };

  it('are read as text with times from a file', async () => {
    const cues = [cue(500, 1_750, 'The lease ends in June.'), cue(2_000, 3_000, 'Notice: three months.')];
    for (const [name, content] of [
      ['lease.srt', Buffer.from(`\uFEFF${srtOf(cues, '\r\n')}`)],
      ['lease.vtt', Buffer.from(vttOf(cues, '\n'))],
      [
        'latin.srt',
        Buffer.from(srtOf([...cues, cue(4_000, 5_000, 'Über die Kündigung, für später größer')], '\n'), 'latin1'),
      ],
    ] as const) {
      const { elements, facts } = await read(name, content);
      assert.deepEqual([facts.format, elements[0]?.kind, elements[0]?.modality], ['text', 'cue', 'text'], name);
      assert.deepEqual(elements[1]?.anchor, {
        type: 'timestamp',
        timestampStartMs: 2_000,
        timestampEndMs: 3_000,
        frame: null,
      });
    }
  });

  it('without a single time are text like any other', async () => {
    const { elements } = await read('note.srt', 'Only a note.\n');
    assert.deepEqual(
      elements.map(({ kind, text, anchor }) => [kind, text, anchor.type]),
      [['paragraph', 'Only a note.', 'line_range']],
    );
  });
});
