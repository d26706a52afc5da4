/** Elements as readers extract them, and the chunks made of them, for tests. */
import { createHash } from 'node:crypto';
import type { Anchor, Box } from '../../../domain/files/content/anchor';
import type { Chunk } from '../../../domain/files/content/chunk';
import { type ChunkingResult, chunksOf } from '../../../domain/files/content/chunker';
import type { Element, WordBox } from '../../../domain/files/content/element';
import type { PageFacts } from '../../../domain/files/content/read-result';
import type { VersionId } from '../../../domain/files/ids';

export const versionId = 'version-1' as VersionId;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const pagesFacts = (count: number, labels: readonly (string | null)[] = []): readonly PageFacts[] =>
  Array.from({ length: count }, (_, index) => ({
    pageNumber: index + 1,
    pageLabel: labels[index] ?? null,
    width: 595,
    height: 842,
    hasText: true,
  }));

export const element = (text: string, changes: Partial<Element> = {}): Element => ({
  kind: 'paragraph',
  modality: 'text',
  level: null,
  text,
  anchor: { type: 'line_range', lineStart: 1, lineEnd: 1 },
  words: [],
  confidence: null,
  ...changes,
});

export const heading = (text: string, level: number, changes: Partial<Element> = {}): Element =>
  element(text, { kind: 'heading', level, ...changes });

export const lines = (lineStart: number, lineEnd = lineStart): Anchor => ({ type: 'line_range', lineStart, lineEnd });

export const slide = (slideNumber: number, region: Box | null = null, part: 'slide' | 'notes' = 'slide'): Anchor => ({
  type: 'slide',
  slideNumber,
  part,
  region,
});

export const row = (number: number, sheet: string | null = 'Prices'): Anchor => ({
  type: 'row',
  sheet,
  rowStart: number,
  rowEnd: number,
});

export const cue = (startMs: number, endMs: number, text: string): Element =>
  element(text, {
    kind: 'cue',
    modality: 'audio',
    anchor: { type: 'timestamp', timestampStartMs: startMs, timestampEndMs: endMs, frame: null },
  });

const lineHeight = 0.02;
const letterWidth = 0.005;

/** Words of a text on a page, of which each `\n` begins a line at `top` and below. */
const wordsOnPage = (text: string, pageNumber: number | null, top = 0.1): readonly WordBox[] =>
  [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => {
    const before = text.slice(0, index).split('\n');
    const x = 0.1 + (before.at(-1)?.length ?? 0) * letterWidth;
    const y = top + (before.length - 1) * 2 * lineHeight;
    return {
      start: index,
      length: word.length,
      pageNumber,
      box: { x, y, w: word.length * letterWidth, h: lineHeight },
    };
  });

/** A passage of a page with its words. */
export const onPage = (
  text: string,
  pageNumber: number,
  changes: Partial<Element> & { readonly top?: number } = {},
) => {
  const { top, ...others } = changes;
  const anchor: Anchor = { type: 'page', pageNumber, pageLabel: null, boxes: [] };
  return element(text, { anchor, words: wordsOnPage(text, pageNumber, top), ...others });
};

export interface ChunkedDocument {
  readonly chunks: readonly Chunk[];
  readonly result: ChunkingResult;
}

export const chunked = (
  elements: Iterable<Element>,
  { pages = [], hash = sha256 }: { readonly pages?: readonly PageFacts[]; readonly hash?: typeof sha256 } = {},
): ChunkedDocument => {
  const chunks: Chunk[] = [];
  const making = chunksOf(elements, { versionId, document: { pages }, sha256: hash });
  for (let step = making.next(); ; step = making.next()) {
    if (step.done === true) return { chunks, result: step.value };
    chunks.push(step.value);
  }
};

export const contentsOf = (...elements: readonly Element[]): readonly string[] =>
  chunked(elements, { pages: pagesFacts(10) }).chunks.map(({ content }) => content);

export const anchorsOf = (...elements: readonly Element[]): readonly Anchor[] =>
  chunked(elements, { pages: pagesFacts(10) }).chunks.map(({ anchor }) => anchor);

/** Each word of the chunk that has a box. */
export const boxedWords = ({ content, words }: Chunk): readonly string[] =>
  words.map(({ start, length }) => content.slice(start, start + length));
