/** What is rare in documents, written by hand: each paragraph is found where Word shows it, once. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DocumentFacts } from '../../../../domain/files/content/read-result';
import { documentOf, type MadeDocument, withFile, wordPart } from '../made-office';
import { readFacts } from '../read';

const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (content: string, properties = ''): string =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;
const styled = (style: string, text: string): string => paragraph(run(text), `<w:pStyle w:val="${style}"/>`);

interface ReadLines {
  /** `kind part first-last sectionNumber: text` */
  readonly lines: readonly string[];
  readonly facts: DocumentFacts;
}

const read = (document: MadeDocument): Promise<ReadLines> =>
  withFile(documentOf(document), 'made.docx', async (path) => {
    const { elements, facts } = await readFacts(path);
    const lines = elements.map(({ kind, level, text, anchor }) => {
      assert.ok(anchor.type === 'paragraph');
      const { part, paragraphStart, paragraphEnd, sectionNumber } = anchor;
      return `${kind}${level ?? ''} ${part} ${paragraphStart}-${paragraphEnd} §${sectionNumber}: ${text}`;
    });
    return { lines, facts };
  });

const texts = async (body: string): Promise<readonly string[]> =>
  (await read({ body })).lines.map((line) => line.slice(line.indexOf(': ') + 2));

