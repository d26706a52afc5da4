/** The passage at which a viewer opens: what is cited, and what of it is marked. */
import type { FileChunk, RetrievalResult, WordBox } from '../../../../../packages/client/src/schemas';
import { rangesOfWords, wordsOfHighlights } from '../found-words';

export interface CitedPassage extends Pick<FileChunk, 'chunkId' | 'content' | 'citation' | 'modality' | 'segments'> {
  /** What an answer quotes of it; empty for nothing. */
  readonly quoted: string;
  /** Words by which it was found, in lower case; empty for none. */
  readonly found: ReadonlySet<string>;
  /** Where the found words, or those of the quote, stand in it. */
  readonly ranges: readonly { readonly start: number; readonly length: number }[];
  /** Of pages and pictures: the boxes of these. */
  readonly words: readonly WordBox[];
}

interface Marks {
  /** Of the search that led here. */
  readonly result: Pick<RetrievalResult, 'snippet' | 'highlights'> | undefined;
  /** Of the answer that led here; it is marked alone. */
  readonly quote: string;
}

const rangesOfQuote = (content: string, quote: string): CitedPassage['ranges'] => {
  const start = quote === '' ? -1 : content.indexOf(quote);
  return start < 0 ? [] : [{ start, length: quote.length }];
};

export const citedPassageOf = (chunk: FileChunk, { result, quote }: Marks): CitedPassage => {
  const { chunkId, content, citation, modality, words, segments } = chunk;
  const quoted = rangesOfQuote(content, quote);
  const found =
    quoted.length > 0 || result === undefined
      ? new Set<string>()
      : wordsOfHighlights(result.snippet, result.highlights);
  const ranges = quoted.length > 0 ? quoted : rangesOfWords(content, found);
  const isMarked = ({ start, length }: WordBox): boolean =>
    ranges.some((range) => start < range.start + range.length && range.start < start + length);
  return {
    chunkId,
    content,
    citation,
    modality,
    segments,
    quoted: quoted.length > 0 ? quote : '',
    found,
    ranges,
    words: words.filter(isMarked),
  };
};
