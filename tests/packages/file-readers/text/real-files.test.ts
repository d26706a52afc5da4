/** Texts, pages and programs of public projects: the text of an element stands in the lines that it names. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { decodeText, linesOfText } from '../../../../packages/file-readers/src/text/decode';
import { fixture, readFacts } from '../read';

const filesIn = (folder: string): readonly string[] => readdirSync(fixture(folder)).map((name) => `${folder}/${name}`);

const lettersOf = (text: string): string => text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');

/** Markup parts words in the file that are whole in the text, and names their letters. */
const unmarked = (lines: string): string =>
  lines
    .replace(/<[^>]*>/g, '')
    .replace(/&#x([\da-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&#(\d+);/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
    .replace(/&\w+;/g, '');

const missingWord = (text: string, lines: string): string | undefined => {
  const [marked, plain] = [lettersOf(lines), lettersOf(unmarked(lines))];
  return text
    .match(/[\p{L}\p{N}]{3,}/gu)
    ?.map(lettersOf)
    .find((word) => !marked.includes(word) && !plain.includes(word));
};

/** Pages of which a browser shows nothing. */
const empty = new Set(['html/UTF-16BE-BOM.html', 'html/UTF-16LE-BOM.html']);

describe('lines of real files', () => {
  for (const name of ['text', 'markdown', 'html', 'code'].flatMap(filesIn))
    it(`hold the text of each passage: ${name}`, async () => {
      const { elements, facts } = await readFacts(fixture(name));
      const decoded = decodeText(readFileSync(fixture(name)));
      assert.equal(facts.encoding, decoded.encoding);
      const lines = linesOfText(decoded.text);
      let previous = 1;
      for (const { anchor, text } of elements) {
        assert.ok(anchor.type === 'line_range');
        const { lineStart, lineEnd } = anchor;
        assert.ok(lineStart >= previous && lineEnd >= lineStart && lineEnd <= lines.length, JSON.stringify(anchor));
        previous = lineStart;
        const missing = missingWord(text, lines.slice(lineStart - 1, lineEnd).join('\n'));
        assert.equal(missing, undefined, `${missing} in lines ${lineStart} to ${lineEnd}`);
      }
      assert.equal(elements.length === 0, empty.has(name));
    });

  for (const name of filesIn('text').filter((each) => !each.includes('utf-8') && !each.includes('gb18030')))
    it(`are the same in another charset: ${name}`, async () => {
      const [, other = ''] = /^(.*)-(?:utf-16le|windows-1252|euc-jp|shift-jis|gbk|big5|euc-kr)\.txt$/.exec(name) ?? [];
      const [read, expected] = await Promise.all([readFacts(fixture(name)), readFacts(fixture(`${other}-utf-8.txt`))]);
      assert.deepEqual(read.elements, expected.elements);
    });

  for (const name of filesIn('code').concat(filesIn('text')))
    it(`leave out only blank ones: ${name}`, async () => {
      const { elements } = await readFacts(fixture(name));
      const read = elements.map(({ text }) => text).join('');
      const all = decodeText(readFileSync(fixture(name))).text;
      assert.equal(read.replace(/\s+/g, '').normalize('NFC'), all.replace(/[\s\u3000]+/g, '').normalize('NFC'));
    });

  it('are those of functions in code', async () => {
    const { elements } = await readFacts(fixture('code', 'escape.go'));
    const places = elements.map(({ text, anchor }) => [
      anchor.type === 'line_range' && anchor.lineStart,
      text.split('\n')[0],
    ]);
    assert.deepEqual(places.slice(0, 4), golden.go);
  });

  it('have the headings of a Markdown file', async () => {
    const { elements, facts } = await readFacts(fixture('markdown', 'nom-recipes.md'));
    const headings = elements.filter(({ kind }) => kind === 'heading');
    assert.deepEqual(
      headings
        .slice(0, 3)
        .map(({ text, level, anchor }) => [text, level, anchor.type === 'line_range' && anchor.lineStart]),
      golden.markdown,
    );
    assert.equal(facts.title, headings[0]?.text);
    assert.ok(elements.filter(({ kind }) => kind === 'code').length > 10);
  });

  it('have the headings and the title of a page', async () => {
    const { elements, facts } = await readFacts(fixture('html', 'go1.html'));
    const headings = elements.filter(({ kind }) => kind === 'heading');
    assert.deepEqual(
      headings.slice(0, 3).map(({ text, level }) => [text, level]),
      golden.html,
    );
    assert.equal(facts.title, golden.title);
  });
});

const golden = {
  go: [
    [1, '// Copyright 2010 The Go Authors. All rights reserved.'],
    [5, 'package html'],
    [7, 'import ('],
    [14, '// These replacements permit compatibility with old numeric entities that'],
  ],
  markdown: [
    ['Common recipes to build nom parsers', 1, 1],
    ['Whitespace', 2, 21],
    ['Wrapper combinators that eat whitespace before and after a parser', 3, 25],
  ],
  html: [
    ['Go 1 Release Notes', 1],
    ['Introduction to Go 1', 2],
    ['Changes to the language', 2],
  ],
  title: 'Go 1 Release Notes - The Go Programming Language',
};
