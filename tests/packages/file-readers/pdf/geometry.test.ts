/** Where words of PDF are: golden places of turned and cropped pages, and the places that another program finds in real files. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import type { Box } from '../../../../domain/files/content/anchor';
import type { Element } from '../../../../domain/files/content/element';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';
import { needs } from '../../../support/runner/prerequisites';
import { type MadePage, pdfOf } from '../made-files';
import { readFacts } from '../read';
import { displayedWord } from './displayed-word';

const only = <Item>(items: readonly Item[]): Item => {
  assert.equal(items.length, 1);
  return items[0]!;
};

const isNear = (box: Box, { x, y, w, h }: Box, within = 0.002): boolean =>
  [box.x - x, box.y - y, box.w - w, box.h - h].every((difference) => Math.abs(difference) <= within);

describe('places of words in PDF', () => {
  needs('pdftotext');
  const directory = useTemporaryDirectory('pdf-geometry');
  const path = join(directory, 'page.pdf');

  const readPage = async (page: MadePage): Promise<{ readonly element: Element; readonly size: readonly number[] }> => {
    writeFileSync(path, pdfOf({ pages: [page] }));
    const { elements, facts } = await readFacts(path);
    const { width, height } = only(facts.pages);
    return { element: only(elements), size: [width, height] };
  };

  // Helvetica's `Hello` is 45.56 wide at 20 points; it starts at 100, 500 of a page of 400 by 600.
  const golden: readonly (readonly [string, MadePage, readonly number[], Box])[] = [
    ['upright', {}, [400, 600], { x: 0.25, y: 0.1427, w: 0.1139, h: 0.0308 }],
    ['turned by 90', { rotate: 90 }, [600, 400], { x: 0.8265, y: 0.25, w: 0.0308, h: 0.1139 }],
    ['turned by 180', { rotate: 180 }, [400, 600], { x: 0.6361, y: 0.8265, w: 0.1139, h: 0.0308 }],
    ['turned by 270', { rotate: 270 }, [600, 400], { x: 0.1427, y: 0.6361, w: 0.0308, h: 0.1139 }],
    ['turned by -90', { rotate: -90 }, [600, 400], { x: 0.1427, y: 0.6361, w: 0.0308, h: 0.1139 }],
    ['cropped', { crop: [50, 100, 350, 580] }, [300, 480], { x: 0.1667, y: 0.1367, w: 0.1519, h: 0.0385 }],
    [
      'cropped and turned',
      { crop: [50, 100, 350, 580], rotate: 90 },
      [480, 300],
      { x: 0.8247, y: 0.1667, w: 0.0385, h: 0.1519 },
    ],
    ['away from the origin', { media: [-100, -100, 300, 500] }, [400, 600], { x: 0.5, y: -1, w: 0.1139, h: 0.0308 }],
    [
      'cropped beyond its page',
      { crop: [50, 50, 900, 900] },
      [350, 550],
      { x: 0.1429, y: 0.1557, w: 0.1302, h: 0.0336 },
    ],
    ['in larger units', { unit: 2 }, [800, 1200], { x: 0.25, y: 0.1427, w: 0.1139, h: 0.0308 }],
    [
      'in corners the wrong way round',
      { media: [400, 600, 0, 0] },
      [400, 600],
      { x: 0.25, y: 0.1427, w: 0.1139, h: 0.0308 },
    ],
  ];
  for (const [name, page, size, box] of golden)
    it(`are fractions of a page that is ${name}`, async () => {
      const at = name === 'away from the origin' ? ([100, 400] as const) : undefined;
      const read = await readPage(at === undefined ? page : { ...page, at });
      assert.deepEqual(read.size, size);
      const [word] = read.element.words;
      assert.equal(read.element.text.slice(word!.start, word!.start + word!.length), 'Hello');
      const expected = at === undefined ? box : { ...box, y: 0.1427 };
      assert.ok(isNear(word!.box, expected), JSON.stringify([word!.box, expected]));
    });

  it('are left out where the crop box leaves nothing of them', async () => {
    writeFileSync(path, pdfOf({ pages: [{ crop: [200, 50, 400, 600], text: 'LeftOut and kept' }] }));
    const { elements } = await readFacts(path);
    assert.equal(only(elements).text.includes('LeftOut'), false);
    assert.ok(only(elements).text.includes('kept'));
  });

  it('equal those of another program on pages of any form', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          rotate: fc.constantFrom(0, 90, 180, 270, 450, -180),
          left: fc.integer({ min: -200, max: 200 }),
          bottom: fc.integer({ min: -200, max: 200 }),
          crop: fc.option(fc.tuple(fc.integer({ min: -80, max: 90 }), fc.integer({ min: 320, max: 600 })), {
            nil: undefined,
          }),
        }),
        async ({ rotate, left, bottom, crop }) => {
          const media = [left, bottom, left + 400, bottom + 600];
          const page: MadePage = {
            rotate,
            media,
            at: [left + 120, bottom + 250],
            text: 'Hello',
            ...(crop === undefined
              ? {}
              : { crop: [left + crop[0], bottom + crop[0], left + crop[1], bottom + crop[1]] }),
          };
          const { element, size } = await readPage(page);
          const other = await displayedWord(pdfOf({ pages: [page] }));
          assert.deepEqual(size, [other.width, other.height]);
          const { x, y, w, h } = element.words[0]!.box;
          const [centreX, centreY] = [x + w / 2, y + h / 2];
          assert.ok(centreX > other.x && centreX < other.x + other.w, JSON.stringify({ page, x, w, other }));
          assert.ok(centreY > other.y && centreY < other.y + other.h, JSON.stringify({ page, y, h, other }));
        },
      ),
      { numRuns: 20 },
    );
  });
});
