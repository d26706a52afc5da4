/** What holds of the chunks of every document, of every kind. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Anchor, Box } from '../../../domain/files/content/anchor';
import { maxBoxes } from '../../../domain/files/content/anchor';
import { Chunk } from '../../../domain/files/content/chunk';
import { hardSize } from '../../../domain/files/content/chunking/open-chunk';
import type { Element } from '../../../domain/files/content/element';
import { type ChunkedDocument, chunked, element, pagesFacts, sha256 } from './sample-elements';

const pages = 4;
/** Words differ, so that it is known of each where it is. */
const wordOf = (number: number): string => `w${number}x`;
const numberOf = (word: string): number => Number(word.slice(1, -1));

/** Of an element, before its words are numbered. */
interface Sketch {
  readonly kind: Element['kind'];
  readonly level: number;
  readonly words: number;
  readonly separator: string;
  readonly step: number;
}

const sketches = fc.array(
  fc.record<Sketch>({
    kind: fc.constantFrom(
      'heading',
      'title',
      'paragraph',
      'paragraph',
      'list_item',
      'note',
      'caption',
      'row',
      'header',
      'code',
      'cue',
    ),
    level: fc.integer({ min: 1, max: 9 }),
    words: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 0, max: 60 }) }, fc.integer({ min: 200, max: 700 })),
    separator: fc.constantFrom(' ', '  ', '\n', '. ', ', ', '\n\n', '\t'),
    step: fc.integer({ min: 0, max: 2 }),
  }),
  { maxLength: 30, size: 'max' },
);

/** Words are in rows of ten; the number of each is in its box. */
const boxOf = (number: number, index: number): Box => ({
  x: number / 100_000,
  y: Math.floor(index / 10) / 100,
  w: 0.05,
  h: 0.005,
});

type Place = (at: { readonly number: number; readonly newLines: number }) => Anchor;
const places: { readonly [type in Anchor['type']]: Place } = {
  page: ({ number }) => ({ type: 'page', pageNumber: Math.min(1 + number, pages), pageLabel: null, boxes: [] }),
  paragraph: ({ number }) => ({
    ...{ type: 'paragraph', part: 'body', section: null, sectionNumber: 0 },
    ...{ paragraphStart: number + 1, paragraphEnd: number + 1 },
  }),
  slide: ({ number }) => ({ type: 'slide', slideNumber: number + 1, part: 'slide', region: boxOf(number, number) }),
  timestamp: ({ number }) => ({
    ...{ type: 'timestamp', timestampStartMs: number * 9_000, timestampEndMs: number * 9_000 + 9_000, frame: null },
  }),
  image_region: () => ({ type: 'image_region', boxes: [] }),
  row: ({ number }) => ({ type: 'row', sheet: null, rowStart: number + 1, rowEnd: number + 1 }),
  line_range: ({ number, newLines }) => ({ type: 'line_range', lineStart: 1 + number, lineEnd: 1 + number + newLines }),
};

const documents: fc.Arbitrary<readonly Element[]> = fc
  .tuple(fc.constantFrom(...(Object.keys(places) as Anchor['type'][])), sketches)
  .map(([type, all]) => {
    let next = 0;
    let number = 0;
    return all.map(({ kind, level, words: count, separator, step }) => {
      const first = next;
      next += count;
      number += step;
      const text = Array.from({ length: count }, (_, index) => wordOf(first + index)).join(separator);
      const hasBoxes = type === 'page' || type === 'image_region';
      const anchor = places[type]({ number, newLines: text.split('\n').length - 1 });
      const pageNumber = anchor.type === 'page' ? anchor.pageNumber : null;
      const words = [...text.matchAll(/w\d+x/g)].map(({ 0: word, index: start }, index) => ({
        ...{ start, length: word.length, pageNumber, box: boxOf(numberOf(word), index) },
      }));
      return element(text, {
        kind,
        level: kind === 'heading' ? level : null,
        modality: kind === 'code' ? 'code' : 'text',
        anchor,
        words: hasBoxes ? words : [],
      });
    });
  });

const holds = (check: (document: readonly Element[], made: ChunkedDocument) => void): void =>
  fc.assert(
    fc.property(documents, (document) => check(document, chunked(document, { pages: pagesFacts(pages) }))),
    { numRuns: 60 },
  );

const wordsIn = (text: string): readonly string[] => text.match(/w\d+x/g) ?? [];

