import { type Either, isLeft, right } from 'fp-ts/Either';
import { labelsOfFile } from '../../../domain/files/access/labels';
import type { Anchor } from '../../../domain/files/content/anchor';
import { type Chunk, ChunkList, VectorList } from '../../../domain/files/content/chunk';
import { type IngestionEvent, ingestions } from '../../../domain/files/ingestion/events';
import { isForgotten } from '../../../domain/kernel/secret';
import { type ContentRows, contentFromJson, rowsFromJson } from '../../kernel/content';
import { projection, putRow, removeRow, streamsOf, type WholeChange } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { vectorsOf } from './vectors';
import { type ChunkRow, chunksView } from './view';

type Indexed = RecordedEvent<Extract<IngestionEvent, { type: 'ChunksIndexed' }>>;

/** `Lease_2026-final.pdf` has the words of a title. */
const wordsOfName = (name: string): string => name.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

const pageOf = (anchor: Anchor): number | null => (anchor.type === 'page' ? anchor.pageNumber : null);

interface RowContent {
  readonly filename: string;
  readonly chunk: Chunk;
  readonly vector: readonly number[] | null;
}

const rowOf = ({ data, at, event }: Indexed, { filename, chunk, vector }: RowContent): ChunkRow => {
  const { chunkId, modality, content, headings, anchor, ordinal, chunkHash } = chunk;
  const { fileId, versionId, pipelineVersion, folderId, ownerId, embeddingModel } = data;
  return {
    chunkId,
    pipelineVersion,
    fileId,
    versionId,
    filename,
    filenameWords: wordsOfName(filename),
    modality,
    content,
    headings,
    pageNumber: pageOf(anchor),
    aclPrincipals: labelsOfFile({ fileId, folderId, ownerId }),
    createdAt: event.occurredAt,
    anchor,
    ordinal,
    chunkHash,
    embeddingModel: vector === null ? null : embeddingModel,
    embedding: vector,
    ...at,
  };
};

type IndexChange = WholeChange<ChunkRow>;

/** Vectors of another model than the event names are left out. */
const readVectors = (
  { data: { embeddingModel } }: Indexed,
  bytes: Buffer | undefined,
): Either<string, readonly (readonly number[] | null)[]> => {
  if (bytes === undefined) return right([]);
  const list = contentFromJson(VectorList, bytes);
  if (isLeft(list)) return list;
  return right(list.right.model === embeddingModel ? vectorsOf(list.right) : []);
};

/**
 * Where the content is gone, so is the file. Where the file's key is gone, too: so the erasure of the key removes every row of the file, from
 * each copy of the view, whether its content can be read or not, and no copy that is built later has one.
 */
const indexedRows = (recorded: Indexed): readonly ContentRows<IndexChange>[] => {
  const { name: filename } = recorded.data;
  if (isForgotten(filename)) return [];
  const { chunks, vectors } = recorded.data.content;
  return [
    {
      kind: 'content',
      references: vectors === null ? [chunks] : [chunks, vectors],
      rows: ([chunkBytes, vectorBytes]) => {
        const list = contentFromJson(ChunkList, chunkBytes);
        if (isLeft(list)) return list;
        const read = readVectors(recorded, vectorBytes);
        if (isLeft(read)) return read;
        return right(
          list.right.chunks.flatMap((chunk, at) =>
            putRow<ChunkRow>(rowOf(recorded, { filename, chunk, vector: read.right[at] ?? null })),
          ),
        );
      },
      missing: [],
    },
  ];
};

export const chunksProjection = projection(chunksView, [
  streamsOf(ingestions, {
    ignored: [
      'IngestionRequested',
      'ReindexingRequested',
      'EmbeddingRequested',
      'StageCompleted',
      'StageDeferred',
      'StageRetried',
      'IngestionPartlyReady',
      'IngestionReady',
      'IngestionFailed',
      'IngestionCancelled',
    ],
    ChunksIndexed: indexedRows,
    ChunksWithdrawn: ({ data: { content, pipelineVersion }, at: { tenantId } }) =>
      rowsFromJson<ChunkList, IndexChange>(content.chunks, ChunkList, {
        rows: ({ chunks }) =>
          chunks.flatMap(({ chunkId }) => removeRow<ChunkRow>({ tenantId, chunkId, pipelineVersion })),
        missing: [],
      }),
  }),
]);
