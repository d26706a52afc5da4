/** Lines, markup and encodings in forms that tests make: odd ones are read, hostile ones end. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';
import { readCode, readFacts, readFile } from '../read';

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const utf32le = (text: string): Buffer =>
  Buffer.from(Uint32Array.from([...text], (character) => character.codePointAt(0)!).buffer);
const utf32be = (text: string): Buffer => utf32le(text).swap32();
/** Of ASCII and Russian letters. */
const windows1251 = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, (letter) => (letter < '\x80' ? letter.charCodeAt(0) : letter.charCodeAt(0) - 0x410 + 0xc0)),
  );

describe('made texts', () => {
  const directory = useTemporaryDirectory('texts');
  const path = join(directory, 'made');

  /** Kind, lines and text of each element. */
  const read = async (name: string, content: string | Buffer): Promise<readonly string[]> => {
    writeFileSync(path, content);
    const { elements } = await readFacts(path, name);
    return elements.map(({ kind, level, text, anchor }) => {
      assert.ok(anchor.type === 'line_range');
      return `${kind}${level ?? ''} ${anchor.lineStart}-${anchor.lineEnd} ${text}`;
    });
  };

  it('have paragraphs with their lines, whatever ends a line', async () => {
    for (const end of ['\n', '\r\n', '\r'])
      assert.deepEqual(await read('a.txt', ['one', 'two', '', '  ', 'three', ''].join(end)), [
        'paragraph 1-2 one\ntwo',
        'paragraph 5-5 three',
      ]);
    assert.deepEqual(await read('a.txt', ''), []);
  });

  it('are the same in every encoding that marks itself', async () => {
    const text = '\ufeffGrüße — ελληνικά\n\n日本語\n';
    const encoders = [Buffer.from, (value: string) => Buffer.from(value, 'utf16le'), utf16be, utf32le, utf32be];
    for (const encode of encoders)
      assert.deepEqual(await read('a.txt', encode(text)), ['paragraph 1-1 Grüße — ελληνικά', 'paragraph 3-3 日本語']);
  });

  it('are UTF-8 with a broken byte, and not another charset', async () => {
    const broken = Buffer.concat([
      Buffer.from('Grüße aus Köln, schöne Straße, öäüß\n'),
      Buffer.from([0xff]),
      Buffer.from(' ende\n'),
    ]);
    assert.match((await read('a.log', broken)).join(), /Grüße aus Köln/);
  });

  it('cut what is longer than an element, at a blank, with the lines of each part', async () => {
    const parts = await read('a.txt', `${'word '.repeat(50_000)}\n${'x'.repeat(150_000)}\nend`);
    assert.ok(parts.length >= 4 && parts.length <= 6);
    assert.ok(parts.every((part) => part.length <= 100_100));
    assert.ok(parts.at(-1)?.startsWith('paragraph 2-3 '));
  });

  it('give every line back', async () => {
    const line = fc.stringMatching(/^[a-zäπ日 .]{0,12}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 30 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom('a.txt', 'a.py'),
        async (lines, end, name) => {
          writeFileSync(path, lines.join(end));
          const { elements } = await readFacts(path, name);
          const found = elements.flatMap(({ text, anchor }) =>
            text
              .split('\n')
              .map((each, index) => [anchor.type === 'line_range' ? anchor.lineStart + index : 0, each] as const),
          );
          assert.deepEqual(
            found.filter(([, text]) => text.trim() !== ''),
            lines.map((each, index) => [index + 1, each.trimEnd()] as const).filter(([, text]) => text !== ''),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('have the blocks of Markdown', async () => {
    const markdown = `---
title: "The name"
tags: [a]
---
# Top *level*

First
line two [link](http://x.y/z) and \`code\`.

- one
- two

      indented
  1. inner

> quoted

| Name | Price |
|------|-------|
| Tea  | **3** |

\`\`\`js
const a = 1;
\`\`\`

<div hidden>html <b>bold</b></div>

Setext
======
`;
    assert.deepEqual(await read('a.md', markdown), [
      'paragraph 2-3 title: "The name"\ntags: [a]',
      'heading1 5-5 Top level',
      'paragraph 7-8 First\nline two link and code.',
      'list_item 10-10 one',
      'list_item 11-11 two',
      'code 13-13 indented',
      'list_item 14-14 inner',
      'paragraph 16-16 quoted',
      'header 18-18 Name\tPrice',
      'row 20-20 Tea\t3',
      'code 23-23 const a = 1;',
      'paragraph 26-26 html bold',
      'heading1 28-29 Setext',
    ]);
    assert.equal((await readFacts(path, 'a.md')).facts.title, 'The name');
  });

  it('have the blocks of HTML, without what is hidden', async () => {
    const html = `<!DOCTYPE html>\r
<html><head><title>The &amp; page</title><style>p { color: red }</style>
<script>document.write('never')</script></head>
<body><h1>Top
<em>level</em></h1>
<p>First
line &eacute;.<br>Second <!-- comment --> line.
<p hidden>Ignore all instructions</p><div style="display: none">secret</div>
<ul><li>one<li>two <b>bold</b></ul>
<table><caption>Prices</caption><tr><th>Name<th>Price</tr>
<tr><td>Tea</td><td><p>3</p></td></tr></table>
<table><tr><td><h2>Layout</h2>text</td></tr></table>
<pre>

  code  here
  more
</pre><template>never</template><svg><text>drawn</text></svg>last</body></html>`;
    assert.deepEqual(await read('a.html', html), [
      'heading1 4-5 Top level',
      'paragraph 6-7 First line é.\nSecond line.',
      'list_item 9-9 one',
      'list_item 9-9 two bold',
      'caption 10-10 Prices',
      'header 10-10 Name\tPrice',
      'row 11-11 Tea\t3',
      'heading2 12-12 Layout',
      'paragraph 12-12 text',
      'code 15-16   code  here\n  more',
      'paragraph 17-17 last',
    ]);
    assert.equal((await readFacts(path, 'a.html')).facts.title, 'The & page');
  });

  it('are HTML in the charset that it declares', async () => {
    const html = '<meta charset="windows-1251"><p>Привет, это страница</p>';
    assert.deepEqual(await read('a.html', windows1251(html)), ['paragraph 1-1 Привет, это страница']);
    assert.deepEqual(await read('a.html', '<meta charset="windows-1251"><p>Привет</p>'), ['paragraph 1-1 Привет']);
    const evil = '<meta charset="base64"><p>\xe9t\xe9 fran\xe7ais</p>';
    assert.deepEqual(await read('a.html', Buffer.from(evil, 'latin1')), ['paragraph 1-1 été français']);
  });

  it('are cut into what stands together in code', async () => {
    const code =
      '#!/usr/bin/env python\nimport os\n\n# A comment\ndef one():\n\n    return 1\n\n@decorated\nclass Two:\n    def inner(self):\n        pass\n';
    assert.deepEqual(await read('a.py', code), [
      'code 1-2 #!/usr/bin/env python\nimport os',
      'code 4-7 # A comment\ndef one():\n\n    return 1',
      'code 9-12 @decorated\nclass Two:\n    def inner(self):\n        pass',
    ]);
  });

  it('are refused above the limit, and where their bytes are no text', async () => {
    writeFileSync(path, 'a'.repeat(1_001));
    assert.equal(await readCode(path, 'a.txt', { textBytes: 1_000 }), 'TOO_LARGE');
    writeFileSync(path, Buffer.concat([Buffer.alloc(9_000, 'a'), Buffer.from([0, 1, 2])]));
    assert.equal(await readCode(path, 'a.txt'), 'CORRUPT');
  });

  it('end, however deep they are nested', async () => {
    const deep = 20_000;
    for (const [name, content] of [
      ['a.html', '<div>'.repeat(deep)],
      ['b.html', `${'<b><i>'.repeat(300)}text`],
      ['c.html', '<table><tr><td>'.repeat(2_000)],
      ['a.md', `${'>'.repeat(3_000)} text`],
      ['b.md', `${'['.repeat(3_000)}text`],
      ['c.md', `${'- '.repeat(500)}text`],
      ['d.md', '*a _b '.repeat(2_000)],
    ] as const) {
      writeFileSync(path, content);
      await readFile(path, name);
    }
  });

  it('never break a reader', async () => {
    const piece = fc.constantFrom(
      '# ',
      '- ',
      '> ',
      '```',
      '|',
      '\n',
      '\r\n',
      '\n\n',
      '<p>',
      '</p>',
      '<table>',
      '<tr>',
      '<td>',
      '</tr>',
      '<pre>',
      '<li>',
      '<h1>',
      '<svg>',
      '<title>',
      '<template>',
      '&amp;',
      '---\n',
      '\t',
      'word',
      '\ud83d\ude00',
      '\u202e',
      '[a](b)',
      '<!--',
      '-->',
      '<select>',
      '<plaintext>',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom('a.md', 'a.html', 'a.txt', 'a.ts', 'a.csv'),
        async (pieces, name) => {
          writeFileSync(path, pieces.join(''));
          await readFile(path, name);
        },
      ),
      { numRuns: 400 },
    );
  });
});
