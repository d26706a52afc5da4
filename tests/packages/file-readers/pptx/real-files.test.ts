/** Presentations of other projects, as python-pptx reads them: texts, and where shapes stand. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { Box } from '../../../../domain/files/content/anchor';
import { fixture, readFacts } from '../read';

interface KnownSlide {
  readonly shapes: readonly {
    readonly text: string;
    /** x, y, width, height as fractions of the slide. Null for shapes that are turned or in groups. */
    readonly box: readonly number[] | null;
  }[];
  readonly notes: readonly string[];
}

const slidesByFile = JSON.parse(readFileSync(fixture('pptx', 'python-pptx.json'), 'utf8')) as Readonly<
  Record<string, readonly KnownSlide[]>
>;
const files = readdirSync(fixture('pptx')).filter((name) => name.endsWith('.pptx'));

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().normalize('NFC');
const sorted = (texts: readonly string[]): readonly string[] => [...texts].sort();
const isNear = (box: Box | null, expected: readonly number[]): boolean =>
  box !== null &&
  [box.x, box.y, box.w, box.h].every((value, index) => Math.abs(value - (expected[index] ?? 0)) < 0.001);

describe('presentations', () => {
  for (const file of files)
    it(`reads ${file} as another reader does`, async () => {
      const slides = slidesByFile[file];
      assert.ok(slides !== undefined);
      const { elements, facts } = await readFacts(fixture('pptx', file));
      const present = facts.parts.length - slides.length;
      for (const [index, slide] of slides.entries()) {
        // A slide that the file lacks is not listed by the other reader.
        const slideNumber = index + 1 + present;
        const own = elements.filter(({ anchor }) => anchor.type === 'slide' && anchor.slideNumber === slideNumber);
        // Texts of charts and diagrams are known to this reader alone.
        const shapes = own.filter(({ kind }) => kind !== 'caption' && kind !== 'note' && kind !== 'title');
        const titles = own.filter(({ kind }) => kind === 'title').flatMap(({ text }) => text.split('\n'));
        const known = slide.shapes.map(({ text }) => oneLine(text));
        const texts = [...titles, ...shapes.map(({ text }) => text)].map(oneLine);
        assert.deepEqual(sorted(texts.filter((text) => known.includes(text))), sorted(known), `slide ${slideNumber}`);
        for (const { text, box } of slide.shapes) {
          const found = own.filter((element) => oneLine(element.text) === oneLine(text));
          if (box === null) continue;
          assert.ok(
            found.some(({ anchor }) => anchor.type === 'slide' && isNear(anchor.region, box)),
            `${text}: ${JSON.stringify(box)}, ${JSON.stringify(found.map(({ anchor }) => anchor))}`,
          );
        }
        assert.deepEqual(
          own.filter(({ kind }) => kind === 'note').map(({ text }) => oneLine(text)),
          slide.notes,
        );
      }
    });

  it('reads diagrams and charts in their frames', async () => {
    const { elements, facts } = await readFacts(fixture('pptx', 'shp-shapes.pptx'));
    assert.deepEqual(
      elements.map(({ kind, text }) => `${kind}: ${text}`),
      [
        'title: shapes[0]',
        'list_item: shapes[1]',
        'list_item: Picture is shapes[2]',
        'header: shapes[3]',
        'caption: shapes[4]\nSales\n1st Qtr\n2nd Qtr\n3rd Qtr\n4th Qtr',
        'list_item: shapes[5]',
        'list_item: Smart Art',
      ],
    );
    assert.deepEqual(facts.parts, ['shapes[0]', '']);
  });
});