describe('the chunks of a document', () => {
  it('have every word of it, in order, and no word twice but of the names of columns', () =>
    holds((document, { chunks }) => {
      const columns = new Set(document.flatMap(({ kind, text }) => (kind === 'header' ? wordsIn(text) : [])));
      const all = chunks.flatMap(({ content }) => wordsIn(content));
      const withoutColumns = (words: readonly string[]) => words.filter((word) => !columns.has(word));
      assert.deepEqual(withoutColumns(all), withoutColumns(document.flatMap(({ text }) => wordsIn(text))));
      for (const word of columns) assert.ok(all.includes(word));
    }));

  it('are below the hard size, valid, and numbered in order', () =>
    holds((_, { chunks, result }) => {
      assert.equal(result.chunks, chunks.length);
      assert.equal(result.notice, null);
      for (const [index, chunk] of chunks.entries()) {
        assert.ok(Chunk.is(chunk));
        assert.equal(chunk.ordinal, index);
        assert.ok(chunk.content.length > 0 && chunk.content.length <= hardSize);
      }
    }));

  it('have words whose boxes cover exactly their text', () =>
    holds((document, { chunks }) => {
      for (const { content, words } of chunks)
        for (const { start, length, box } of words)
          assert.equal(content.slice(start, start + length), wordOf(Math.round(box.x * 100_000)));
      const boxed = document.reduce((sum, { kind, words }) => (kind === 'header' ? sum : sum + words.length), 0);
      assert.ok(chunks.reduce((sum, { words }) => sum + words.length, 0) >= boxed);
    }));

  it('lead to places in the file that hold their words', () =>
    holds((document, { chunks }) => {
      const elementOf = new Map(
        document.flatMap((one) => (one.kind === 'header' ? [] : wordsIn(one.text).map((word) => [word, one] as const))),
      );
      for (const { anchor, content } of chunks) {
        for (const word of wordsIn(content)) {
          const own = elementOf.get(word)?.anchor;
          if (own !== undefined)
            assert.ok(isWithin(own, anchor), `${JSON.stringify(own)} in ${JSON.stringify(anchor)}`);
        }
        for (const box of boxesOf(anchor)) {
          assert.ok(box.w > 0 && box.h > 0 && box.x >= 0 && box.y >= 0);
          assert.ok(box.x + box.w < 1.000_01 && box.y + box.h < 1.000_01);
        }
      }
    }));

  it('have hashes of their own, and are the same when they are made again', () =>
    holds((document, made) => {
      assert.equal(new Set(made.chunks.map(({ chunkHash }) => chunkHash)).size, made.chunks.length);
      assert.deepEqual(chunked(document, { pages: pagesFacts(pages), hash: sha256 }), made);
    }));

  it('end with a heading only where they are nothing but headings', () =>
    holds((document, { chunks }) => {
      const isOfHeading = new Map(
        document.flatMap(({ kind, text }) =>
          wordsIn(text).map((word) => [word, (kind === 'heading' || kind === 'title') && text.length <= 500] as const),
        ),
      );
      for (const { content } of chunks) {
        const words = wordsIn(content);
        const last = words.at(-1) ?? '';
        if (isOfHeading.get(last) === true) assert.ok(words.every((word) => isOfHeading.get(word) === true));
      }
    }));
});

/** Whether a passage may be cited by the anchor: it begins and ends within. */
const isWithin = (own: Anchor, anchor: Anchor): boolean => {
  if (own.type === 'page' && anchor.type === 'page')
    return own.pageNumber >= anchor.pageNumber && own.pageNumber <= (anchor.boxes.at(-1)?.pageNumber ?? 0);
  if (own.type === 'slide' && anchor.type === 'slide') return own.slideNumber === anchor.slideNumber;
  if (own.type === 'row' && anchor.type === 'row')
    return anchor.rowStart <= own.rowStart && own.rowEnd <= anchor.rowEnd;
  if (own.type === 'paragraph' && anchor.type === 'paragraph')
    return anchor.paragraphStart <= own.paragraphStart && own.paragraphEnd <= anchor.paragraphEnd;
  if (own.type === 'timestamp' && anchor.type === 'timestamp')
    return anchor.timestampStartMs <= own.timestampStartMs && own.timestampEndMs <= anchor.timestampEndMs;
  // A part of a passage of several lines has fewer of them.
  if (own.type === 'line_range' && anchor.type === 'line_range')
    return own.lineStart <= anchor.lineEnd && anchor.lineStart <= own.lineEnd;
  return own.type === anchor.type;
};

const boxesOf = (anchor: Anchor): readonly Box[] => {
  if (anchor.type === 'page') {
    assert.ok(anchor.boxes.length <= maxBoxes);
    assert.ok(anchor.boxes.every(({ pageNumber }) => pageNumber >= 1 && pageNumber <= pages));
    return anchor.boxes.map(({ box }) => box);
  }
  if (anchor.type === 'image_region') return anchor.boxes;
  return anchor.type === 'slide' && anchor.region !== null ? [anchor.region] : [];
};
