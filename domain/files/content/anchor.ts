/** Where a passage stands in its file: what a citation leads to. Numbers count from 1, ends are inclusive, except of time. */
import * as t from 'io-ts';
import { decimal, integer, listOf, nullable, oneOf, record, text } from '../../kernel/codec';

const Share = decimal(0, 1);

/** Fractions of the page, slide or image as it is displayed: turned and cropped. The origin is the upper left corner. */
export const Box = record('Box', { x: Share, y: Share, w: Share, h: Share });
export type Box = t.TypeOf<typeof Box>;

export const maxBoxes = 200;

/** A part of a page, for a passage may go on over several pages. */
export const PageBox = record('PageBox', { pageNumber: integer(1), box: Box });
export type PageBox = t.TypeOf<typeof PageBox>;

/** Of PDF: `pageNumber` is the page on which the passage begins, its physical number. A box for each line. */
export const PageAnchor = record('PageAnchor', {
  type: oneOf('PageAnchorType', ['page']),
  pageNumber: integer(1),
  /** As the file numbers its pages (`iv`, `A-3`); null where it is the physical number. */
  pageLabel: nullable(text('PageLabel', { maxLength: 40, examples: ['iv'] })),
  boxes: listOf('PageBoxes', PageBox, maxBoxes),
});
export type PageAnchor = t.TypeOf<typeof PageAnchor>;

export const DocumentPart = oneOf('DocumentPart', ['body', 'footnote', 'endnote', 'header', 'footer', 'text_box']);

/** Of DOCX, whose pages are not known before it is printed. Paragraphs count through the whole part. */
export const ParagraphAnchor = record('ParagraphAnchor', {
  type: oneOf('ParagraphAnchorType', ['paragraph']),
  part: DocumentPart,
  /** The heading above, and its number among the headings of the document: 0 before the first. */
  section: nullable(text('SectionTitle', { maxLength: 500 })),
  sectionNumber: integer(0),
  paragraphStart: integer(1),
  paragraphEnd: integer(1),
});
export type ParagraphAnchor = t.TypeOf<typeof ParagraphAnchor>;

/** Of PPTX. The region is null for notes, which are not on the slide. */
export const SlideAnchor = record('SlideAnchor', {
  type: oneOf('SlideAnchorType', ['slide']),
  slideNumber: integer(1),
  part: oneOf('SlidePart', ['slide', 'notes']),
  region: nullable(Box),
});
export type SlideAnchor = t.TypeOf<typeof SlideAnchor>;

/** Of audio and video, in milliseconds; the end is exclusive. */
const TimestampAnchor = record('TimestampAnchor', {
  type: oneOf('TimestampAnchorType', ['timestamp']),
  timestampStartMs: integer(0),
  timestampEndMs: integer(0),
  /** The frame on which it begins, from 0; null for audio. */
  frame: nullable(integer(0)),
});
export type TimestampAnchor = t.TypeOf<typeof TimestampAnchor>;

/** Of pictures, after the rotation that EXIF names. */
const ImageRegionAnchor = record('ImageRegionAnchor', {
  type: oneOf('ImageRegionAnchorType', ['image_region']),
  boxes: listOf('ImageBoxes', Box, maxBoxes),
});
export type ImageRegionAnchor = t.TypeOf<typeof ImageRegionAnchor>;

/** Of XLSX and CSV: rows as the program that opens the file numbers them, its header included. */
const RowAnchor = record('RowAnchor', {
  type: oneOf('RowAnchorType', ['row']),
  /** Null for CSV. */
  sheet: nullable(text('SheetName', { maxLength: 255, examples: ['Prices'] })),
  rowStart: integer(1),
  rowEnd: integer(1),
});
export type RowAnchor = t.TypeOf<typeof RowAnchor>;

/** Of plain text, Markdown, HTML and code. */
const LineRangeAnchor = record('LineRangeAnchor', {
  type: oneOf('LineRangeAnchorType', ['line_range']),
  lineStart: integer(1),
  lineEnd: integer(1),
});
export type LineRangeAnchor = t.TypeOf<typeof LineRangeAnchor>;

export const Anchor = t.union(
  [PageAnchor, ParagraphAnchor, SlideAnchor, TimestampAnchor, ImageRegionAnchor, RowAnchor, LineRangeAnchor],
  'Anchor',
);
export type Anchor = t.TypeOf<typeof Anchor>;
