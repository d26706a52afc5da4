/** How the console reads a log: colours, lines, and what of a long list is in view. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LogMessage } from '../../../packages/client/src/schemas';
import { classOf, parseAnsi, textOf } from '../../../read-api/web/workflow/log/ansi';
import { createLogContent, type LogContent } from '../../../read-api/web/workflow/log/log-content';
import { createLogLines } from '../../../read-api/web/workflow/log/log-lines';
import { rowsOf } from '../../../read-api/web/workflow/log/log-rows';
import { createLogSearch } from '../../../read-api/web/workflow/log/log-search';
import {
  listHeight,
  rowHeight,
  scrollTopAt,
  scrollTopOf,
  topRow,
  visibleLines,
} from '../../../read-api/web/workflow/log/visible-lines';

/** Of a text in which each character is a byte. */
const chunkOf = (text: string, from: number, to: number, chunkOffset: number): LogMessage => ({
  runId: 'run',
  jobId: 'job',
  chunkOffset,
  byteOffsetStart: from,
  byteOffsetEnd: to,
  lineStart: text.slice(0, from).split('\n').length - 1,
  text: text.slice(from, to),
  emittedAt: '',
});

const parsed = (line: string): readonly (readonly [string, string])[] =>
  parseAnsi(line).segments.map(({ text, style }) => [text, classOf(style)]);

describe('colours of a log', () => {
  it('become classes', () => {
    assert.deepEqual(parsed('a\x1b[31mred\x1b[0m b'), [
      ['a', ''],
      ['red', 'ansi-1'],
      [' b', ''],
    ]);
    assert.deepEqual(parsed('\x1b[1;92;44mx\x1b[22my\x1b[mz'), [
      ['x', 'ansi-10 ansi-on-4 ansi-bold'],
      ['y', 'ansi-10 ansi-on-4'],
      ['z', ''],
    ]);
  });

  it('are brought down to sixteen', () => {
    assert.deepEqual(parsed('\x1b[38;5;196mx'), [['x', 'ansi-9']]);
    assert.deepEqual(parsed('\x1b[38;2;0;0;120mx'), [['x', 'ansi-4']]);
    assert.deepEqual(parsed('\x1b[48;5;12;1mx'), [['x', 'ansi-on-12 ansi-bold']]);
  });

  it('come without other control sequences', () =>
    assert.deepEqual(parsed('\x1b[2Ka\x1b]8;;https://x.test\x07link\x1b]8;;\x1b\\b\x08\x1b[1'), [
      ['a', ''],
      ['link', ''],
      ['b', ''],
      ['[1', ''],
    ]));

  it('are found in time that grows with the line alone', () => {
    const { segments } = parseAnsi('\x1b[31mx'.repeat(200_000));
    assert.equal(segments.length, 200_000);
    assert.equal(parseAnsi('\x1b]'.repeat(200_000)).segments.length, 0);
  });
});

describe('lines of a log', () => {
  it('are the same however the text is cut', () => {
    const text = 'one\ntwo\r\n\nprogress 1\rprogress 2\nlast';
    for (let size = 1; size <= text.length; size += 1) {
      const lines = createLogLines();
      for (let at = 0; at < text.length; at += size) lines.append(text.slice(at, at + size));
      const all = [1, 2, 3, 4, 5].map((number) => lines.line(number)?.text);
      assert.deepEqual(all, ['one', 'two', '', 'progress 2', 'last']);
      assert.deepEqual([lines.first(), lines.end()], [1, 6]);
    }
  });

  it('begin with the colour that the line before left', () => {
    const lines = createLogLines();
    lines.append('\x1b[32mpassed\nstill\x1b[0m\nplain');
    assert.deepEqual(
      [2, 3].map((number) => lines.line(number)?.style.color),
      [2, null],
    );
  });

  it('say how much of a long one is left out', () => {
    const lines = createLogLines(1, { mostCharacters: 1_000, mostLineCharacters: 10 });
    for (let part = 0; part < 10; part += 1) lines.append('x'.repeat(1_000_000));
    lines.append('\nnext\n');
    assert.deepEqual([lines.line(1)?.text.length, lines.line(1)?.omitted], [10, 10_000_000 - 10]);
    assert.equal(lines.line(2)?.text, 'next');
  });

  it('keep their numbers when the oldest are dropped', () => {
    const lines = createLogLines(1, { mostCharacters: 1_000, mostLineCharacters: 100 });
    for (let number = 1; number <= 100_000; number += 1) lines.append(`line ${number}\n`);
    const first = lines.first();
    assert.ok(first > 99_800 && first < 100_000, String(first));
    assert.equal(lines.end(), 100_001);
    assert.equal(lines.line(first)?.text, `line ${first}`);
    assert.equal(lines.line(100_000)?.text, 'line 100000');
    assert.equal(lines.line(first - 1), undefined);
  });
});

