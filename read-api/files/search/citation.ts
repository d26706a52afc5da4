/** Where a passage stands, as the specification names it, with what it leaves out: every box, sheets, rows, paragraphs and headings. */
import type * as t from 'io-ts';
import { type Anchor, Box, DocumentPart, maxBoxes, PageBox } from '../../../domain/files/content/anchor';
import { integer, listOf, nullable, oneOf, record, text } from '../../../domain/kernel/codec';

export const Citation = record(
  'Citation',
  {
    type: oneOf('CitationType', ['page', 'paragraph', 'slide', 'timestamp', 'image_region', 'row', 'line_range']),
    /** Above the passage, the highest first. */
    headings: listOf('CitationHeadings', text('CitationHeading', { content: 'any', minLength: 0, maxLength: 500 }), 9),
  },
  {
    /** Of PDF: the page on which the passage begins, from 1. */
    pageNumber: integer(1),
    /** As the file numbers its pages, where that differs. */
    pageLabel: text('CitationPageLabel', { maxLength: 40, examples: ['iv'] }),
    /** Around the passage on that page, slide or picture: fractions of it as displayed, from the upper left corner. */
    boundingBox: Box,
    /** A box for each line, also on the pages that follow. */
    boxes: listOf('CitationPageBoxes', PageBox, maxBoxes),
    /** Of pictures. */
    regions: listOf('CitationRegions', Box, maxBoxes),
    slideNumber: integer(1),
    slidePart: oneOf('CitationSlidePart', ['slide', 'notes']),
    /** In milliseconds; the end is exclusive. */
    timestampStartMs: integer(0),
    timestampEndMs: integer(0),
    frame: integer(0),
    lineStart: integer(1),
    lineEnd: integer(1),
    /** Null: the file has one table. */
    sheet: nullable(text('CitationSheet', { minLength: 0, maxLength: 255, examples: ['Prices'] })),
    rowStart: integer(1),
    rowEnd: integer(1),
    section: nullable(text('CitationSection', { content: 'any', minLength: 0, maxLength: 500 })),
    sectionNumber: integer(0),
    documentPart: DocumentPart,
    paragraphStart: integer(1),
    paragraphEnd: integer(1),
  },
);
export type Citation = t.TypeOf<typeof Citation>;

/** A millionth of a page is less than a pixel. */
const rounded = (share: number): number => Math.round(share * 1e6) / 1e6;

/** Undefined around nothing. */
const boxAround = (boxes: readonly Box[]): Box | undefined => {
  const [first, ...others] = boxes;
  if (first === undefined || others.length === 0) return first;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.w));
  const bottom = Math.max(...boxes.map((box) => box.y + box.h));
  return { x, y, w: Math.min(1, rounded(right - x)), h: Math.min(1, rounded(bottom - y)) };
};

const around = (boxes: readonly Box[]): Pick<Citation, 'boundingBox'> => {
  const boundingBox = boxAround(boxes);
  return boundingBox === undefined ? {} : { boundingBox };
};

const placeOf = (anchor: Anchor): Omit<Citation, 'headings'> => {
  switch (anchor.type) {
    case 'page': {
      const { type, pageNumber, pageLabel, boxes } = anchor;
      const onPage = boxes.filter((one) => one.pageNumber === pageNumber).map(({ box }) => box);
      const label = pageLabel === null ? {} : { pageLabel };
      return { type, pageNumber, ...label, ...around(onPage), boxes };
    }
    case 'paragraph': {
      const { type, part: documentPart, section, sectionNumber, paragraphStart, paragraphEnd } = anchor;
      return { type, documentPart, section, sectionNumber, paragraphStart, paragraphEnd };
    }
    case 'slide': {
      const { type, slideNumber, part: slidePart, region } = anchor;
      return { type, slideNumber, slidePart, ...around(region === null ? [] : [region]) };
    }
    case 'timestamp': {
      const { frame, ...time } = anchor;
      return frame === null ? time : { ...time, frame };
    }
    case 'image_region':
      return { type: anchor.type, regions: anchor.boxes, ...around(anchor.boxes) };
    case 'row':
    case 'line_range':
      return anchor;
  }
};

export const citationOf = (anchor: Anchor, headings: readonly string[]): Citation => ({ ...placeOf(anchor), headings });
