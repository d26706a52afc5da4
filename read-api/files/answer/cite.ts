/**
 * Makes citations of quotes: each narrowed to its sentence, for which the places of words and of parts are read from object storage, where the
 * format has them.
 */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { Anchor } from '../../../domain/files/content/anchor';
import type { Chunk } from '../../../domain/files/content/chunk';
import { ChunkId, FileId, VersionId } from '../../../domain/files/ids';
import { integer, nullable, record, text } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { readChunk } from '../chunk';
import type { ContentReading } from '../content';
import { Citation, citationOf } from '../search/citation';
import type { AnswerSentence, Quote } from './answer-sentence';
import { narrowAnchor } from './narrow-anchor';

export const AnswerCitation = record('AnswerCitation', {
  fileId: FileId,
  /** Null: the key of the file is gone. */
  filename: nullable(text('AnswerFilename', { minLength: 0, maxLength: 255, examples: ['Lease 2026.pdf'] })),
  versionId: VersionId,
  chunkId: ChunkId,
  /** Of PDF: the page on which the quote begins. */
  pageNumber: nullable(integer(1)),
  /** As it stands in the file. */
  quote: text('AnswerQuote', { content: 'any', minLength: 0, maxLength: 4_000 }),
  /** Where the quote stands: narrower than that of the passage, where the file has it. */
  citation: Citation,
});
export type AnswerCitation = t.TypeOf<typeof AnswerCitation>;

export const AnswerSentenceBody = record('AnswerSentence', {
  text: text('AnswerSentenceText', { content: 'any', maxLength: 4_000 }),
  /** Indexes into `citations`. */
  citations: t.readonlyArray(integer(0), 'SentenceCitations'),
});
export type AnswerSentenceBody = t.TypeOf<typeof AnswerSentenceBody>;

const keyOf = ({ chunk, from, to }: Quote): string => `${chunk.chunkId} ${from} ${to}`;

type Places = Partial<Pick<Chunk, 'words' | 'segments'>>;

const typesWithPlaces: ReadonlySet<Anchor['type']> = new Set(['page', 'image_region', 'slide', 'timestamp']);

export interface Citer {
  /** The sentence with the indexes of its citations, and the citations that are new. */
  readonly cite: (
    sentence: AnswerSentence,
  ) => Promise<{ readonly sentence: AnswerSentenceBody; readonly added: readonly AnswerCitation[] }>;
  readonly citations: () => readonly AnswerCitation[];
}

/** Reads each chunk once. Where that fails, the citation is that of the chunk. */
export const openCiter = (
  reading: Pick<ContentReading, 'blobs' | 'source'>,
  tenant: TenantId,
  signal: AbortSignal,
): Citer => {
  const known = new Map<string, Promise<Places>>();
  const indexes = new Map<string, number>();
  const citations: AnswerCitation[] = [];

  const readPlaces = async ({ versionId, pipelineVersion, chunkId }: Quote['chunk']): Promise<Places> => {
    const chunk = await readChunk(reading, { tenant, versionId, pipelineVersion, chunkId }, signal);
    return isLeft(chunk) ? {} : chunk.right;
  };
  const placesOf = (chunk: Quote['chunk']): Promise<Places> | Places => {
    if (!typesWithPlaces.has(chunk.anchor.type)) return {};
    const places = known.get(chunk.chunkId) ?? readPlaces(chunk);
    known.set(chunk.chunkId, places);
    return places;
  };
  const citationOfQuote = async (quote: Quote): Promise<AnswerCitation> => {
    const { chunk, from, to } = quote;
    const { fileId, filename, versionId, chunkId, content, headings } = chunk;
    const anchor = narrowAnchor(chunk, quote, await placesOf(chunk));
    return {
      fileId,
      filename,
      versionId,
      chunkId,
      pageNumber: anchor.type === 'page' ? anchor.pageNumber : null,
      quote: content.slice(from, to),
      citation: citationOf(anchor, headings),
    };
  };

  return {
    cite: async ({ text: sentence, quotes }) => {
      const added: AnswerCitation[] = [];
      const cited: number[] = [];
      for (const quote of quotes) {
        let index = indexes.get(keyOf(quote));
        if (index === undefined) {
          const made = await citationOfQuote(quote);
          index = citations.push(made) - 1;
          indexes.set(keyOf(quote), index);
          added.push(made);
        }
        cited.push(index);
      }
      return { sentence: { text: sentence, citations: cited }, added };
    },
    citations: () => citations,
  };
};