describe('a log that is opened at its end', () => {
  const text = [
    ...['one', 'two\r', '', '##[group]Run make', 'make: \x1b[31mfailed', 'still red', '##[endgroup]', 'spin 1\rspin 2'],
    ...['##[error]Exit code 2\x1b[0m', 'äöü', ''],
  ].join('\n');
  const whole = createLogContent();
  whole.append(chunkOf(text, 0, text.length, 0));
  const linesOf = (content: LogContent) => {
    const lines = content.lines();
    if (lines === undefined) return [];
    return Array.from({ length: lines.end() - lines.first() }, (_, at) => lines.line(lines.first() + at));
  };

  it('has the same lines as one that is read from the begin, however it is cut', () => {
    for (const size of [1, 2, 3, 5, 7, 11, 1_000]) {
      const cuts = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => at);
      const chunks = cuts.map((at) => chunkOf(text, at * size, Math.min(text.length, (at + 1) * size), at));
      for (const from of [0, Math.floor(chunks.length / 2), chunks.length - 1]) {
        const content = createLogContent();
        for (const chunk of chunks.slice(from)) content.append(chunk);
        for (let before = from; before > 0; before -= 2)
          assert.equal(content.prepend(chunks.slice(Math.max(0, before - 2), before)), true);
        assert.deepEqual(linesOf(content), linesOf(whole), `chunks of ${size}, from ${from}`);
        assert.deepEqual(content.lines()?.markers(), whole.lines()?.markers());
      }
    }
  });

  it('numbers its lines before it has the first', () => {
    const content = createLogContent();
    const at = text.indexOf('äöü');
    content.append(chunkOf(text, at, text.length, 7));
    assert.equal(content.lines()?.line(10)?.text, 'äöü');
    assert.equal(content.next(), 8);
  });

  it('takes each chunk once', () => {
    const content = createLogContent();
    for (let time = 0; time < 3; time += 1) content.append(chunkOf('a\n', 0, 2, 0));
    assert.equal(content.lines()?.end(), 2);
  });

  it('says how many bytes are missing, and keeps the numbers of lines', () => {
    const content = createLogContent();
    content.append({ ...chunkOf('a\nb\n', 0, 4, 0) });
    content.append({ ...chunkOf('a\nb\n', 0, 4, 1), byteOffsetStart: 10, lineStart: 2 });
    assert.equal(textOf(content.lines()?.line(3)?.text ?? ''), '… 6 bytes are left out …a');
    assert.equal(content.lines()?.line(4)?.text, 'b');
  });

  it('takes no more than there is room for', () => {
    const content = createLogContent({ mostCharacters: 10, mostLineCharacters: 10 });
    content.append(chunkOf('a\nb\nc\nd\n', 4, 8, 1));
    assert.equal(content.prepend([chunkOf('123456789\n', 0, 10, 0)]), false);
    assert.equal(content.lines()?.first(), 3);
  });
});

