/** What the console's viewers make of citations: their words, their order, rows of tables, and lines of bytes. */
import assert from 'node:assert/strict';
import { compareCitations, placeOf } from '../../read-api/web/files/retrieval/citation-place';
import { rangesOfQuote, rangesOfWords } from '../../read-api/web/files/retrieval/found-words';
import { linesOfBytes } from '../../read-api/web/files/retrieval/viewer/lines/lines-of-bytes';
import { bestSegment, segmentsOf } from '../../read-api/web/files/retrieval/viewer/segments';
import { slideBoxesOf } from '../../read-api/web/files/retrieval/viewer/slide-boxes';
import { tableRowsOf } from '../../read-api/web/files/retrieval/viewer/table/table-rows';

type Citation = Parameters<typeof placeOf>[0];
type ListedChunk = Parameters<typeof tableRowsOf>[0][number];

const cited = (citation: Omit<Citation, 'headings'>): Citation => ({ headings: [], ...citation });
const box = { x: 0, y: 0, w: 0.1, h: 0.1 };

describe('a citation', () => {
  it('is named in the words of its format', () => {
    const places: readonly (readonly [Omit<Citation, 'headings'>, string])[] = [
      [{ type: 'page', pageNumber: 3 }, 'Page 3'],
      [{ type: 'page', pageNumber: 3, pageLabel: 'iii' }, 'Page iii (3 of the file)'],
      [{ type: 'page', pageNumber: 3, boxes: [{ pageNumber: 4, box }] }, 'Pages 3–4'],
      [{ type: 'paragraph', documentPart: 'body', paragraphStart: 2, paragraphEnd: 2 }, 'Paragraph 2'],
      [
        { type: 'paragraph', documentPart: 'footnote', paragraphStart: 2, paragraphEnd: 4 },
        'Footnotes, paragraphs 2–4',
      ],
      [{ type: 'slide', slideNumber: 2, slidePart: 'notes' }, 'Slide 2, notes'],
      [{ type: 'row', sheet: 'Q1', rowStart: 4, rowEnd: 9 }, 'Sheet “Q1”, rows 4–9'],
      [{ type: 'row', sheet: null, rowStart: 4, rowEnd: 4 }, 'Row 4'],
      [{ type: 'line_range', lineStart: 10, lineEnd: 20 }, 'Lines 10–20'],
      [{ type: 'timestamp', timestampStartMs: 12_000, timestampEndMs: 3_731_500 }, '00:12–1:02:11'],
      [{ type: 'image_region' }, 'Picture'],
    ];
    for (const [citation, place] of places) assert.equal(placeOf(cited(citation)), place);
  });

  it('stands before what is further on in the file', () => {
    const ordered = [
      cited({ type: 'page', pageNumber: 2, boundingBox: { ...box, y: 0.1 } }),
      cited({ type: 'page', pageNumber: 2, boundingBox: { ...box, y: 0.4 } }),
      cited({ type: 'page', pageNumber: 10 }),
    ];
    assert.deepEqual(ordered.toReversed().toSorted(compareCitations), ordered);
    const sheets = [
      cited({ type: 'row', sheet: 'Q2', rowStart: 90 }),
      cited({ type: 'row', sheet: 'Q10', rowStart: 2 }),
      cited({ type: 'row', sheet: 'Q10', rowStart: 3 }),
    ];
    assert.deepEqual(sheets.toReversed().toSorted(compareCitations), sheets);
  });

  it('marks whole words, whatever their case', () => {
    assert.deepEqual(rangesOfWords('Rents: rent, Rent.', new Set(['rent'])), [
      { start: 7, length: 4 },
      { start: 13, length: 4 },
    ]);
    assert.deepEqual(rangesOfWords('rent', new Set()), []);
  });

  it('marks a phrase as a whole, and its words nowhere else', () => {
    const text = 'Notice of the “Notice Period”, a long notice.';
    assert.deepEqual(
      rangesOfWords(text, new Set(['notice period', 'long'])).map(({ start, length }) =>
        text.slice(start, start + length),
      ),
      ['Notice Period', 'long'],
    );
  });
});

describe('a quote', () => {
  it('marks its part of each line', () => {
    const quote = 'They imagine. They heal.';
    assert.deepEqual(rangesOfQuote('Now: They imagine. They heal. Yes.', quote), [{ start: 5, length: 24 }]);
    assert.deepEqual(rangesOfQuote('  They heal.', quote), [{ start: 2, length: 10 }]);
    assert.deepEqual(rangesOfQuote('They explore.', quote), []);
    assert.deepEqual(rangesOfQuote('', quote), []);
    assert.deepEqual(rangesOfQuote('They heal.', ''), []);
  });
});

