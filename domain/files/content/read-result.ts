/** What a reader knows of a whole file, and why it could not read one. */
import * as t from 'io-ts';
import { decimal, integer, listOf, nullable, oneOf, record, text } from '../../kernel/codec';
import { FileErrorCode } from './error-code';

/** What the content is, whatever the file is called. */
export const FileFormat = oneOf('DetectedFormat', [
  ...['pdf', 'docx', 'pptx', 'xlsx', 'csv', 'markdown', 'html', 'text', 'code', 'image', 'audio', 'video'],
] as const);
export type FileFormat = t.TypeOf<typeof FileFormat>;

export const maxPages = 5_000;

/** A page as it is displayed: turned and cropped, in points (1/72 inch). */
export const PageFacts = record('PageFacts', {
  pageNumber: integer(1, maxPages),
  pageLabel: nullable(t.string),
  width: decimal(0, 1_000_000),
  height: decimal(0, 1_000_000),
  /** It has usable text; else it is one for OCR. */
  hasText: t.boolean,
});
export type PageFacts = t.TypeOf<typeof PageFacts>;

export const DocumentFacts = record(
  'DocumentFacts',
  {
    format: FileFormat,
    /** As the file names itself; null where it does not. */
    title: nullable(text('DocumentTitle', { maxLength: 500 })),
    /** Of PDF, in order; empty for all others. */
    pages: listOf('PagesFacts', PageFacts, maxPages),
    /** Of PPTX and XLSX: in order, hidden ones included. */
    parts: listOf('PartNames', text('PartName', { minLength: 0, maxLength: 255 }), 10_000),
    /** Of text: what its bytes were decoded with. */
    encoding: nullable(t.string),
    /** Of pictures and video, as displayed. */
    width: nullable(integer(1)),
    height: nullable(integer(1)),
    durationMs: nullable(integer(0)),
    /** Sentences for the people who read the file: what was left out, and why. */
    notices: listOf('ReadNotices', text('ReadNotice', { maxLength: 300 }), 100),
  },
  {
    /** Of sound and film: it has a track to listen to. */
    hasSound: t.boolean,
    /** Its speech is text already. */
    hasSubtitles: t.boolean,
  },
);
export type DocumentFacts = t.TypeOf<typeof DocumentFacts>;

export const ReadFailure = record('ReadFailure', {
  code: FileErrorCode,
  /** A sentence that helps, without content of the file. */
  detail: text('ReadFailureDetail', { maxLength: 300 }),
});
export type ReadFailure = t.TypeOf<typeof ReadFailure>;
