/** Regions of shapes on slides of 1,000 by 500 units, calculated by hand. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Box } from '../../../../domain/files/content/anchor';
import { type MadePresentation, presentationOf, withFile } from '../made-office';
import { readFacts } from '../read';

type Rectangle = readonly [x: number, y: number, w: number, h: number];

const frame = ([x, y, w, h]: Rectangle, names: readonly [string, string] = ['off', 'ext']): string =>
  `<a:${names[0]} x="${x}" y="${y}"/><a:${names[1]} cx="${w}" cy="${h}"/>`;

const shape = (text: string, at: Rectangle | null, { turn = '', placeholder = '' } = {}): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr>${
    at === null ? '' : `<a:xfrm ${turn}>${frame(at)}</a:xfrm>`
  }</p:spPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;

const group = (outer: Rectangle, inner: Rectangle, content: string, turn = ''): string =>
  `<p:grpSp><p:nvGrpSpPr/><p:grpSpPr><a:xfrm ${turn}>${frame(outer)}${frame(inner, ['chOff', 'chExt'])}</a:xfrm></p:grpSpPr>${content}</p:grpSp>`;

const regions = (presentation: MadePresentation): Promise<Readonly<Record<string, Box | null>>> =>
  withFile(presentationOf(presentation), 'made.pptx', async (path) => {
    const { elements } = await readFacts(path);
    return Object.fromEntries(
      elements.map(({ text, anchor }) => [text, anchor.type === 'slide' ? anchor.region : null]),
    );
  });

const regionsOf = (shapes: string): Promise<Readonly<Record<string, Box | null>>> => regions({ slides: [{ shapes }] });

const box = (x: number, y: number, w: number, h: number): Box => ({ x, y, w, h });

describe('regions of shapes', () => {
  it('goes through groups that move and scale, also within each other', async () => {
    const scaled = group([100, 100, 400, 200], [0, 0, 200, 100], shape('scaled', [50, 25, 100, 50]));
    const nested = group(
      [500, 0, 500, 500],
      [0, 0, 1000, 1000],
      group([100, 100, 400, 200], [0, 0, 200, 100], shape('nested', [50, 25, 100, 50])),
    );
    assert.deepEqual(await regionsOf(scaled + nested), {
      scaled: box(0.2, 0.3, 0.2, 0.2),
      nested: box(0.6, 0.15, 0.1, 0.1),
    });
  });

  it('bounds what is turned, and mirrors what stands in a flipped group', async () => {
    const whole: Rectangle = [0, 0, 1000, 500];
    const inside = (text: string): string => shape(text, [100, 50, 200, 100]);
    assert.deepEqual(
      await regionsOf(
        [
          shape('quarter turn', [100, 200, 200, 100], { turn: 'rot="5400000"' }),
          shape('flipped alone', [100, 50, 200, 100], { turn: 'flipH="1" flipV="1"' }),
          group(whole, whole, inside('flipped group'), 'flipH="1"'),
          group(whole, whole, inside('half turn'), 'rot="10800000"'),
          // Around (500, 250): the left upper corner (100, 50) comes to (700, -150).
          group(whole, whole, shape('quarter group', [300, 200, 200, 100]), 'rot="5400000"'),
          // Flipped first, then turned.
          group(whole, whole, shape('both', [300, 200, 200, 100]), 'rot="5400000" flipH="true"'),
        ].join(''),
      ),
      {
        'quarter turn': box(0.15, 0.3, 0.1, 0.4),
        'flipped alone': box(0.1, 0.1, 0.2, 0.2),
        'flipped group': box(0.7, 0.1, 0.2, 0.2),
        'half turn': box(0.7, 0.7, 0.2, 0.2),
        'quarter group': box(0.45, 0.1, 0.1, 0.4),
        both: box(0.45, 0.5, 0.1, 0.4),
      },
    );
  });

  it('is the visible part, and null where nothing is visible', async () => {
    assert.deepEqual(
      await regionsOf(
        [
          shape('partly', [-100, 400, 300, 200]),
          shape('beside', [1100, 0, 100, 100]),
          shape('nowhere', null),
          group([0, 0, 10, 10], [0, 0, 0, 0], shape('flat', [100, 50, 200, 100])),
        ].join(''),
      ),
      { partly: box(0, 0.8, 0.2, 0.2), beside: null, nowhere: null, flat: box(0.1, 0.1, 0.2, 0.2) },
    );
  });

  it('takes the positions of placeholders from layout and master', async () => {
    const placeholder = (type: string, index?: number): string =>
      `<p:ph ${type === '' ? '' : `type="${type}"`} ${index === undefined ? '' : `idx="${index}"`}/>`;
    const at = (text: string, where: Rectangle | null, type: string, index?: number): string =>
      shape(text, where, { placeholder: placeholder(type, index) });
    assert.deepEqual(
      await regions({
        slides: [
          {
            shapes: [
              at('body by index', null, '', 1),
              at('second body', null, '', 13),
              at('title of layout', null, 'ctrTitle'),
              at('subtitle of master', null, 'subTitle', 4),
              at('own', [0, 0, 100, 50], 'body', 1),
              at('footer', null, 'ftr', 11),
              at('7', null, 'sldNum', 12),
            ].join(''),
          },
        ],
        layout: [
          at('', [100, 0, 800, 100], 'title'),
          at('', null, '', 1),
          at('', [500, 100, 400, 300], 'body', 13),
          at('', null, 'ftr', 11),
        ].join(''),
        master: [
          at('', [50, 50, 900, 50], 'title'),
          at('', [100, 150, 800, 250], 'body', 1),
          at('', [300, 450, 400, 50], 'ftr', 3),
        ].join(''),
      }),
      {
        'title of layout': box(0.1, 0, 0.8, 0.2),
        'body by index': box(0.1, 0.3, 0.8, 0.5),
        'second body': box(0.5, 0.2, 0.4, 0.6),
        'subtitle of master': box(0.1, 0.3, 0.8, 0.5),
        own: box(0, 0, 0.1, 0.1),
        footer: box(0.3, 0.9, 0.4, 0.1),
      },
    );
  });

  it('reads rows of tables where they stand', async () => {
    const cell = (text: string): string => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const row = (height: number, ...cells: readonly string[]): string =>
      `<a:tr h="${height}">${cells.map(cell).join('')}</a:tr>`;
    const table = (rows: string): string =>
      `<p:graphicFrame><p:nvGraphicFramePr/><p:xfrm>${frame([100, 100, 500, 200])}</p:xfrm><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/>${rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    assert.deepEqual(await regionsOf(table(row(50, 'a', 'b') + row(150, 'c', '', 'd'))), {
      'a\tb': box(0.1, 0.2, 0.5, 0.1),
      'c\t\td': box(0.1, 0.3, 0.5, 0.3),
    });
    assert.deepEqual(await regionsOf(table(row(1, 'low') + row(199, 'high'))), {
      low: box(0.1, 0.2, 0.5, 0.4),
      high: box(0.1, 0.2, 0.5, 0.4),
    });
  });

  it('is the same in a group as without it, where the group changes nothing', () => {
    const side = fc.integer({ min: 1, max: 400 });
    const place = fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 100 }), side, side);
    const changesNothing = fc.record({
      inner: place,
      turn: fc.constantFrom('rot="21600000"', 'rot="0"', 'rot="-21600000"', ''),
    });
    return fc.assert(
      fc.asyncProperty(place, fc.array(changesNothing, { maxLength: 4 }), async (at, groups) => {
        const plain = await regionsOf(shape('x', at));
        const grouped = groups.reduce((content, { inner, turn }) => group(inner, inner, content, turn), shape('x', at));
        assert.deepEqual(await regionsOf(grouped), plain);
      }),
      { numRuns: 40 },
    );
  });
});
