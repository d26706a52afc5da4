/** How the console reads a log: colours, lines, and what of a long list is in view. */
import assert from 'node:assert/strict';
import { classOf, parseAnsi } from '../../../read-api/web/workflow/log/ansi';
import { createLogLines } from '../../../read-api/web/workflow/log/log-lines';
import { listHeight, rowHeight, scrollTopOf, visibleLines } from '../../../read-api/web/workflow/log/visible-lines';

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
      for (let at = 0; at < text.length; at += size) lines.add(text.slice(at, at + size));
      const all = [1, 2, 3, 4, 5].map((number) => lines.line(number)?.text);
      assert.deepEqual(all, ['one', 'two', '', 'progress 2', 'last']);
      assert.deepEqual([lines.first(), lines.last()], [1, 5]);
    }
  });

  it('begin with the colour that the line before left', () => {
    const lines = createLogLines();
    lines.add('\x1b[32mpassed\nstill\x1b[0m\nplain');
    assert.deepEqual(
      [2, 3].map((number) => lines.line(number)?.style.color),
      [2, null],
    );
  });

  it('say how much of a long one is left out', () => {
    const lines = createLogLines({ mostCharacters: 1_000, mostLineCharacters: 10 });
    for (let part = 0; part < 10; part += 1) lines.add('x'.repeat(1_000_000));
    lines.add('\nnext\n');
    assert.deepEqual([lines.line(1)?.text.length, lines.line(1)?.omitted], [10, 10_000_000 - 10]);
    assert.equal(lines.line(2)?.text, 'next');
  });

  it('keep their numbers when the oldest are dropped', () => {
    const lines = createLogLines({ mostCharacters: 1_000, mostLineCharacters: 100 });
    for (let number = 1; number <= 100_000; number += 1) lines.add(`line ${number}\n`);
    const first = lines.first();
    assert.ok(first > 99_800 && first < 100_000, String(first));
    assert.equal(lines.last(), 100_000);
    assert.equal(lines.line(first)?.text, `line ${first}`);
    assert.equal(lines.line(100_000)?.text, 'line 100000');
    assert.equal(lines.line(first - 1), undefined);
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

  it('have the line that a link names', () => {
    for (const count of [1_000, 1_000_000])
      for (const index of [0, 500, count - 1]) {
        const scrollTop = scrollTopOf(index, { height: 600, count });
        const { from, to } = visibleLines({ scrollTop, height: 600, count });
        assert.ok(from <= index && index < to, `${index} of ${count}`);
      }
  });
});
