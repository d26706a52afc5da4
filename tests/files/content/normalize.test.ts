/** Text as it is searched, and the words that keep their places in it. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type BlankRule, normalizedText } from '../../../domain/files/content/chunking/normalize';
import type { WordBox } from '../../../domain/files/content/element';

const box = { x: 0, y: 0, w: 1, h: 1 };
const wordsOf = (text: string): readonly WordBox[] =>
  [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    ...{ start: index, length: word.length, pageNumber: 1, box },
  }));

const normalized = (text: string, rule: BlankRule = 'flow', joinsLines = false): string =>
  normalizedText({ text, words: [] }, rule, joinsLines).text;

/** The words of a text on a page, by their offsets in what it becomes. */
const wordsAfter = (text: string): readonly string[] => {
  const { text: after, words } = normalizedText({ text, words: wordsOf(text) }, 'flow', true);
  return words.map(({ start, length }) => after.slice(start, start + length));
};

describe('normalized text', () => {
  it('is composed, spelled out and without what nobody sees', () => {
    assert.equal(normalized('Cafe\u0301'), 'Caf\u00e9');
    assert.equal(normalized('\u1112\u1161\u11ab'), '\ud55c');
    assert.equal(normalized('e\uFB03cient \uFB01les'), 'efficient files');
    assert.equal(normalized('co\u00ADop\u200Berate\uFEFF\u0007'), 'cooperate');
    assert.equal(normalized('half \uD83D of a pair'), 'half \uFFFD of a pair');
    assert.equal(normalized('नमस्\u200dते'), 'नमस्\u200dते');
  });

  it('has single blanks, and lines, cells and indents where they mean something', () => {
    const text = 'a \u00A0 b\t \r\n  c  ';
    assert.equal(normalized(text).trim(), 'a b c');
    assert.equal(normalized(text, 'lines'), 'a b\nc ');
    assert.equal(normalized('a  b \t c\nd', 'cells'), 'a b\tc d');
    assert.equal(normalized('if (x)  {\r\n\treturn  1;  \r}', 'code'), 'if (x)  {\n\treturn  1;\n}');
  });

  it('joins words that the end of a line divides, where their parts are letters', () => {
    const joined = (text: string) => normalized(text, 'flow', true);
    assert.equal(joined('extrac-\ntion of text'), 'extraction of text');
    assert.equal(joined('(Vertrags\u2010\r\n  strafe)'), '(Vertragsstrafe)');
    assert.equal(joined('pre-\nand postwar'), 'pre- and postwar');
    assert.equal(joined('x86-\nbased'), 'x86- based');
    assert.equal(joined('Anglo-\nSaxon'), 'Anglo- Saxon');
    assert.equal(joined('see A-\n3'), 'see A- 3');
    assert.equal(joined('cit-\ne\u0301s'), 'cit\u00e9s');
    assert.equal(joined('retro-\nac-\ntive'), 'retroactive');
    assert.equal(normalized('extrac-\ntion'), 'extrac- tion');
  });

  it('keeps the places of its words', () => {
    assert.deepEqual(wordsAfter('  the   extrac-\ntion  of \uFB01les '), ['the', 'extrac', 'tion', 'of', 'files']);
    assert.deepEqual(wordsAfter('Cafe\u0301 \u00AD au lait'), ['Caf\u00e9', 'au', 'lait']);
  });

  it('leaves out words that are not in it', () => {
    const words = [
      { start: 2, length: 9, pageNumber: 1, box },
      { start: 7, length: 1, pageNumber: 1, box },
      { start: 0, length: 3, pageNumber: 1, box },
    ];
    const { text, words: after } = normalizedText({ text: 'one   two', words }, 'flow');
    assert.deepEqual(
      after.map(({ start, length }) => text.slice(start, start + length)),
      ['e two', 'wo'.slice(0, 1), 'one'],
    );
  });

  it('stays as it is when it is normalized again, and its words are those of the text', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(' ', '\n', '\t', '-\n', '\u00AD', 'e\u0301', 'ﬁ', 'ab', '\u1161'),
            fc.string({ unit: 'binary' }),
          ),
        ),
        fc.constantFrom<BlankRule>('flow', 'lines', 'cells', 'code'),
        fc.boolean(),
        (parts, rule, joinsLines) => {
          const text = parts.join('');
          const once = normalizedText({ text, words: wordsOf(text) }, rule, joinsLines);
          assert.equal(normalized(once.text, rule, joinsLines).normalize('NFC'), once.text.normalize('NFC'));
          assert.equal(once.text, once.text.normalize('NFC'));
          for (const [index, word] of once.words.entries()) {
            const own = once.text.slice(word.start, word.start + word.length);
            assert.equal(own.length, word.length);
            assert.equal(own.trim(), own);
            const before = once.words[index - 1];
            assert.ok(before === undefined || before.start + before.length <= word.start);
          }
        },
      ),
    ));
});
