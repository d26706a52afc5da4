/**
 * Chunks of files as they are searched: by words, by vectors, and filtered by access. A chunk has a row for each version of the
 * pipeline that made it, so that what one withdraws stays there for the other.
 */
import * as t from 'io-ts';
import { Anchor } from '../../../domain/files/content/anchor';
import { maxChunkText } from '../../../domain/files/content/chunk';
import { Sha256 } from '../../../domain/files/content/content-reference';
import { Modality } from '../../../domain/files/content/element';
import { ChunkId, FileId, VersionId } from '../../../domain/files/ids';
import { PipelineVersion } from '../../../domain/files/pipeline';
import { described, finite, Instant, integer, nullable, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type IndexView, index } from '../../kernel/view';

/** Vectors of models with another length are left out: such chunks are found by their words. */
export const vectorLength = 384;

const StoredText = (name: string, maxLength: number) => text(name, { content: 'any', minLength: 0, maxLength });

export const ChunkRow = record('ChunkRow', {
  tenantId: TenantId,
  chunkId: ChunkId,
  pipelineVersion: PipelineVersion,
  fileId: FileId,
  versionId: VersionId,
  filename: StoredText('ChunkFilename', 255),
  /** The same, cut into words. */
  filenameWords: StoredText('ChunkFilenameWords', 510),
  modality: Modality,
  content: StoredText('ChunkRowContent', maxChunkText),
  /** Headings above, the highest first. */
  headings: t.readonlyArray(StoredText('ChunkRowHeading', 500), 'ChunkRowHeadings'),
  pageNumber: nullable(integer(1)),
  /** Of where the file lay when the row was written: searches are filtered by them, and checked against the access stream. */
  aclPrincipals: t.readonlyArray(text('ChunkAccessLabel', { maxLength: 140 }), 'ChunkAccessLabels'),
  createdAt: Instant,
  anchor: described(Anchor, { type: 'object' }),
  /** In the order of the file, from 0. */
  ordinal: integer(0),
  chunkHash: Sha256,
  /** Null with the vector. */
  embeddingModel: nullable(text('ChunkEmbeddingModel', { maxLength: 100 })),
  embedding: nullable(t.readonlyArray(finite, 'ChunkEmbedding')),
  revision: integer(0),
});
export type ChunkRow = t.TypeOf<typeof ChunkRow>;

const passage = { type: 'text', analyzer: 'passage' } as const;

export const chunksView: IndexView<ChunkRow> = index({
  name: 'files_chunks',
  version: 2,
  personal: true,
  content: true,
  row: ChunkRow,
  key: ['tenantId', 'chunkId', 'pipelineVersion'],
  settings: {
    // A write that was under way when its projector stood still comes too late for an hour, and brings no removed passage back.
    deletedVersionSeconds: 3_600,
    analysis: {
      // Names in code and of files are found by their parts: `exponential_backoff`, `retry.py`. The replacement is as long as what it replaces.
      char_filter: {
        parts: { type: 'pattern_replace', pattern: '_|(?<=\\p{L})[.](?=\\p{L})', replacement: ' ' },
      },
      // English stems; of other languages, the words as they are.
      analyzer: {
        passage: {
          type: 'custom',
          char_filter: ['parts'],
          tokenizer: 'standard',
          filter: ['lowercase', 'asciifolding', 'porter_stem'],
        },
      },
    },
  },
  mappings: {
    filename: { type: 'keyword', index: false },
    filenameWords: passage,
    content: passage,
    headings: passage,
    chunkHash: { type: 'keyword', index: false },
    anchor: { type: 'object', enabled: false },
    embedding: { type: 'dense_vector', dims: vectorLength, similarity: 'cosine', index_options: { type: 'int8_hnsw' } },
  },
});
