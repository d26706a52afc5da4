/** Records what becomes of files, as commands and workers do, on any log and with any object storage. */
import { hash, randomUUID } from 'node:crypto';
import { type FileAccessEvent, fileAccess, fileAccessStream } from '../../../domain/files/access/events';
import type { Anchor } from '../../../domain/files/content/anchor';
import type { Chunk } from '../../../domain/files/content/chunk';
import { outputKey } from '../../../domain/files/content/keys';
import { type FileEvent, fileStream, files } from '../../../domain/files/file/events';
import type { ChunkId, FileId, FolderId, VersionId } from '../../../domain/files/ids';
import {
  type ChunkPart,
  type IngestionEvent,
  ingestionIdOf,
  ingestionStream,
  ingestions,
} from '../../../domain/files/ingestion/events';
import { pipelineVersion as newestPipeline, type Stage } from '../../../domain/files/pipeline';
import { principalStream, principals } from '../../../domain/identity/principal/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { DomainEvent, Family } from '../../../domain/kernel/family';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { EventStore } from '../../../infra/ports/event-store';
import { expectRight } from '../domain/expect-right';
import { sampleEmbedder, vectorOf } from './sample-embedder';

export interface FileHistoryStores {
  readonly store: Pick<EventStore, 'append'>;
  readonly putContent: (key: string, bytes: Buffer) => Promise<void>;
}

export interface SampleChunk {
  readonly content: string;
  readonly headings?: readonly string[];
  readonly anchor?: Anchor;
  readonly words?: Chunk['words'];
  /** Left out: by the sample embedder. */
  readonly vector?: Float32Array;
}

const pageAnchor = (pageNumber: number): Anchor => ({
  type: 'page',
  pageNumber,
  pageLabel: null,
  boxes: [{ pageNumber, box: { x: 0.1, y: 0.2, w: 0.5, h: 0.05 } }],
});

/** The file's first version, unless another is named. */
export const versionOf = (fileId: string, number = 1): VersionId => `${fileId}-v${number}` as VersionId;

export const chunkOf = (versionId: VersionId, sample: SampleChunk, ordinal: number): Chunk => {
  const anchor = sample.anchor ?? pageAnchor(ordinal + 1);
  const chunkHash = hash('sha256', JSON.stringify([versionId, sample.content, anchor]), 'hex');
  return {
    chunkId: chunkHash.slice(0, 32) as ChunkId,
    ordinal,
    modality: 'text',
    content: sample.content,
    chunkHash,
    anchor,
    headings: sample.headings ?? [],
    words: sample.words ?? [],
  };
};

const base64Of = (vector: Float32Array): string => {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString('base64');
};

export interface Ingested {
  readonly version?: number;
  readonly pipelineVersion?: number;
  readonly chunks: readonly (string | SampleChunk)[];
  /** Of the model that made the vectors; null: there are none yet. */
  readonly model?: string | null;
  readonly place?: { readonly name: string; readonly folderId: FolderId | null; readonly ownerId: PrincipalId };
  /** What it replaces as the version that answers; left out, nothing. */
  readonly replaces?: { readonly version: number; readonly pipelineVersion: number };
  /** False: it does not answer. */
  readonly isActivated?: boolean;
}

interface NewFile {
  readonly name?: string;
  readonly ownerId?: string;
  readonly folderId?: string | null;
}

