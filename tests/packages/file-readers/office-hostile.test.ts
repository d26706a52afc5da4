/** Documents of Word and PowerPoint that were made to harm, and any that chance makes: each ends with elements or a code. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import { readDocx } from '../../../packages/file-readers/src/docx/read-docx';
import { readPptx } from '../../../packages/file-readers/src/pptx/read-pptx';
import type { Reader } from '../../../packages/file-readers/src/reader';
import { zipOf } from './made-files';
import { documentOf, presentationOf, relationsOf, withFile, word } from './made-office';
import { limits, readableFile, readCode, readFile } from './read';

const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

const codeOf = (bytes: Buffer, name: string, within = {}): Promise<string> =>
  withFile(bytes, name, (path) => readCode(path, undefined, within));

const textsOf = (bytes: Buffer, name: string): Promise<readonly string[]> =>
  withFile(bytes, name, async (path) => (await readFile(path)).elements.map(({ text }) => text));

/** A document whose main part is these bytes. */
const rawDocument = (xml: string | Buffer): Buffer =>
  zipOf([
    {
      name: '[Content_Types].xml',
      content:
        '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    },
    { name: '_rels/.rels', content: relationsOf({ rId1: ['officeDocument', '/word/document.xml'] }) },
    { name: 'word/document.xml', content: xml },
  ]);

describe('hostile documents of Word and PowerPoint', () => {
  it('refuses entity bombs and document types', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><w:document xmlns:w="${word}"><w:body>${paragraph('&b;')}</w:body></w:document>`;
    assert.equal(await codeOf(rawDocument(bomb), 'bomb.docx'), 'CORRUPT');
    const external = `<!DOCTYPE x SYSTEM "file:///etc/passwd"><w:document xmlns:w="${word}"/>`;
    assert.equal(await codeOf(rawDocument(external), 'external.docx'), 'CORRUPT');
  });

  it('refuses damaged XML, wherever it breaks', async () => {
    const body = `<w:document xmlns:w="${word}"><w:body>${paragraph('one')}${paragraph('two')}`;
    assert.equal(await codeOf(rawDocument(body), 'unclosed.docx'), 'CORRUPT');
    assert.equal(await codeOf(rawDocument(`${body}</w:p></w:body></w:document>`), 'crossed.docx'), 'CORRUPT');
    assert.equal(await codeOf(rawDocument(''), 'empty.docx'), 'CORRUPT');
    assert.equal(await codeOf(rawDocument('<workbook/>'), 'other.docx'), 'TYPE_MISMATCH');
  });

  it('reads UTF-16', async () => {
    const xml = `\uFEFF<w:document xmlns:w="${word}"><w:body>${paragraph('Grüße')}</w:body></w:document>`;
    assert.deepEqual(await textsOf(rawDocument(Buffer.from(xml, 'utf16le')), 'wide.docx'), ['Grüße']);
  });

  it('refuses depth that would end the process', async () => {
    const deep = (times: number): string =>
      `${'<w:tbl><w:tr><w:tc>'.repeat(times)}${paragraph('deep')}${'</w:tc></w:tr></w:tbl>'.repeat(times)}`;
    assert.equal(await codeOf(documentOf({ body: deep(50_000) }), 'deep.docx'), 'CORRUPT');
    assert.deepEqual(await textsOf(documentOf({ body: deep(100) }), 'deep.docx'), ['deep']);
    const groups = (times: number): string => `${'<p:grpSp>'.repeat(times)}${'</p:grpSp>'.repeat(times)}`;
    assert.equal(await codeOf(presentationOf({ slides: [{ shapes: groups(50_000) }] }), 'deep.pptx'), 'CORRUPT');
  });

  it('refuses one row with millions of elements, more text than the limit, and bombs', async () => {
    const cells = `<w:tbl><w:tr>${'<w:tc/>'.repeat(600_000)}</w:tr></w:tbl>`;
    assert.equal(await codeOf(documentOf({ body: cells }), 'wide.docx'), 'TOO_LARGE');
    const body = paragraph('0123456789').repeat(200);
    assert.equal(await codeOf(documentOf({ body }), 'long.docx', { textBytes: 1_999 }), 'TOO_LARGE');
    assert.equal((await textsOf(documentOf({ body }), 'long.docx')).length, 200);
    const blanks = `${paragraph('x')}${' '.repeat(60_000_000)}`;
    assert.equal(await codeOf(documentOf({ body: blanks }), 'blanks.docx'), 'ARCHIVE_BOMB');
  });

  it('splits a paragraph that is longer than an element', async () => {
    const body = paragraph('word '.repeat(50_000));
    const texts = await textsOf(documentOf({ body }), 'long.docx');
    assert.equal(texts.length, 3);
    assert.equal(texts.join('').trim(), 'word '.repeat(50_000).trim());
  });

  it('survives styles in a circle, relations to nothing and to itself', async () => {
    const styles = `<w:style w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style>`;
    const body =
      '<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:r><w:t>round</w:t></w:r></w:p><w:sectPr><w:headerReference r:id="gone"/></w:sectPr>';
    assert.deepEqual(await textsOf(documentOf({ body, styles }), 'circle.docx'), ['round']);
    const self = presentationOf({
      slides: [{ shapes: '', relations: { layout: ['slideLayout', 'slide1.xml'], chart: ['chart', 'slide1.xml'] } }],
    });
    assert.deepEqual(await textsOf(self, 'self.pptx'), []);
  });

  it('ends with elements that hold the contract, or a code, whatever the elements of the body are', () => {
    const names = [
      'p',
      'r',
      't',
      'tbl',
      'tr',
      'tc',
      'sdt',
      'sdtContent',
      'del',
      'ins',
      'fldChar',
      'sym',
      'drawing',
      'txbxContent',
      'pPr',
      'sectPr',
      'pStyle',
      'rPr',
      'vanish',
    ];
    const { tree } = fc.letrec<{ tree: string; text: string }>((tie) => ({
      text: fc.constantFrom('', 'x', ' y ', 'é', '&#x1F600;', '&#xE000;', '&lt;'),
      tree: fc
        .tuple(
          fc.constantFrom(...names),
          fc.constantFrom(
            '',
            ' w:val="1"',
            ' w:fldCharType="begin"',
            ' w:fldCharType="end"',
            ' w:char="F061"',
            ' w:font="Symbol"',
          ),
          fc.array(fc.oneof({ maxDepth: 6 }, tie('text'), tie('tree')), { maxLength: 4 }),
        )
        .map(([name, attributes, content]) => `<w:${name}${attributes}>${content.join('')}</w:${name}>`),
    }));
    return fc.assert(
      fc.asyncProperty(fc.array(tree, { maxLength: 5 }), async (trees) => {
        await withFile(documentOf({ body: trees.join('') }), 'any.docx', (path) => readFile(path));
      }),
      { numRuns: 60 },
    );
  });

  it('ends with a code or elements, whichever bytes of a file are damaged', () => {
    const whole = documentOf({ body: paragraph('one'), styles: '<w:style w:styleId="A"/>' });
    const slides = presentationOf({ slides: [{ shapes: '', notes: '' }] });
    const read = (bytes: Buffer, reader: Reader): Promise<void> =>
      withFile(bytes, 'any', async (path) => {
        const reading = reader(readableFile(path), limits);
        let step = await reading.next();
        for (; step.done !== true; step = await reading.next()) assert.ok(step.value.text.length > 0);
        assert.ok(!isLeft(step.value) || step.value.left.detail.length > 0);
      });
    return fc.assert(
      fc.asyncProperty(fc.boolean(), fc.nat(), fc.integer({ min: 0, max: 255 }), async (isWord, place, value) => {
        const bytes = Buffer.from(isWord ? whole : slides);
        bytes[place % bytes.length] = value;
        await read(bytes, isWord ? readDocx : readPptx);
      }),
      { numRuns: 150 },
    );
  });
});
