/** Which files are due to be indexed again: by pipeline, by model, and neither twice nor after they are gone. */
import assert from 'node:assert/strict';
import type { FileAccessEvent } from '../../domain/files/access/events';
import type { FileEvent } from '../../domain/files/file/events';
import type { FileId, VersionId } from '../../domain/files/ids';
import type { IngestionEvent } from '../../domain/files/ingestion/events';
import { pipelineVersion as newest } from '../../domain/files/pipeline';
import {
  evolveIndexedFile,
  type IndexedFile,
  type IndexedFileEvent,
  reindexingNeed,
} from '../../domain/files/reindexing/due-files';
import type { PrincipalId } from '../../domain/kernel/ids';

const fileId = 'file-1' as FileId;
const versionId = 'version-1' as VersionId;
const ada = 'ada' as PrincipalId;
const [model, newer] = ['small', 'large'] as const;
const content = (key: string) => ({ key, sha256: 'a'.repeat(64), size: 10 });
const source = { key: 'raw', etag: '"1"', sizeBytes: 9, checksumSha256: 'a'.repeat(64), mimeType: 'text/plain' };

const of = (pipelineVersion: number) => {
  const version = { fileId, versionId, pipelineVersion };
  const event = (type: 'IngestionCancelled' | 'IngestionReady' | 'IngestionFailed'): IngestionEvent => {
    const data = { ...version, chunks: 1, stage: 'embedding', code: 'INTERNAL', detail: 'It ended.' } as const;
    return { type, data } as IngestionEvent;
  };
  return {
    requested: { type: 'IngestionRequested', data: { ...version, source, requestedBy: ada } },
    again: { type: 'ReindexingRequested', data: { ...version, source, requestedBy: ada } },
    embedding: { type: 'EmbeddingRequested', data: { ...version, embeddingModel: newer } },
    indexed: (embeddingModel: string | null = model): IngestionEvent => ({
      type: 'ChunksIndexed',
      data: {
        ...version,
        ...{ part: 0, content: { chunks: content('chunks'), count: 1, vectors: null }, embeddingModel },
        ...{ name: 'Lease.txt', folderId: null, ownerId: ada },
      },
    }),
    ready: event('IngestionReady'),
    failed: event('IngestionFailed'),
    cancelled: event('IngestionCancelled'),
    withdrawn: {
      type: 'ChunksWithdrawn',
      data: { ...version, part: 0, content: { chunks: content('chunks'), count: 1, vectors: null } },
    },
    retried: { type: 'StageRetried', data: { ...version, stage: 'ocr', requestedBy: ada } },
    activated: (replaced: number | null = null): FileEvent => ({
      type: 'VersionActivated',
      data: {
        ...{ ...version, versionNumber: 1, sizeBytes: 9, mimeType: 'text/plain', isComplete: true },
        replaced: replaced === null ? null : { versionId, pipelineVersion: replaced },
      },
    }),
  } as const;
};
const [old, present] = [of(newest - 1), of(newest)];

const needAfter = (events: readonly IndexedFileEvent[], wanted: string | undefined = model) => {
  const file = events.reduce<IndexedFile | undefined>(evolveIndexedFile, undefined);
  return file === undefined ? 'gone' : reindexingNeed(file, wanted).kind;
};

const processed = (by: typeof present) => [by.requested, by.indexed(), by.ready, by.activated()] as const;

describe('a file that answers', () => {
  it('by the present pipeline and model stays as it is', () => {
    assert.equal(needAfter(processed(present)), 'none');
    assert.equal(needAfter(processed(present), undefined), 'none', 'where no model is known');
  });

  it('by an older pipeline is due, until the present one works on it', () => {
    assert.equal(needAfter(processed(old)), 'pipeline');
    assert.equal(needAfter(processed(old), undefined), 'pipeline', 'whether a model is there or not');
    const again = [...processed(old), present.again] as const;
    assert.equal(needAfter(again), 'running');
    const indexed = [...again, present.indexed(), present.ready];
    assert.equal(needAfter(indexed), 'running', 'the older one answers until the event that switches');
    assert.equal(needAfter([...indexed, present.activated(newest - 1)]), 'none');
    assert.equal(needAfter([...indexed, present.activated(newest - 1), old.withdrawn]), 'none');
  });

  it('by an older pipeline is not tried again by itself where the present one failed', () => {
    const failed = [...processed(old), present.again, present.failed] as const;
    assert.equal(needAfter(failed), 'none');
    assert.equal(needAfter(failed, newer), 'model', 'its vectors can be of the present model all the same');
    assert.equal(needAfter([...failed, present.retried]), 'running');
    assert.equal(needAfter([...processed(old), present.again, present.cancelled]), 'none');
  });

  it('with vectors of another model is due, until they are made', () => {
    assert.equal(needAfter(processed(present), newer), 'model');
    const again = [...processed(present), present.embedding] as const;
    assert.equal(needAfter(again, newer), 'running');
    assert.equal(needAfter([...again, present.indexed(newer), present.ready], newer), 'none');
    assert.equal(needAfter([...again, present.indexed(newer), present.ready], model), 'model');
  });

  it('is due by its pipeline first, for that makes its vectors, too', () =>
    assert.equal(needAfter(processed(old), newer), 'pipeline'));

  it('without chunks, or before it is ready, has no vectors to replace', () => {
    assert.equal(needAfter([present.requested, present.ready, present.activated()], newer), 'none');
    assert.equal(needAfter([present.requested, present.indexed(null), present.activated()], newer), 'none');
  });
});

describe('a file that does not answer', () => {
  it('is not due', () => {
    assert.equal(needAfter([old.requested]), 'none');
    assert.equal(needAfter([old.requested, old.failed]), 'none');
  });

  it('is forgotten once it is deleted, whatever comes later', () => {
    const hidden = (reason: 'deleted' | 'trashed'): FileAccessEvent =>
      ({ type: 'FileHidden', data: { fileId, reason } }) as FileAccessEvent;
    assert.equal(needAfter([...processed(old), hidden('trashed')]), 'pipeline', 'it may be restored');
    for (const event of [hidden('deleted'), { type: 'FilePurged', data: { fileId, cause: 'retention' } } as const]) {
      assert.equal(needAfter([...processed(old), event]), 'gone');
      assert.equal(needAfter([...processed(old), event, old.withdrawn, old.cancelled]), 'gone');
    }
  });
});