describe('parts of a passage', () => {
  const speech = {
    content: 'It rains. The rain stops.',
    citation: cited({ type: 'timestamp', timestampStartMs: 1_000, timestampEndMs: 9_000 }),
    segments: [
      { start: 0, length: 9, timestampStartMs: 1_000, timestampEndMs: 3_000 },
      { start: 10, length: 15, timestampStartMs: 5_000, timestampEndMs: 9_000 },
    ],
  };

  it('have what is marked of them, and the one with most of it is played', () => {
    const segments = segmentsOf(speech, rangesOfWords(speech.content, new Set(['rain', 'stops'])));
    assert.deepEqual(
      segments.map(({ text, ranges }) => [text, ranges.map(({ start, length }) => text.slice(start, start + length))]),
      [
        ['It rains.', []],
        ['The rain stops.', ['rain', 'stops']],
      ],
    );
    assert.equal(bestSegment(segments)?.timestampStartMs, 5_000);
    assert.equal(bestSegment(segmentsOf(speech, []))?.timestampStartMs, 1_000);
  });

  it('are the whole passage, where an older version of the pipeline made it', () =>
    assert.deepEqual(segmentsOf({ ...speech, segments: [] }, []), [
      { text: speech.content, ranges: [], timestampStartMs: 1_000, timestampEndMs: 9_000 },
    ]));

  it('of a slide are drawn by shape, and those with the words are cited', () => {
    const [upper, lower] = [box, { ...box, y: 0.5 }];
    const chunk = {
      chunkId: 'c1',
      ordinal: 0,
      modality: 'text',
      content: 'Plan\nGrow.\nTwice.',
      citation: cited({ type: 'slide', slideNumber: 1, slidePart: 'slide', boundingBox: box }),
      segments: [
        { start: 0, length: 4, region: upper },
        { start: 5, length: 5, region: lower },
        { start: 11, length: 6, region: lower },
      ],
    } as const;
    const kinds = (passage: Parameters<typeof slideBoxesOf>[1]) =>
      slideBoxesOf(chunk, passage).map(({ box: at, kind, text }) => [at.y, kind, text]);
    assert.deepEqual(kinds({ chunkId: 'c1', ranges: [{ start: 5, length: 4 }] }), [
      [0, 'passage', 'Plan'],
      [0.5, 'word', 'Grow.\nTwice.'],
    ]);
    assert.deepEqual(
      kinds({ chunkId: 'c1', ranges: [] }).map(([, kind]) => kind),
      ['word', 'word'],
    );
    assert.deepEqual(
      kinds({ chunkId: 'c2', ranges: [] }).map(([, kind]) => kind),
      ['passage', 'passage'],
    );
  });
});

describe('rows of a sheet', () => {
  const rows = (rowStart: number, rowEnd: number, ...lines: readonly string[]): ListedChunk => ({
    chunkId: `c${rowStart}`,
    ordinal: rowStart,
    modality: 'table',
    content: lines.join('\n'),
    citation: cited({ type: 'row', sheet: 'Q1', rowStart, rowEnd }),
    segments: [],
  });
  const numbersOf = (...chunks: readonly ListedChunk[]) =>
    tableRowsOf(chunks).rows.map(({ number, cells }) => [number, ...cells]);

  it('have the row that names the columns once, and their own numbers', () => {
    const first = rows(1, 2, 'name\tprice', 'pen\t1');
    const later = rows(3, 4, 'name\tprice', 'ink\t2', 'cap\t3');
    assert.deepEqual(tableRowsOf([first, later]).header, ['name', 'price']);
    assert.deepEqual(numbersOf(first, later), [
      [2, 'pen', '1'],
      [3, 'ink', '2'],
      [4, 'cap', '3'],
    ]);
    assert.deepEqual(numbersOf(later), [
      [3, 'ink', '2'],
      [4, 'cap', '3'],
    ]);
  });

  it('have no numbers where blank rows were left out', () => {
    assert.deepEqual(numbersOf(rows(5, 8, 'pen\t1', 'ink\t2')), [
      [undefined, 'pen', '1'],
      [undefined, 'ink', '2'],
    ]);
  });

  it('are as wide as the widest of them', () => {
    assert.equal(tableRowsOf([rows(1, 2, 'a', 'b\t\tc')]).columns, 3);
    assert.deepEqual(tableRowsOf([]), { header: [], rows: [], columns: 0 });
  });
});

describe('lines of bytes', () => {
  it('are counted as citations count them', () => {
    assert.deepEqual(linesOfBytes(Buffer.from('a\r\nb\rc\n\nd\n')), ['a', 'b', 'c', '', 'd']);
    assert.deepEqual(linesOfBytes(Buffer.from('\uFEFFa\nb', 'utf8')), ['a', 'b']);
    assert.deepEqual(linesOfBytes(Buffer.from('\uFEFFa\nb', 'utf16le')), ['a', 'b']);
  });

  it('are none of bytes in another encoding, which are shown as they were extracted', () => {
    assert.equal(linesOfBytes(Buffer.from('château', 'latin1')), undefined);
    assert.equal(linesOfBytes(Buffer.from('ab', 'utf16le')), undefined);
  });
});
