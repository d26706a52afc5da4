/** Chunks: passages of the size that a search answers with, made of elements, and the contents that hold them. */
import * as t from 'io-ts';
import { integer, listOf, nullable, record, text } from '../../kernel/codec';
import { ChunkId } from '../ids';
import { Anchor, Box } from './anchor';
import { Sha256 } from './content-reference';
import { Modality, WordBox } from './element';

/** Above what the embedding model reads, so that nothing of a chunk is without effect for long. */
export const maxChunkText = 4_000;

/** A passage that a slide or a recording has at a place of its own. */
export const ChunkSegment = record(
  'ChunkSegment',
  {
    /** Of the content, in UTF-16 code units. */
    start: integer(0),
    length: integer(1),
  },
  {
    /** On the slide. */
    region: Box,
    /** In milliseconds; the end is exclusive. */
    timestampStartMs: integer(0),
    timestampEndMs: integer(0),
  },
);
export type ChunkSegment = t.TypeOf<typeof ChunkSegment>;

export const ChunkSegments = listOf('ChunkSegments', ChunkSegment, maxChunkText);

const required = {
  /** Derived from the hash, so that the same chunk has the same id again. */
  chunkId: ChunkId,
  /** In the order of the file, from 0. */
  ordinal: integer(0),
  modality: Modality,
  content: text('ChunkContent', { content: 'any', maxLength: maxChunkText }),
  /** SHA-256 over version, normalized content and anchor. */
  chunkHash: Sha256,
  anchor: Anchor,
  /** Headings above, the highest first: read with the content, and shown beside it. */
  headings: listOf('ChunkHeadings', text('ChunkHeading', { content: 'any', maxLength: 500 }), 9),
  /** Of pages and pictures: where each word is, by its offset in the content. */
  words: listOf('ChunkWords', WordBox, maxChunkText),
};

export const Chunk = record('Chunk', required, {
  /** Of slides, subtitles and speech, in order. Left out by pipelines before 3. */
  segments: ChunkSegments,
});
export type Chunk = t.TypeOf<typeof Chunk>;

/** A content of one part: JSON. */
export const ChunkList = record('ChunkList', { chunks: t.readonlyArray(Chunk, 'Chunks') });
export type ChunkList = t.TypeOf<typeof ChunkList>;

/** Vectors of the chunks of one part, in their order: little-endian 32-bit floats in base64. */
export const VectorList = record('VectorList', {
  model: text('VectorModel', { maxLength: 100 }),
  dimensions: integer(1, 4_096),
  vectors: t.readonlyArray(nullable(t.string), 'Vectors'),
});
export type VectorList = t.TypeOf<typeof VectorList>;
