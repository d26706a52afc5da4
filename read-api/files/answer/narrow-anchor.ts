/** Where a part of a chunk stands: the boxes of its words, its region of the slide, its time, its lines, its rows or its paragraphs, where the chunk has them; else where the chunk is. */
import { type Anchor, maxBoxes } from '../../../domain/files/content/anchor';
import type { Chunk, ChunkSegment } from '../../../domain/files/content/chunk';
import { boundedBoxes, lineBoxes, unitedBox } from '../../../domain/files/content/chunking/line-boxes';
import type { TextRange } from '../../../domain/files/content/chunking/split';
import type { WordBox } from '../../../domain/files/content/element';
import type { AuthorizedChunk } from '../search/authorize-chunks';
import { linesAboveRows } from './extract/sentences';

type Place = Pick<AuthorizedChunk, 'anchor' | 'content' | 'modality'>;

const lineOf = (content: string, offset: number): number => content.slice(0, offset).split('\n').length - 1;

const wordsWithin = (words: readonly WordBox[], { from, to }: TextRange): readonly WordBox[] =>
  words.filter(({ start, length }) => start < to && start + length > from);

const segmentsWithin = (segments: readonly ChunkSegment[], { from, to }: TextRange): readonly ChunkSegment[] =>
  segments.filter(({ start, length }) => start < to && start + length > from);

/** Numbers of the first and the last line, row or paragraph, where the content has a line for each of them. */
const numbered = (
  { content }: Place,
  { from, to }: TextRange,
  { start, end, above }: { readonly start: number; readonly end: number; readonly above: number },
): { readonly start: number; readonly end: number } | undefined => {
  const lines = content.split('\n').length;
  const first = lineOf(content, from) - above;
  if (first < 0 || lines - above !== end - start + 1) return undefined;
  return { start: start + first, end: start + first + lineOf(content, to) - lineOf(content, from) };
};

type Places = Partial<Pick<Chunk, 'words' | 'segments'>>;

/** `words` and `segments`: of the chunk. */
export const narrowAnchor = (place: Place, range: TextRange, { words = [], segments = [] }: Places = {}): Anchor => {
  const { anchor, modality } = place;
  switch (anchor.type) {
    case 'page': {
      const boxes = boundedBoxes(lineBoxes(wordsWithin(words, range)), maxBoxes).map(({ pageNumber, box }) => ({
        pageNumber: pageNumber ?? anchor.pageNumber,
        box,
      }));
      const [first] = boxes;
      if (first === undefined) return anchor;
      // The label is that of the page on which the chunk begins.
      const pageLabel = first.pageNumber === anchor.pageNumber ? anchor.pageLabel : null;
      return { ...anchor, pageNumber: first.pageNumber, pageLabel, boxes };
    }
    case 'image_region': {
      const boxes = boundedBoxes(lineBoxes(wordsWithin(words, range)), maxBoxes).map(({ box }) => box);
      return boxes.length === 0 ? anchor : { ...anchor, boxes };
    }
    case 'line_range': {
      const lines = numbered(place, range, { start: anchor.lineStart, end: anchor.lineEnd, above: 0 });
      return lines === undefined ? anchor : { ...anchor, lineStart: lines.start, lineEnd: lines.end };
    }
    case 'row': {
      // One row of names at most: of several, some may stand for rows that are empty in the file.
      const { header } = linesAboveRows(place);
      const bounds = { start: anchor.rowStart, end: anchor.rowEnd, above: header };
      const rows = header > 1 ? undefined : numbered(place, range, bounds);
      return rows === undefined ? anchor : { ...anchor, rowStart: rows.start, rowEnd: rows.end };
    }
    case 'paragraph': {
      // Rows of tables are paragraphs of their cells.
      const bounds = { start: anchor.paragraphStart, end: anchor.paragraphEnd, above: 0 };
      const paragraphs = modality === 'table' ? undefined : numbered(place, range, bounds);
      return paragraphs === undefined
        ? anchor
        : { ...anchor, paragraphStart: paragraphs.start, paragraphEnd: paragraphs.end };
    }
    case 'slide': {
      const regions = segmentsWithin(segments, range).flatMap(({ region }) => region ?? []);
      const [first, ...others] = regions;
      return first === undefined ? anchor : { ...anchor, region: others.reduce(unitedBox, first) };
    }
    case 'timestamp': {
      const within = segmentsWithin(segments, range);
      const { timestampStartMs = anchor.timestampStartMs } = within[0] ?? {};
      const { timestampEndMs = anchor.timestampEndMs } = within.at(-1) ?? {};
      // The frame is that of the chunk's beginning.
      const frame = timestampStartMs === anchor.timestampStartMs ? anchor.frame : null;
      return { ...anchor, timestampStartMs, timestampEndMs, frame };
    }
  }
};
