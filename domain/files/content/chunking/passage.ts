/** Elements as passages: normalized, with valid places; and parts of passages, each with the narrower place that it has. */
import type { Anchor } from '../anchor';
import type { Element, WordBox } from '../element';
import { type KnownDocument, pageAnchorAt, validAnchor, validWords } from './anchors';
import { type BlankRule, normalizedText } from './normalize';
import { type SplitStyle, splitRanges, type TextRange, trimmedRange } from './split';

export type Passage = Pick<Element, 'kind' | 'modality' | 'level' | 'text' | 'anchor' | 'words'>;

/** A longer heading is a paragraph in large letters. */
const maxHeadingText = 500;

export const isHeading = ({ kind }: Pick<Element, 'kind'>): boolean => kind === 'title' || kind === 'heading';

export const styleOf = ({ kind, modality }: Pick<Element, 'kind' | 'modality'>): SplitStyle =>
  kind === 'code' || modality === 'code' ? 'code' : 'prose';

const blankRuleOf = (element: Element): BlankRule => {
  if (styleOf(element) === 'code') return 'code';
  if (element.kind === 'row' || element.kind === 'header') return 'cells';
  return element.anchor.type === 'line_range' ? 'lines' : 'flow';
};

const wordsWithin = (words: readonly WordBox[], { from, to }: TextRange): readonly WordBox[] =>
  words.flatMap((word) => {
    const start = Math.max(word.start, from);
    const end = Math.min(word.start + word.length, to);
    return start < end ? [{ ...word, start: start - from, length: end - start }] : [];
  });

const newLines = (text: string): number => text.split('\n').length - 1;

/** Of lines, those of the part, where the text has a line for each of the anchor's; of a page, the one where its words begin. */
const narrowedAnchor = (
  { text, anchor }: Passage,
  { from, to }: TextRange,
  { words, document }: { readonly words: readonly WordBox[]; readonly document: KnownDocument },
): Anchor => {
  if (anchor.type === 'page') return pageAnchorAt(anchor, words[0]?.pageNumber ?? anchor.pageNumber, document);
  if (anchor.type !== 'line_range' || newLines(text) !== anchor.lineEnd - anchor.lineStart) return anchor;
  const lineStart = anchor.lineStart + newLines(text.slice(0, from));
  return { ...anchor, lineStart, lineEnd: lineStart + newLines(text.slice(from, to)) };
};

const partOf = (passage: Passage, range: TextRange, document: KnownDocument): Passage => {
  const words = wordsWithin(passage.words, range);
  const anchor = narrowedAnchor(passage, range, { words, document });
  return { ...passage, text: passage.text.slice(range.from, range.to), words, anchor };
};

/** Undefined where the element's place is not in the file. Its text may be empty. */
export const passageOf = (element: Element, document: KnownDocument): Passage | undefined => {
  const anchor = validAnchor(element.anchor, document);
  if (anchor === undefined) return undefined;
  const words = validWords(element.words, anchor, document);
  const normalized = normalizedText({ text: element.text, words }, blankRuleOf(element), anchor.type === 'page');
  const { kind, modality, level } = element;
  const isText = isHeading(element) && normalized.text.length > maxHeadingText;
  const passage = { kind: isText ? 'paragraph' : kind, modality, level, anchor, ...normalized } as const;
  const whole = { from: 0, to: passage.text.length };
  const range = trimmedRange(passage.text, whole, styleOf(passage));
  return range.from === 0 && range.to === whole.to ? passage : partOf(passage, range, document);
};

/** Pieces of at most `limit` characters. */
export const splitPassage = (passage: Passage, limit: number, document: KnownDocument): readonly Passage[] =>
  splitRanges(passage.text, limit, styleOf(passage)).map((range) => partOf(passage, range, document));
