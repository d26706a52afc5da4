/** What slides hold besides shapes: order, notes, hidden slides, lists. */
import assert from 'node:assert/strict';
import type { DocumentFacts } from '../../../../domain/files/content/read-result';
import { type MadePresentation, presentationOf, relationsOf, withFile } from '../made-office';
import { readCode, readFacts } from '../read';

const paragraph = (text: string, properties = ''): string =>
  `<a:p>${properties}<a:r><a:rPr/><a:t>${text}</a:t></a:r></a:p>`;
const shape = (paragraphs: string, placeholder = '', attributes = ''): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x" ${attributes}/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody>${paragraphs}</p:txBody></p:sp>`;
const title = (text: string): string => shape(paragraph(text), '<p:ph type="title"/>');

const read = (
  presentation: MadePresentation,
): Promise<{ readonly lines: readonly string[]; readonly facts: DocumentFacts }> =>
  withFile(presentationOf(presentation), 'made.pptx', async (path) => {
    const { elements, facts } = await readFacts(path);
    return {
      lines: elements.map(({ kind, text, anchor }) =>
        anchor.type === 'slide' ? `${anchor.slideNumber} ${anchor.part} ${kind}: ${text}` : '',
      ),
      facts,
    };
  });

describe('slides', () => {
  it('reads the title first, then shapes in order, then the notes', async () => {
    const { lines, facts } = await read({
      slides: [
        {
          shapes: shape(paragraph('Below')) + title('Above') + shape(paragraph('Last')),
          notes:
            shape(paragraph('Say this.'), '<p:ph type="body" idx="1"/>') +
            shape(paragraph('1'), '<p:ph type="sldNum"/>') +
            shape('', '<p:ph type="sldImg"/>'),
        },
        { shapes: title('Second<!-- --> slide') },
      ],
    });
    assert.deepEqual(lines, [
      '1 slide title: Above',
      '1 slide paragraph: Below',
      '1 slide paragraph: Last',
      '1 notes note: Say this.',
      '2 slide title: Second slide',
    ]);
    assert.deepEqual(facts.parts, ['Above', 'Second slide']);
  });

  it('reads hidden slides, leaves out hidden shapes, and says both', async () => {
    const { lines, facts } = await read({
      slides: [
        { shapes: title('Shown') + shape(paragraph('not seen'), '', 'hidden="1"') },
        { shapes: title('Not shown'), isHidden: true },
      ],
    });
    assert.deepEqual(lines, ['1 slide title: Shown', '2 slide title: Not shown']);
    assert.deepEqual(facts.notices, [
      'Hidden slides, which a show leaves out, were read: 2.',
      'Hidden shapes were left out: 1.',
    ]);
  });

  it('knows items of lists by their marks, own and inherited', async () => {
    const { lines } = await read({
      slides: [
        {
          shapes: [
            shape(paragraph('inherited') + paragraph('plain', '<a:pPr><a:buNone/></a:pPr>'), '<p:ph idx="1"/>'),
            shape(paragraph('without by layout'), '<p:ph type="body" idx="2"/>'),
            shape(paragraph('own mark', '<a:pPr><a:buChar char="•"/></a:pPr>') + paragraph('text')),
          ].join(''),
        },
      ],
      layout:
        '<p:sp><p:nvSpPr><p:nvPr><p:ph type="body" idx="2"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:lstStyle><a:lvl1pPr><a:buNone/></a:lvl1pPr></a:lstStyle></p:txBody></p:sp>',
    });
    assert.deepEqual(lines, [
      '1 slide list_item: inherited',
      '1 slide paragraph: plain',
      '1 slide paragraph: without by layout',
      '1 slide list_item: own mark',
      '1 slide paragraph: text',
    ]);
  });

  it('reads breaks, fields and tabs within paragraphs', async () => {
    const { lines } = await read({
      slides: [
        {
          shapes: shape(
            '<a:p><a:r><a:t>one</a:t></a:r><a:br/><a:r><a:t>two\tthree</a:t></a:r><a:fld type="datetime"><a:rPr/><a:t> 1 May</a:t></a:fld></a:p>',
          ),
        },
      ],
    });
    assert.deepEqual(lines, ['1 slide paragraph: one\ntwo\tthree 1 May']);
  });

  it('names the slides that the file lacks', async () => {
    const { lines, facts } = await read({
      slides: [{ shapes: title('First') }, { shapes: '', isMissing: true }, { shapes: title('Third') }],
    });
    assert.deepEqual(lines, ['1 slide title: First', '3 slide title: Third']);
    assert.deepEqual([facts.parts, facts.notices], [['First', '', 'Third'], ['Slides that the file lacks: 2.']]);
  });

  it('refuses more slides than the limit', async () => {
    const many = presentationOf({ slides: Array.from({ length: 3 }, () => ({ shapes: title('There') })) });
    await withFile(many, 'made.pptx', async (path) => {
      assert.equal(await readCode(path, undefined, { pages: 2 }), 'TOO_MANY_PAGES');
      assert.equal((await readFacts(path)).elements.length, 3);
    });
  });

  it('reads text of a chart from its own part', async () => {
    const chart =
      '<c:chartSpace xmlns:c="urn:c" xmlns:a="urn:a"><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:ser><c:tx><c:strRef><c:strCache><c:pt><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt><c:v>2024</c:v></c:pt><c:pt><c:v>2025</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt><c:v>17</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:chartSpace>';
    const { lines } = await read({
      slides: [
        {
          shapes:
            '<p:graphicFrame><p:nvGraphicFramePr/><a:graphic><a:graphicData><c:chart xmlns:c="urn:c" r:id="chart"/></a:graphicData></a:graphic></p:graphicFrame>',
          relations: { chart: ['chart', '../charts/chart1.xml'] },
        },
      ],
      more: [
        { name: 'ppt/charts/chart1.xml', content: chart },
        { name: 'ppt/charts/_rels/chart1.xml.rels', content: relationsOf({}) },
      ],
    });
    assert.deepEqual(lines, ['1 slide caption: Sales\nNorth\n2024\n2025']);
  });
});
