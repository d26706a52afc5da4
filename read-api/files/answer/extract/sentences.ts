/** Cuts chunks into what an answer quotes: sentences of prose, rows of tables with the header above them, blocks of code. */
import { splitRanges, type TextRange, trimmedRange } from '../../../../domain/files/content/chunking/split';
import type { AuthorizedChunk } from '../../search/authorize-chunks';

export interface Sentence {
  readonly chunk: AuthorizedChunk;
  readonly form: 'prose' | 'title' | 'row' | 'code';
  /** Of the chunk's content, in UTF-16 code units. */
  readonly from: number;
  readonly to: number;
  /** As it stands in the chunk. */
  readonly quote: string;
  /** The row that names the columns; empty for none, and for what is no row. */
  readonly header: string;
  /** The titles in the chunk above it. */
  readonly titles: string;
  /** The sentence before it; empty for the first. */
  readonly before: string;
  /** Where the next sentence ends, of what means little without it: a title, what ends with a colon, and what the next one goes on about. */
  readonly goesOnTo?: number;
}

/** Longer sentences are cut behind a clause: a quote is read at a glance. */
const maxSentence = 600;
const maxTitle = 90;
/** A line of a paragraph that its author broke is about as wide as a page. */
const brokenLine = 55;

/** A sentence: no small letter follows, and what ends is no letter alone, no title, no usual abbreviation, and no day of a month or other short number. */
const sentenceEnd =
  /(?:(?<!(?<![\p{L}\p{N}.,])(?:\p{N}{1,2}|\p{L}|\p{Lu}\p{Ll}|Mrs|Prof|Fig|Art|Abs|Sec|no|nr|vs|cf|pp|al|e\.g|i\.e))\.|[!?…])["'”’»)\]]*(?=\s+[^\s\p{Ll}])|[。！？]["'”’»」』）]*/gu;
const endsSentence = /[.!?…。！？:;]["'”’»)\]]*$/u;
const beginsItem = /^(?:[-*•–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s/iu;

/** Whether a line that ends here is a part of the paragraph that goes on below. */
const goesOn = (line: string, next: string): boolean => {
  if (endsSentence.test(line) || beginsItem.test(next)) return false;
  return /^\p{Ll}/u.test(next) || /[,(]$/.test(line) || line.length >= brokenLine;
};

/** `keepsLines`: each line is a passage of its own, as in files whose lines are no part of their text. */
const paragraphsOf = (content: string, keepsLines: boolean): readonly TextRange[] => {
  const lines: TextRange[] = [];
  let from = 0;
  for (const line of content.split('\n')) {
    lines.push({ from, to: from + line.length });
    from += line.length + 1;
  }
  const paragraphs: TextRange[] = [];
  for (const line of lines) {
    const last = paragraphs.at(-1);
    const text = content.slice(line.from, line.to).trim();
    if (text === '') continue;
    const above = last === undefined ? '' : (content.slice(last.from, last.to).split('\n').at(-1) ?? '').trim();
    if (last !== undefined && last.to + 1 === line.from && !keepsLines && goesOn(above, text))
      paragraphs[paragraphs.length - 1] = { from: last.from, to: line.to };
    else paragraphs.push(line);
  }
  return paragraphs;
};

const cutAtSentences = (content: string, { from, to }: TextRange): readonly TextRange[] => {
  const ranges: TextRange[] = [];
  let begin = from;
  for (const { 0: match, index } of content.slice(from, to).matchAll(sentenceEnd)) {
    ranges.push({ from: begin, to: from + index + match.length });
    begin = from + index + match.length;
  }
  ranges.push({ from: begin, to });
  return ranges
    .flatMap((range) =>
      range.to - range.from <= maxSentence
        ? [range]
        : splitRanges(content.slice(range.from, range.to), maxSentence, 'prose').map((piece) => ({
            from: range.from + piece.from,
            to: range.from + piece.to,
          })),
    )
    .map((range) => trimmedRange(content, range, 'prose'))
    .filter((range) => range.from < range.to);
};

/** Such a sentence is about what the one before it names. */
export const refersBack = /^(?:it|its|they|their|these|this|those|that|he|she|his|her|there|such|both)\b/i;

const needsNext = ({ form, quote }: Sentence, next: Sentence): boolean =>
  form === 'title' || quote.endsWith(':') || refersBack.test(next.quote);

const withNext = (sentences: readonly Sentence[]): readonly Sentence[] =>
  sentences.map((sentence, at) => {
    const next = sentences[at + 1];
    const goesOn = next !== undefined && needsNext(sentence, next) && next.to - sentence.from <= maxSentence;
    return goesOn ? { ...sentence, goesOnTo: next.to } : sentence;
  });

const proseOf = (chunk: AuthorizedChunk): readonly Sentence[] => {
  const { content, anchor } = chunk;
  const sentences: Sentence[] = [];
  let titles: readonly string[] = [];
  let isBelowText = false;
  for (const paragraph of paragraphsOf(content, anchor.type !== 'line_range')) {
    const ranges = cutAtSentences(content, paragraph);
    for (const { from, to } of ranges) {
      const quote = content.slice(from, to);
      const isTitle = ranges.length === 1 && quote.length <= maxTitle && !endsSentence.test(quote);
      const before = sentences.at(-1);
      const above = isTitle && isBelowText ? [] : titles;
      sentences.push({
        chunk,
        form: isTitle ? 'title' : 'prose',
        from,
        to,
        quote,
        header: '',
        titles: above.join('\n'),
        before: before?.form === 'prose' ? before.quote : '',
      });
      titles = isTitle ? [...above, quote] : above;
      isBelowText = !isTitle;
    }
  }
  return withNext(sentences);
};

const linesOf = (content: string): readonly TextRange[] => {
  let from = 0;
  return content.split('\n').flatMap((line) => {
    const range = { from, to: from + line.length };
    from = range.to + 1;
    return line.trim() === '' ? [] : [range];
  });
};

const isValue = (cell: string): boolean => /^[-+(]?\s?[$€£¥]?\s?\d/.test(cell);

/** Lines of a table's chunk: titles above, then the names of the columns, which the chunker repeats and which have no part in the anchor. */
export const linesAboveRows = ({
  anchor,
  content,
}: Pick<AuthorizedChunk, 'anchor' | 'content'>): { readonly titles: number; readonly header: number } => {
  const lines = content.split('\n');
  if (anchor.type === 'row') {
    const header = lines.length - (anchor.rowEnd - anchor.rowStart + 1);
    if (header > 0) return { titles: 0, header: Math.min(header, lines.length - 1) };
  }
  // Rows that are empty in the file are not in the chunk; and other kinds of files do not number theirs.
  const titles =
    anchor.type === 'row'
      ? 0
      : Math.max(
          0,
          lines.findIndex((line) => line.includes('\t')),
        );
  const [first = '', second = ''] = lines.slice(titles);
  const cells = first.split('\t').filter((cell) => cell !== '');
  const isNames = cells.length > 0 && !cells.some(isValue) && second.includes('\t');
  return { titles, header: isNames ? 1 : 0 };
};

const rowsOf = (chunk: AuthorizedChunk): readonly Sentence[] => {
  const { content } = chunk;
  const lines = linesOf(content);
  const { titles, header } = linesAboveRows(chunk);
  const textOf = (first: number, next: number): string =>
    next <= first ? '' : content.slice(lines[first]?.from ?? 0, lines[next - 1]?.to ?? 0);
  return lines.slice(titles + header).flatMap(({ from, to }) =>
    // What is no row stands between rows, as notes of sheets.
    splitRanges(content.slice(from, to), maxSentence, 'prose').map((piece) => ({
      chunk,
      form: 'row' as const,
      from: from + piece.from,
      to: from + piece.to,
      quote: content.slice(from + piece.from, from + piece.to),
      header: textOf(titles, titles + header),
      titles: textOf(0, titles),
      before: '',
    })),
  );
};

const codeOf = (chunk: AuthorizedChunk): readonly Sentence[] => {
  const { content } = chunk;
  let from = 0;
  return content.split(/(\n\s*\n)/).flatMap((block, at) => {
    const begin = from;
    from += block.length;
    if (at % 2 === 1 || block.trim() === '') return [];
    return splitRanges(block, maxSentence, 'code').map((piece) => ({
      chunk,
      form: 'code' as const,
      from: begin + piece.from,
      to: begin + piece.to,
      quote: content.slice(begin + piece.from, begin + piece.to),
      header: '',
      titles: '',
      before: '',
    }));
  });
};

/** In the order of the chunk. */
export const sentencesOf = (chunk: AuthorizedChunk): readonly Sentence[] => {
  if (chunk.modality === 'code') return codeOf(chunk);
  return chunk.modality === 'table' && chunk.content.includes('\t') ? rowsOf(chunk) : proseOf(chunk);
};
