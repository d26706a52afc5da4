import { type Either, isLeft, right } from 'fp-ts/Either';
import { labelsOfFile } from '../../../domain/files/access/labels';
import type { Anchor } from '../../../domain/files/content/anchor';
import { type Chunk, ChunkList, VectorList } from '../../../domain/files/content/chunk';
import { type IngestionEvent, ingestions } from '../../../domain/files/ingestion/events';
import { type Forgotten, isForgotten } from '../../../domain/kernel/secret';
import { type ContentRows, contentFromJson, rowsFromJson } from '../../kernel/content';
import { projection, putRow, removeRow, streamsOf, type WholeChange } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { vectorsOf } from './vectors';
import { type ChunkRow, chunksView } from './view';

type Indexed = RecordedEvent<Extract<IngestionEvent, { type: 'ChunksIndexed' }>>;

/** `Lease_2026-final.pdf` has the words of a title. */
const wordsOfName = (name: string): string => name.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

const nameFields = (name: string | Forgotten): Pick<ChunkRow, 'filename' | 'filenameWords'> =>
  isForgotten(name) ? { filename: null, filenameWords: null } : { filename: name, filenameWords: wordsOfName(name) };

const pageOf = (anchor: Anchor): number | null => (anchor.type === 'page' ? anchor.pageNumber : null);

const rowOf = (
  { data, at, event }: Indexed,
  { chunkId, modality, content, headings, anchor, ordinal, chunkHash }: Chunk,
  vector: readonly number[] | null,
): ChunkRow => {
  const { fileId, versionId, pipelineVersion, name, folderId, ownerId, embeddingModel } = data;
  return {
    chunkId,
    pipelineVersion,
    fileId,
    versionId,
    ...nameFields(name),
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

/** Where the content is gone, so is the file. */
const indexedRows = (recorded: Indexed): readonly ContentRows<IndexChange>[] => {
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
          list.right.chunks.flatMap((chunk, at) => putRow<ChunkRow>(rowOf(recorded, chunk, read.right[at] ?? null))),
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
