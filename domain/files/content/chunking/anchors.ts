/** Which anchors lead to a place of the file, which may be in one chunk, and what they are together. */
import { type Anchor, maxBoxes, type PageAnchor } from '../anchor';
import type { WordBox } from '../element';
import type { DocumentFacts } from '../read-result';
import { boundedBoxes, boxOnPage, lineBoxes, type PlacedBox, unitedBox } from './line-boxes';

/** What is known of the whole document: page numbers and labels. */
export type KnownDocument = Pick<DocumentFacts, 'pages'>;

const isPage = (pageNumber: number, { pages }: KnownDocument): boolean => pageNumber >= 1 && pageNumber <= pages.length;

/** Without what lies outside of pages and pictures; undefined where it leads nowhere. */
export const validAnchor = (anchor: Anchor, document: KnownDocument): Anchor | undefined => {
  switch (anchor.type) {
    case 'page': {
      if (!isPage(anchor.pageNumber, document)) return undefined;
      const boxes = anchor.boxes.flatMap(({ pageNumber, box }) => {
        const onPage = isPage(pageNumber, document) ? boxOnPage(box) : undefined;
        return onPage === undefined ? [] : [{ pageNumber, box: onPage }];
      });
      return { ...anchor, boxes };
    }
    case 'image_region':
      return { ...anchor, boxes: anchor.boxes.flatMap((box) => boxOnPage(box) ?? []) };
    case 'slide':
      return { ...anchor, region: (anchor.region === null ? undefined : boxOnPage(anchor.region)) ?? null };
    case 'paragraph':
      return anchor.paragraphEnd >= anchor.paragraphStart ? anchor : undefined;
    case 'timestamp':
      return anchor.timestampEndMs >= anchor.timestampStartMs ? anchor : undefined;
    case 'row':
      return anchor.rowEnd >= anchor.rowStart ? anchor : undefined;
    case 'line_range':
      return anchor.lineEnd >= anchor.lineStart ? anchor : undefined;
  }
};

/** Of words: those of the anchor's kind, on its pages. */
export const validWords = (words: readonly WordBox[], anchor: Anchor, document: KnownDocument): readonly WordBox[] => {
  if (anchor.type !== 'page' && anchor.type !== 'image_region') return [];
  return words.flatMap((word) => {
    const pageNumber = anchor.type === 'page' ? (word.pageNumber ?? anchor.pageNumber) : null;
    const box = pageNumber === null || isPage(pageNumber, document) ? boxOnPage(word.box) : undefined;
    return box === undefined ? [] : [{ ...word, pageNumber, box }];
  });
};

/** Whether passages at both may be in one chunk, as far as the kind of file goes. */
export const isSamePart = (one: Anchor, other: Anchor): boolean => {
  switch (one.type) {
    case 'slide':
      return other.type === 'slide' && one.slideNumber === other.slideNumber && one.part === other.part;
    case 'paragraph':
      return other.type === 'paragraph' && one.part === other.part;
    case 'row':
      return other.type === 'row' && one.sheet === other.sheet;
    case 'page':
    case 'timestamp':
    case 'image_region':
    case 'line_range':
      return one.type === other.type;
  }
};

/** Of DOCX: no heading is between them. */
export const isSameSection = (one: Anchor, other: Anchor): boolean =>
  one.type !== 'paragraph' || other.type !== 'paragraph' || one.sectionNumber === other.sectionNumber;

/** A passage as far as its place goes. */
export interface Anchored {
  readonly anchor: Anchor;
  readonly words: readonly WordBox[];
}

/** The page where it ends; undefined for what is not on pages. */
export const lastPageOf = ({ anchor, words }: Anchored): number | undefined =>
  anchor.type === 'page'
    ? (words.at(-1)?.pageNumber ?? anchor.boxes.at(-1)?.pageNumber ?? anchor.pageNumber)
    : undefined;

/** On another page than the element's first, the label is that page's. */
export const pageAnchorAt = (anchor: PageAnchor, pageNumber: number, { pages }: KnownDocument): PageAnchor =>
  pageNumber === anchor.pageNumber
    ? anchor
    : { ...anchor, pageNumber, pageLabel: pages[pageNumber - 1]?.pageLabel ?? null };

const boxesOf = ({ anchor, words }: Anchored): readonly PlacedBox[] => {
  if (words.length > 0) return lineBoxes(words);
  if (anchor.type === 'page') return anchor.boxes;
  return anchor.type === 'image_region' ? anchor.boxes.map((box) => ({ pageNumber: null, box })) : [];
};

/** From the first to the last: what a chunk of both covers. */
const spanned = (one: Anchor, other: Anchor): Anchor => {
  switch (one.type) {
    case 'page':
    case 'image_region':
      return one;
    case 'slide': {
      const region = other.type === 'slide' ? other.region : null;
      if (one.region === null || region === null) return { ...one, region: one.region ?? region };
      return { ...one, region: unitedBox(one.region, region) };
    }
    case 'paragraph':
      if (other.type !== 'paragraph') return one;
      // The section is that of the text, which headings lead to.
      return {
        ...other,
        paragraphStart: Math.min(one.paragraphStart, other.paragraphStart),
        paragraphEnd: Math.max(one.paragraphEnd, other.paragraphEnd),
      };
    case 'timestamp':
      if (other.type !== 'timestamp') return one;
      return {
        ...(other.timestampStartMs < one.timestampStartMs ? other : one),
        timestampEndMs: Math.max(one.timestampEndMs, other.timestampEndMs),
      };
    case 'row':
      if (other.type !== 'row') return one;
      return {
        ...one,
        rowStart: Math.min(one.rowStart, other.rowStart),
        rowEnd: Math.max(one.rowEnd, other.rowEnd),
      };
    case 'line_range':
      if (other.type !== 'line_range') return one;
      return {
        ...one,
        lineStart: Math.min(one.lineStart, other.lineStart),
        lineEnd: Math.max(one.lineEnd, other.lineEnd),
      };
  }
};

/** Of passages of the same part, in their order. */
export const mergedAnchor = (first: Anchored, ...others: readonly Anchored[]): Anchor => {
  const merged = others.reduce((anchor, { anchor: other }) => spanned(anchor, other), first.anchor);
  const boxes = (): readonly PlacedBox[] => boundedBoxes([first, ...others].flatMap(boxesOf), maxBoxes);
  if (merged.type === 'image_region') return { ...merged, boxes: boxes().map(({ box }) => box) };
  if (merged.type !== 'page') return merged;
  return {
    ...merged,
    boxes: boxes().map(({ pageNumber, box }) => ({ pageNumber: pageNumber ?? merged.pageNumber, box })),
  };
};