describe('groups of a log', () => {
  const markersOf = (text: string) => {
    const lines = createLogLines();
    lines.append(text);
    return { first: lines.first(), end: lines.end(), markers: lines.markers() };
  };
  const rowLines = (text: string, chosen: readonly (readonly [number, boolean])[] = [], at?: number) => {
    const rows = rowsOf({ ...markersOf(text), chosen: new Map(chosen), visibleLine: at });
    return Array.from({ length: rows.count }, (_, row) => rows.lineAt(row));
  };
  const text = 'a\n##[group]b\nc\nd\n##[endgroup]\ne\n##[group]f\n##[error]g\n##[endgroup]\nh\n##[group]i\nj\n';

  it('fold when they have ended, unless an error is in them', () =>
    assert.deepEqual(rowLines(text), [1, 2, 6, 7, 8, 10, 11, 12]));

  it('open and fold as the reader wants', () => {
    const chosen = [[2, true] as const, [7, false] as const, [11, false] as const];
    assert.deepEqual(rowLines(text, chosen), [1, 2, 3, 4, 6, 7, 10, 11]);
  });

  it('open for a line that a link names', () =>
    assert.deepEqual(rowLines(text, [], 4), [1, 2, 3, 4, 6, 7, 8, 10, 11, 12]));

  it('end where the next begins', () =>
    assert.deepEqual(rowLines('##[group]a\nb\n##[group]c\nd\n##[endgroup]\n'), [1, 3]));

  it('have a row for each line that is shown, and the heading for one that is not', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('x', '##[group]g', '##[endgroup]', '##[error]e'), { maxLength: 60 }),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.boolean())),
        (lines, chosen) => {
          const rows = rowsOf({ ...markersOf(lines.map((line) => `${line}\n`).join('')), chosen: new Map(chosen) });
          const numbers = Array.from({ length: rows.count }, (_, row) => rows.lineAt(row));
          assert.deepEqual(
            numbers,
            numbers.toSorted((one, other) => one - other),
          );
          for (const [row, number] of numbers.entries()) assert.equal(rows.rowOf(number), row);
          for (let number = 1; number <= lines.length; number += 1) {
            const row = rows.rowOf(number);
            const group = rows.groupOf(number);
            const isVisible = numbers.includes(number);
            if (!isVisible && group !== undefined) assert.equal(numbers[row], group.from);
            if (!isVisible) assert.ok(group?.isOpen === false || lines[number - 1] === '##[endgroup]');
          }
        },
      ),
    ));
});

describe('a search in a log', () => {
  it('finds what was added at either end, each line once, whatever its case and colours', () => {
    const content = createLogContent();
    const text = 'Error one\nplain\nthe \x1b[31mer\x1b[0mror two\n##[group]ERROR three\n##[error]x\nlast error';
    const chunks = [...text].map((_, at) => chunkOf(text, at, at + 1, at));
    for (const chunk of chunks.slice(30, 50)) content.append(chunk);
    const lines = content.lines();
    assert.ok(lines !== undefined);
    const search = createLogSearch(lines, 'error');
    search.update();
    for (let before = 30; before > 0; before -= 3) {
      content.prepend(chunks.slice(before - 3, before));
      search.update();
    }
    for (const chunk of chunks.slice(50)) {
      content.append(chunk);
      search.update();
    }
    assert.deepEqual(search.found(), [1, 3, 4]);
    lines.append('\n');
    search.update();
    assert.deepEqual(search.found(), [1, 3, 4, 6]);
  });

  it('takes the text as it is', () => {
    const lines = createLogLines();
    lines.append('a.b (c)\naxb\n');
    const search = createLogSearch(lines, '.b (');
    search.update();
    assert.deepEqual(search.found(), [1]);
  });
});

describe('lines in view', () => {
  it('are few, whatever the length', () => {
    for (const count of [0, 1, 100, 1_000_000]) {
      for (const share of [0, 0.3, 1]) {
        const scrollTop = share * Math.max(0, listHeight(count) - 600);
        const { from, to, height } = visibleLines({ scrollTop, height: 600, count });
        assert.ok(to - from <= 72 && from >= 0 && to <= count);
        assert.ok(height <= 8_000_000);
      }
    }
  });

  it('reach the first and the last', () => {
    const [count, height] = [1_000_000, 600];
    assert.equal(visibleLines({ scrollTop: 0, height, count }).from, 0);
    const end = visibleLines({ scrollTop: listHeight(count) - height, height, count });
    assert.equal(end.to, count);
    assert.ok(end.top + (end.to - end.from) * rowHeight <= end.height + 1);
  });

  it('stay when rows come before them', () => {
    for (const count of [1_000, 1_000_000])
      for (const row of [0, 0.5, 421.25, count - 200]) {
        const view = { height: 600, count };
        assert.ok(Math.abs(topRow({ scrollTop: scrollTopAt(row, view), ...view }) - row) < 0.01);
      }
  });

  it('have the line that a link names', () => {
    for (const count of [1_000, 1_000_000])
      for (const index of [0, 500, count - 1]) {
        const scrollTop = scrollTopOf(index, { height: 600, count });
        const { from, to } = visibleLines({ scrollTop, height: 600, count });
        assert.ok(from <= index && index < to, `${index} of ${count}`);
      }
  });
});