describe('paragraphs of Word', () => {
  it('leaves deleted and moved text out, with a notice, and reads what was inserted', async () => {
    const { lines, facts } = await read({
      body: [
        paragraph(
          `${run('The price is ')}<w:del w:id="1"><w:r><w:delText>nine</w:delText></w:r></w:del><w:ins w:id="2">${run('ten')}</w:ins>${run(' crowns.')}`,
        ),
        paragraph(`<w:moveFrom w:id="3">${run('Moved.')}</w:moveFrom>`),
        paragraph(`<w:moveTo w:id="4">${run('Moved.')}</w:moveTo>`),
      ].join(''),
    });
    assert.deepEqual(lines, ['paragraph body 1-1 §0: The price is ten crowns.', 'paragraph body 3-3 §0: Moved.']);
    assert.deepEqual(facts.notices, ['Deleted text that is still in the file as a tracked change was left out.']);
  });

  it('leaves hidden text out, with a notice', async () => {
    const { lines, facts } = await read({
      body: paragraph(
        `${run('Shown.')}<w:r><w:rPr><w:vanish/></w:rPr><w:t>Hidden.</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>!</w:t></w:r>`,
      ),
    });
    assert.deepEqual(lines, ['paragraph body 1-1 §0: Shown.!']);
    assert.deepEqual(facts.notices, ['Hidden text was left out.']);
  });

  it('reads results of fields, and not their instructions, over several paragraphs', async () => {
    const field = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const instruction = `<w:r><w:instrText> TOC \\o </w:instrText></w:r>`;
    const nested = `${field('begin')}<w:r><w:instrText>PAGEREF</w:instrText></w:r>${run('nested')}${field('separate')}${run('7')}${field('end')}`;
    assert.deepEqual(
      await texts(
        [
          paragraph(`${field('begin')}${instruction}${field('separate')}${run('One … ')}${nested}`),
          paragraph(`${run('Two')}${field('end')}${run('!')}`),
          paragraph(`<w:fldSimple w:instr="DATE">${run('1 May')}</w:fldSimple>`),
          // Never ended: what follows is read all the same.
          paragraph(`${field('begin')}${run('lost')}`),
          paragraph(run('Behind.')),
        ].join(''),
      ),
      ['One … 7', 'Two!', '1 May', 'Behind.'],
    );
  });

  it('reads links, content controls, smart tags, formulas and the base of ruby', async () => {
    assert.deepEqual(
      await texts(
        [
          paragraph(`<w:hyperlink r:id="x">${run('a link')}</w:hyperlink> <w:smartTag>${run(', a tag')}</w:smartTag>`),
          `<w:sdt><w:sdtPr><w:alias w:val="not this"/></w:sdtPr><w:sdtContent>${paragraph(run('a control of paragraphs'))}</w:sdtContent></w:sdt>`,
          paragraph(`<w:sdt><w:sdtContent>${run('a control of words')}</w:sdtContent></w:sdt>`),
          paragraph('<m:oMath><m:r><m:t>E=mc²</m:t></m:r></m:oMath>'),
          paragraph(`<w:r><w:ruby><w:rt>${run('kan')}</w:rt><w:rubyBase>${run('漢')}</w:rubyBase></w:ruby></w:r>`),
        ].join(''),
      ),
      ['a link, a tag', 'a control of paragraphs', 'a control of words', 'E=mc²', '漢'],
    );
  });

  it('reads tabs, breaks, hyphens and characters of symbol fonts', async () => {
    assert.deepEqual(
      await texts(
        [
          paragraph(
            '<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r>',
            '<w:tabs><w:tab w:val="left"/></w:tabs>',
          ),
          paragraph('<w:r><w:t>e</w:t><w:noBreakHyphen/><w:t>mail</w:t><w:softHyphen/><w:t>s</w:t></w:r>'),
          paragraph(
            '<w:r><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="Own" w:char="F061"/></w:r>',
          ),
          // Blanks at the ends count only where the file requires it.
          paragraph('<w:r><w:t> one</w:t></w:r><w:r><w:t xml:space="preserve"> two</w:t></w:r>'),
        ].join(''),
      ),
      ['a\tb\nc', 'e-mails', 'α☑', 'one two'],
    );
  });

  it('reads a text box once, though the file holds it twice', async () => {
    const content = `<w:txbxContent>${paragraph(run('In a box.'))}${paragraph(run('Below.'))}</w:txbxContent>`;
    const box = `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>${content}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>${content}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
    const { lines } = await read({
      body: `${paragraph(`${run('Before ')}${box}${run('behind.')}`)}${paragraph(run('Next.'))}${paragraph(`<w:r><w:pict><v:textbox>${content}</v:textbox></w:pict></w:r>`)}`,
    });
    assert.deepEqual(lines, [
      'paragraph body 1-1 §0: Before behind.',
      'paragraph text_box 1-1 §0: In a box.',
      'paragraph text_box 2-2 §0: Below.',
      'paragraph body 2-2 §0: Next.',
      'paragraph text_box 3-3 §0: In a box.',
      'paragraph text_box 4-4 §0: Below.',
    ]);
  });
});

describe('structure of Word documents', () => {
  const styles = `
    <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
    <w:style w:type="paragraph" w:styleId="Own"><w:basedOn w:val="Level2"/><w:name w:val="Own heading"/></w:style>
    <w:style w:type="paragraph" w:styleId="Level2"><w:basedOn w:val="Own"/><w:name w:val="Second"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
    <w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
    <w:style w:type="paragraph" w:styleId="Bullet"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style>`;

  it('knows headings by the names of styles, by levels, and by what styles are based on', async () => {
    const { lines, facts } = await read({
      styles,
      body: [
        styled('Titel', 'Handbook'),
        paragraph(run('Preface.')),
        styled('berschrift1', 'Beginning'),
        styled('berschrift1', ''),
        styled('Own', 'Details'),
        styled('Bullet', 'first'),
        paragraph(run('none'), '<w:pStyle w:val="Bullet"/><w:numPr><w:numId w:val="0"/></w:numPr>'),
        paragraph(run('third level'), '<w:outlineLvl w:val="2"/>'),
        paragraph(run('text'), '<w:pStyle w:val="berschrift1"/><w:outlineLvl w:val="9"/>'),
      ].join(''),
    });
    assert.deepEqual(lines, [
      'title body 1-1 §0: Handbook',
      'paragraph body 2-2 §0: Preface.',
      'heading1 body 3-3 §1: Beginning',
      'heading2 body 5-5 §2: Details',
      'list_item body 6-6 §2: first',
      'paragraph body 7-7 §2: none',
      'heading3 body 8-8 §3: third level',
      'paragraph body 9-9 §3: text',
    ]);
    assert.equal(facts.title, 'Handbook');
  });

  it('reads rows of tables with the paragraphs of their cells, nested tables within them', async () => {
    const cell = (...content: readonly string[]): string => `<w:tc><w:tcPr/>${content.join('')}</w:tc>`;
    const row = (cells: string, properties = ''): string => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`;
    const table = (...rows: readonly string[]): string => `<w:tbl><w:tblPr/><w:tblGrid/>${rows.join('')}</w:tbl>`;
    const inner = table(row(`${cell(paragraph(run('x')))}${cell(paragraph(run('y')))}`));
    const { lines, facts } = await read({
      body: [
        table(
          row(`${cell(paragraph(run('Name')))}${cell(paragraph(run('Price')))}`, '<w:tblHeader/>'),
          row(`${cell(paragraph(run('Tea')), paragraph(run('green')))}${cell(inner, paragraph(''))}`),
          row(cell(paragraph(run('gone'))) + cell(paragraph(run('gone'))), '<w:del w:id="9"/>'),
          `<w:sdt><w:sdtContent>${row(`${cell(paragraph(''))}<w:sdt><w:sdtContent>${cell(paragraph(run('last')))}</w:sdtContent></w:sdt>`)}</w:sdtContent></w:sdt>`,
        ),
        table(row(cell(paragraph(run('Dear reader,')), inner, paragraph(run('Yours'))))),
      ].join(''),
    });
    assert.deepEqual(lines, [
      'header body 1-2 §0: Name\tPrice',
      'row body 3-7 §0: Tea green\tx y',
      'row body 10-11 §0: \tlast',
      'paragraph body 12-12 §0: Dear reader,',
      'row body 13-14 §0: x\ty',
      'paragraph body 15-15 §0: Yours',
    ]);
    assert.deepEqual(facts.notices, ['Deleted text that is still in the file as a tracked change was left out.']);
  });

  it('places notes in the section that refers to them, and leaves out those that nothing refers to', async () => {
    const note = (id: number, text: string, type = ''): string =>
      `<w:footnote w:id="${id}" ${type}>${paragraph(`<w:r><w:footnoteRef/></w:r>${run(text)}`)}</w:footnote>`;
    const { lines } = await read({
      styles,
      body: `${styled('berschrift1', 'One')}${paragraph(`${run('Text')}<w:r><w:footnoteReference w:id="2"/></w:r>`)}${styled('berschrift1', 'Two')}`,
      parts: {
        'footnotes.xml': {
          type: 'footnotes',
          xml: wordPart(
            'footnotes',
            `${note(0, 'line', 'w:type="separator"')}${note(1, 'Orphan.')}${note(2, ' Seen.')}`,
          ),
        },
      },
    });
    assert.deepEqual(lines.at(-1), 'note footnote 1-1 §1: Seen.');
    assert.equal(lines.length, 4);
  });

  it('reads each header and footer once, in the order of the sections that show them', async () => {
    const margin = (root: string, text: string) => ({
      type: root === 'hdr' ? 'header' : 'footer',
      xml: wordPart(root, paragraph(run(text))),
    });
    const section = (...references: readonly string[]): string => `<w:sectPr>${references.join('')}</w:sectPr>`;
    const header = (id: string): string => `<w:headerReference w:type="default" r:id="${id}"/>`;
    const { lines } = await read({
      body: `${paragraph(run('One'), section(header('b.xml')))}${section(header('a.xml'), header('b.xml'), '<w:footerReference r:id="f.xml"/>')}`,
      parts: {
        'a.xml': margin('hdr', 'A'),
        'b.xml': margin('hdr', 'B'),
        'f.xml': margin('ftr', 'F'),
        'unused.xml': margin('hdr', 'never'),
      },
    });
    assert.deepEqual(lines.slice(1), [
      'paragraph header 1-1 §0: B',
      'paragraph header 2-2 §0: A',
      'paragraph footer 1-1 §0: F',
    ]);
  });
});

