/** A chunk that takes passages: its content so far, and whether one more belongs to it. */
import type { Chunk, ChunkSegment } from '../chunk';
import type { WordBox } from '../element';
import { type Anchored, isSamePart, isSameSection, lastPageOf, mergedAnchor } from './anchors';
import { isHeading, type Passage, styleOf } from './passage';

/** Characters of a content: up to the first passages are combined, above the other nothing is. */
export const softSize = 1_000;
export const hardSize = 2_000;
/** What one chunk of subtitles covers at most, unless one is longer. */
const cueWindowMs = 30_000;

/** Rows follow the row that names their columns, subtitles follow each other; everything else does so alike. */
type Arrangement = 'rows' | 'cues' | 'flow';

const arrangementOf = ({ kind }: Passage): Arrangement => {
  if (kind === 'row') return 'rows';
  return kind === 'cue' ? 'cues' : 'flow';
};

export interface OpenChunk {
  /** Above the first passage. */
  readonly headings: readonly string[];
  readonly passages: readonly [Passage, ...Passage[]];
  readonly content: string;
  readonly words: readonly WordBox[];
  readonly segments: readonly ChunkSegment[];
}

/** Its headings wait for their text. */
export const hasOnlyHeadings = ({ passages }: OpenChunk): boolean => passages.every(isHeading);

const sentenceEnd = /[.!?…。！？:;]["'”’»)\]]*$/u;
const brokenWord = /(?:^|\s)\p{L}+[-\u2010]$/u;

/** A sentence that a page break divides. */
const isContinuation = (last: Passage, next: Passage): boolean =>
  next.kind === 'paragraph' &&
  (last.kind === 'paragraph' || last.kind === 'list_item') &&
  !sentenceEnd.test(last.text) &&
  /^\p{Ll}/u.test(next.text);

const isOverPageBreak = (last: Passage, next: Passage): boolean =>
  next.anchor.type === 'page' && lastPageOf(last) !== next.anchor.pageNumber;

const isWithinWindow = ({ passages: [{ anchor: first }] }: OpenChunk, { anchor }: Passage): boolean =>
  first.type !== 'timestamp' ||
  anchor.type !== 'timestamp' ||
  anchor.timestampEndMs - first.timestampStartMs <= cueWindowMs;

/** Whether the passage may be in the chunk at all: headings take what they are above of, but never over slides or sheets. */
export const canTake = (chunk: OpenChunk, next: Passage): boolean => {
  const last = chunk.passages.at(-1) ?? chunk.passages[0];
  if (!isSamePart(last.anchor, next.anchor)) return false;
  if (hasOnlyHeadings(chunk)) return true;
  if (isHeading(next) || !isSameSection(last.anchor, next.anchor)) return false;
  if (last.modality !== next.modality || arrangementOf(last) !== arrangementOf(next)) return false;
  if (next.kind === 'cue' && !isWithinWindow(chunk, next)) return false;
  return !isOverPageBreak(last, next) || isContinuation(last, next);
};

const needsHeader = (chunk: OpenChunk | undefined, next: Passage, header: string): boolean =>
  next.kind === 'row' && header !== '' && (chunk === undefined || hasOnlyHeadings(chunk));

/** What the chunk would be longer by, before the passage itself: the row that names the columns, once, and line ends. */
export const addedLength = (chunk: OpenChunk | undefined, next: Passage, header: string): number =>
  (chunk === undefined ? 0 : 1) + (needsHeader(chunk, next, header) ? header.length + 1 : 0);

/** The chunk without the hyphen of a word that the page break divides. */
const withoutHyphen = ({
  content,
  words,
}: Pick<OpenChunk, 'content' | 'words'>): Pick<OpenChunk, 'content' | 'words'> => {
  const end = content.length - 1;
  return {
    content: content.slice(0, end),
    words: words.flatMap((word) => {
      const length = Math.min(word.length, end - word.start);
      return length > 0 ? [{ ...word, length }] : [];
    }),
  };
};

const placedAt = (words: readonly WordBox[], offset: number): readonly WordBox[] =>
  words.map((word) => ({ ...word, start: word.start + offset }));

const separatorOf = (last: Passage, next: Passage): string => {
  if (next.kind === 'cue') return ' ';
  return isOverPageBreak(last, next) && isContinuation(last, next) ? ' ' : '\n';
};

const joined = (chunk: OpenChunk, next: Passage): Pick<OpenChunk, 'content' | 'words'> => {
  const last = chunk.passages.at(-1) ?? chunk.passages[0];
  const separator = separatorOf(last, next);
  const isBroken =
    next.kind === 'paragraph' && separator === ' ' && brokenWord.test(chunk.content) && styleOf(next) === 'prose';
  const before = isBroken ? withoutHyphen(chunk) : chunk;
  const content = `${before.content}${isBroken ? '' : separator}`;
  return { content: `${content}${next.text}`, words: [...before.words, ...placedAt(next.words, content.length)] };
};

/** Of a passage that is at `start` of the content. Empty where its anchor has no place of its own. */
const segmentsOf = ({ anchor, text }: Passage, start: number): readonly ChunkSegment[] => {
  const range = { start, length: text.length };
  if (anchor.type === 'slide') return anchor.region === null ? [] : [{ ...range, region: anchor.region }];
  if (anchor.type !== 'timestamp') return [];
  const { timestampStartMs, timestampEndMs } = anchor;
  return [{ ...range, timestampStartMs, timestampEndMs }];
};

/** `header` is the row that names the columns; empty for none. It has no place of its own in the chunk: the anchor is of the rows. */
export const withPassage = (
  chunk: OpenChunk | undefined,
  next: Passage,
  { headings, header }: { readonly headings: readonly string[]; readonly header: string },
): OpenChunk => {
  const isHeaderDue = needsHeader(chunk, next, header);
  if (chunk === undefined) {
    const before = isHeaderDue ? `${header}\n` : '';
    const words = placedAt(next.words, before.length);
    const segments = segmentsOf(next, before.length);
    return { headings, passages: [next], content: `${before}${next.text}`, words, segments };
  }
  const above = isHeaderDue ? { ...chunk, content: `${chunk.content}\n${header}` } : chunk;
  const { content, words } = joined(above, next);
  const segments = [...chunk.segments, ...segmentsOf(next, content.length - next.text.length)];
  return { headings: chunk.headings, passages: [...chunk.passages, next], content, words, segments };
};

/** Everything of a chunk but its id, hash and number. */
export const closedChunk = ({
  headings,
  passages,
  content,
  words,
  segments,
}: OpenChunk): Pick<Chunk, 'modality' | 'content' | 'anchor' | 'headings' | 'words' | 'segments'> => {
  const { modality } = passages.find((passage) => !isHeading(passage)) ?? passages[0];
  const [first, ...others]: readonly [Anchored, ...Anchored[]] = passages;
  const anchor = mergedAnchor(first, ...others);
  return { modality, content, anchor, headings, words, ...(segments.length === 0 ? {} : { segments }) };
};