export const openFileHistory = ({ store, putContent }: FileHistoryStores, tenant = 'acme' as TenantId) => {
  let minute = 0;
  const metadata = () => {
    minute += 1;
    const at = new Date(Date.UTC(2026, 10, 29) + minute * 60_000).toISOString();
    const ids = { $correlationId: 'c', $causationId: 'c', commandId: randomUUID(), commandHash: 'h' };
    return { ...ids, tenant, actor: 'ada', at };
  };
  const append = async <Event extends DomainEvent>(stream: string, family: Family<Event>, events: readonly Event[]) => {
    const stored = events.map((event) => ({ id: randomUUID(), ...family.encode(event), metadata: metadata() }));
    return expectRight(await store.append(stream, 'any', stored)).position;
  };

  const ofFile = (fileId: string, ...events: readonly FileEvent[]) =>
    append(fileStream(tenant, fileId as FileId), files, events);
  const register = (principalId: string) =>
    append(principalStream(tenant, principalId as PrincipalId), principals, [
      {
        type: 'PrincipalRegistered',
        data: {
          principalId: principalId as PrincipalId,
          tenantId: tenant,
          principalType: 'HUMAN',
          createdAt: '2026-11-29T00:00:00.000Z' as Instant,
        },
      },
    ]);
  const access = (...events: readonly FileAccessEvent[]) => append(fileAccessStream(tenant), fileAccess, events);
  const ofIngestion = (versionId: VersionId, pipelineVersion: number, events: readonly IngestionEvent[]) =>
    append(ingestionStream(tenant, ingestionIdOf(versionId, pipelineVersion)), ingestions, events);

  const placeOf = ({ name = 'Lease 2026.pdf', ownerId = 'ada', folderId = null }: NewFile) => ({
    name,
    ownerId: ownerId as PrincipalId,
    folderId: folderId as FolderId | null,
  });
  const places = new Map<string, ReturnType<typeof placeOf>>();

  const openVersion = (fileId: string, number: number) =>
    ofFile(fileId, {
      type: 'VersionOpened',
      data: {
        fileId: fileId as FileId,
        versionId: versionOf(fileId, number),
        versionNumber: number,
        sizeBytes: 1_000 * number,
        mimeType: 'application/pdf',
        openedBy: 'ada' as PrincipalId,
        expiresAt: '2026-12-31T00:00:00.000Z' as Instant,
        isInParts: false,
      },
    });

  const createFile = async (id: string, file: NewFile = {}) => {
    const fileId = id as FileId;
    const place = placeOf(file);
    places.set(fileId, place);
    await ofFile(fileId, { type: 'FileCreated', data: { fileId, mimeType: 'application/pdf', ...place } });
    return openVersion(fileId, 1);
  };

  const completeUpload = (fileId: string, number = 1) =>
    ofFile(fileId, {
      type: 'VersionUploaded',
      data: {
        fileId: fileId as FileId,
        versionId: versionOf(fileId, number),
        sizeBytes: 1_000 * number,
        mimeType: 'application/pdf',
        checksumSha256: 'ab'.repeat(32),
        etag: '"e"',
        completedBy: 'ada' as PrincipalId,
      },
    });

  const namesOf = (fileId: string, number: number, pipelineVersion: number) => ({
    fileId: fileId as FileId,
    versionId: versionOf(fileId, number),
    pipelineVersion,
  });

  const requestIngestion = (fileId: string, number = 1, pipelineVersion: number = newestPipeline) =>
    ofIngestion(versionOf(fileId, number), pipelineVersion, [
      {
        type: 'IngestionRequested',
        data: {
          ...namesOf(fileId, number, pipelineVersion),
          source: {
            key: `files/${tenant}/${fileId}/raw`,
            etag: '"e"',
            sizeBytes: 1_000 * number,
            checksumSha256: 'ab'.repeat(32),
            mimeType: 'application/pdf',
          },
          requestedBy: 'ada' as PrincipalId,
        },
      },
    ]);

  /** Events of the processing of a version, with its names filled in. */
  const process = (
    fileId: string,
    events: readonly { readonly type: IngestionEvent['type']; readonly data?: object }[],
    { version = 1, pipelineVersion = newestPipeline }: { version?: number; pipelineVersion?: number } = {},
  ) => {
    const named = namesOf(fileId, version, pipelineVersion);
    const whole = events.map(({ type, data }) => ({ type, data: { ...named, ...data } }) as IngestionEvent);
    return ofIngestion(versionOf(fileId, version), pipelineVersion, whole);
  };

  const stageDone = (stage: Stage, count = 1) =>
    ({
      type: 'StageCompleted',
      data: {
        stage,
        token: 1,
        result: { format: stage === 'type_detection' ? 'pdf' : null, outputs: [], count, notice: null },
      },
    }) as const;

  const storePart = async (fileId: string, ingested: Ingested): Promise<ChunkPart> => {
    const { version = 1, pipelineVersion = newestPipeline, chunks, model = sampleEmbedder.model } = ingested;
    const named = namesOf(fileId, version, pipelineVersion);
    const samples = chunks.map((chunk): SampleChunk => (typeof chunk === 'string' ? { content: chunk } : chunk));
    const list = samples.map((sample, at) => chunkOf(named.versionId, sample, at));
    const put = async (name: string, content: object) => {
      const bytes = Buffer.from(JSON.stringify(content));
      const reference = {
        key: outputKey(tenant, named, name),
        sha256: hash('sha256', bytes, 'hex'),
        size: bytes.length,
      };
      await putContent(reference.key, bytes);
      return reference;
    };
    const vectors = samples.map(({ content, vector = vectorOf(content) }) => base64Of(vector));
    return {
      chunks: await put('chunks-0', { chunks: list }),
      count: list.length,
      vectors: model === null ? null : await put('vectors-0', { model, dimensions: 384, vectors }),
    };
  };

  const indexChunks = async (fileId: string, ingested: Ingested) => {
    const content = await storePart(fileId, ingested);
    const { model = sampleEmbedder.model, place = places.get(fileId) ?? placeOf({}) } = ingested;
    const event = { type: 'ChunksIndexed', data: { part: 0, content, embeddingModel: model, ...place } } as const;
    await process(fileId, [event], ingested);
    return content;
  };

  const activate = (fileId: string, { version = 1, pipelineVersion = newestPipeline, model, replaces }: Ingested) => {
    const replaced =
      replaces === undefined
        ? null
        : { versionId: versionOf(fileId, replaces.version), pipelineVersion: replaces.pipelineVersion };
    const facts = { versionNumber: version, sizeBytes: 1_000 * version, mimeType: 'application/pdf' };
    return ofFile(fileId, {
      type: 'VersionActivated',
      data: { ...namesOf(fileId, version, pipelineVersion), ...facts, isComplete: model !== null, replaced },
    });
  };

  /** From its request to the version that answers, in one go. */
  const ingest = async (fileId: string, ingested: Ingested) => {
    const { version = 1, pipelineVersion = newestPipeline, chunks, model, isActivated = true } = ingested;
    await requestIngestion(fileId, version, pipelineVersion);
    const content = await indexChunks(fileId, ingested);
    const type = model === null ? 'IngestionPartlyReady' : 'IngestionReady';
    const position = await process(fileId, [{ type, data: { chunks: chunks.length } }], ingested);
    return { content, position: isActivated ? await activate(fileId, ingested) : position };
  };

  /** A file that was uploaded and is found by these passages. */
  const addFile = async (
    fileId: string,
    chunks: Ingested['chunks'],
    { model, ...file }: NewFile & Pick<Ingested, 'model'> = {},
  ) => {
    await createFile(fileId, file);
    await completeUpload(fileId);
    return ingest(fileId, { chunks, ...(model === undefined ? {} : { model }) });
  };

  return {
    ofFile,
    register,
    access,
    createFile,
    openVersion,
    completeUpload,
    requestIngestion,
    process,
    stageDone,
    indexChunks,
    activate,
    ingest,
    addFile,
  };
};