/** A part of a body, and what is read of it: `first-last: text` of each element, given the number of its first paragraph. */
interface ModelBlock {
  readonly xml: string;
  readonly paragraphs: number;
  readonly lines: (first: number) => readonly string[];
}

const oneAfterAnother = (blocks: readonly ModelBlock[]): Omit<ModelBlock, 'xml'> => ({
  paragraphs: blocks.reduce((sum, block) => sum + block.paragraphs, 0),
  lines: (first) => {
    let next = first;
    return blocks.flatMap((block) => {
      const lines = block.lines(next);
      next += block.paragraphs;
      return lines;
    });
  },
});

const modelParagraph = (text: string): ModelBlock => ({
  xml: paragraph(run(text)),
  paragraphs: 1,
  lines: (first) => (text === '' ? [] : [`${first}-${first}: ${text}`]),
});

/** Of two cells. */
const modelRow = (cells: readonly (readonly string[])[]): ModelBlock => {
  const paragraphs = cells.flat().length;
  const text = cells
    .map((texts) => texts.filter((each) => each !== '').join(' '))
    .join('\t')
    .trimEnd();
  return {
    xml: `<w:tr>${cells.map((texts) => `<w:tc>${texts.map((each) => paragraph(run(each))).join('')}</w:tc>`).join('')}</w:tr>`,
    paragraphs,
    lines: (first) => (text.trim() === '' ? [] : [`${first}-${first + paragraphs - 1}: ${text}`]),
  };
};

describe('numbers of paragraphs', () => {
  it('count every paragraph of the body, in controls and cells, too', () => {
    const text = fc.constantFrom('', 'one', 'two words');
    const cell = fc.array(text, { minLength: 1, maxLength: 3 });
    const table = fc.array(fc.tuple(cell, cell).map(modelRow), { minLength: 1, maxLength: 3 }).map(
      (rows): ModelBlock => ({
        xml: `<w:tbl>${rows.map(({ xml }) => xml).join('')}</w:tbl>`,
        ...oneAfterAnother(rows),
      }),
    );
    const { block } = fc.letrec<{ block: ModelBlock; control: ModelBlock }>((tie) => ({
      block: fc.oneof({ maxDepth: 3 }, text.map(modelParagraph), table, tie('control')),
      control: fc.array(tie('block'), { maxLength: 3 }).map(
        (blocks): ModelBlock => ({
          xml: `<w:sdt><w:sdtContent>${blocks.map(({ xml }) => xml).join('')}</w:sdtContent></w:sdt>`,
          ...oneAfterAnother(blocks),
        }),
      ),
    }));
    return fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 6 }), async (blocks) => {
        const { lines } = await read({ body: blocks.map(({ xml }) => xml).join('') });
        assert.deepEqual(
          lines.map((line) => line.replace(/^\w+ body (\S+) §0/, '$1')),
          oneAfterAnother(blocks).lines(1),
        );
      }),
      { numRuns: 60 },
    );
  });
});
