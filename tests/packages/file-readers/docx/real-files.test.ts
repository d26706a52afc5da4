/** Documents of other projects, as python-docx reads them: the number of each paragraph, and its text. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fixture, readFacts } from '../read';

const paragraphsByFile = JSON.parse(readFileSync(fixture('docx', 'python-docx.json'), 'utf8')) as Readonly<
  Record<string, readonly string[] | string>
>;
const files = readdirSync(fixture('docx')).filter((name) => name.endsWith('.docx'));

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('documents of Word', () => {
  for (const file of files)
    it(`reads ${file} as another reader does`, async () => {
      const paragraphs = paragraphsByFile[file];
      assert.ok(paragraphs !== undefined);
      const { elements } = await readFacts(fixture('docx', file));
      const unread = new Map(typeof paragraphs === 'string' ? [] : paragraphs.map((text, index) => [index + 1, text]));
      for (const { text, anchor } of elements) {
        assert.ok(anchor.type === 'paragraph');
        if (anchor.part !== 'body' || typeof paragraphs === 'string') continue;
        const expected: readonly string[] = paragraphs
          .slice(anchor.paragraphStart - 1, anchor.paragraphEnd)
          .filter((each) => each !== '');
        assert.equal(oneLine(text), expected.join(' '), `paragraph ${anchor.paragraphStart}`);
        for (let number = anchor.paragraphStart; number <= anchor.paragraphEnd; number += 1) unread.delete(number);
      }
      assert.deepEqual(
        [...unread.values()].filter((text) => text !== ''),
        [],
      );
    });

  it('reads text of parts that the other reader does not know', async () => {
    const inParts = async (file: string): Promise<readonly string[]> => {
      const { elements } = await readFacts(fixture('docx', file));
      return elements.flatMap(({ text, anchor }) =>
        anchor.type === 'paragraph' && anchor.part !== 'body'
          ? [`${anchor.part} ${anchor.paragraphStart}: ${text}`]
          : [],
      );
    };
    assert.deepEqual(await inParts('footnotes.docx'), ['footnote 1: A tachyon walks into a bar.', 'footnote 2: Fin.']);
    assert.deepEqual(await inParts('endnotes.docx'), ['endnote 1: A tachyon walks into a bar.', 'endnote 2: Fin.']);
    assert.deepEqual(await inParts('text-box.docx'), ['text_box 1: Datum plane']);
    assert.deepEqual(await inParts('hdr-header-footer.docx'), [
      'header 2: Header for section-1',
      'footer 2: Footer for section 1',
    ]);
  });

  it('reads strict Open XML', async () => {
    const { elements } = await readFacts(fixture('docx', 'strict-format.docx'));
    assert.deepEqual(
      elements.map(({ text }) => text),
      ['Test'],
    );
  });

  it('takes the title from the properties, and says that comments were left out', async () => {
    const { facts } = await readFacts(fixture('docx', 'doc-coreprops.docx'));
    assert.equal(facts.title, 'Title');
    const commented = await readFacts(fixture('docx', 'comments-rich-para.docx'));
    assert.deepEqual(commented.facts.notices, ['Comments were left out: 4.']);
  });
});
