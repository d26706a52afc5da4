/** Where a passage stands, in the words of its format: `Page 3`, `Sheet “Q1”, rows 4–9`, `00:12–00:31`. */
import type { Citation } from '../../../../packages/client/src/schemas';

const rangeOf = (one: string, many: string, first: number, last: number): string =>
  first === last ? `${one} ${first}` : `${many} ${first}–${last}`;

const pageOf = ({ pageNumber = 1, pageLabel, boxes = [] }: Citation): string => {
  const last = Math.max(pageNumber, ...boxes.map((box) => box.pageNumber));
  if (last > pageNumber || pageLabel === undefined) return rangeOf('Page', 'Pages', pageNumber, last);
  return `Page ${pageLabel} (${pageNumber} of the file)`;
};

const partNames: { readonly [part in NonNullable<Citation['documentPart']>]: string | undefined } = {
  body: undefined,
  footnote: 'Footnotes',
  endnote: 'Endnotes',
  header: 'Page header',
  footer: 'Page footer',
  text_box: 'Text box',
};

const paragraphOf = ({
  documentPart = 'body',
  paragraphStart = 1,
  paragraphEnd = paragraphStart,
}: Citation): string => {
  const part = partNames[documentPart];
  const paragraphs = rangeOf('paragraph', 'paragraphs', paragraphStart, paragraphEnd);
  return part === undefined ? `P${paragraphs.slice(1)}` : `${part}, ${paragraphs}`;
};

const rowsOf = ({ sheet = null, rowStart = 1, rowEnd = rowStart }: Citation): string => {
  const rows = rangeOf('row', 'rows', rowStart, rowEnd);
  return sheet === null ? `R${rows.slice(1)}` : `Sheet “${sheet}”, ${rows}`;
};

const two = (value: number): string => String(value).padStart(2, '0');

/** `00:31`, `1:02:09`: whole seconds. */
export const timeOf = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  const short = `${two(minutes)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${short}` : short;
};

export const placeOf = (citation: Citation): string => {
  switch (citation.type) {
    case 'page':
      return pageOf(citation);
    case 'paragraph':
      return paragraphOf(citation);
    case 'slide': {
      const slide = `Slide ${citation.slideNumber ?? 1}`;
      return citation.slidePart === 'notes' ? `${slide}, notes` : slide;
    }
    case 'timestamp':
      return `${timeOf(citation.timestampStartMs ?? 0)}–${timeOf(citation.timestampEndMs ?? 0)}`;
    case 'image_region':
      return 'Picture';
    case 'row':
      return rowsOf(citation);
    case 'line_range':
      return rangeOf('Line', 'Lines', citation.lineStart ?? 1, citation.lineEnd ?? citation.lineStart ?? 1);
  }
};

/** Headings above the passage, and what they leave out of it. */
export const headingsOf = ({ headings, section }: Citation): string =>
  (headings.length > 0 ? headings : section === undefined || section === null ? [] : [section]).join(' › ');

/** In the order of a file: parts of a document, then numbers. */
export const compareCitations = (one: Citation, other: Citation): number => {
  const numbersOf = (citation: Citation): readonly number[] => [
    citation.pageNumber ?? citation.slideNumber ?? 0,
    citation.timestampStartMs ?? citation.lineStart ?? citation.rowStart ?? citation.paragraphStart ?? 0,
    citation.boundingBox?.y ?? 0,
  ];
  const named = (citation: Citation): string => `${citation.documentPart ?? ''} ${citation.sheet ?? ''}`;
  const names = named(one).localeCompare(named(other), 'en', { numeric: true });
  if (names !== 0) return names;
  const others = numbersOf(other);
  return (
    numbersOf(one)
      .map((number, at) => number - (others[at] ?? 0))
      .find((difference) => difference !== 0) ?? 0
  );
};
