/** What follows from events of files: versions are processed, answer, and are withdrawn. */
import { activateVersionOnIndexed } from '../../domain/files/activate-version-on-indexed/process';
import type { FileEvent } from '../../domain/files/file/events';
import type { FileId, VersionId } from '../../domain/files/ids';
import type { IngestionEvent } from '../../domain/files/ingestion/events';
import { type JobStage, pipelineVersion, type Stage } from '../../domain/files/pipeline';
import { placeChunksOnChanged, placementQueue } from '../../domain/files/place-chunks-on-changed/process';
import { requestIngestionOnUploaded } from '../../domain/files/request-ingestion-on-uploaded/process';
import { ingestionQueue, readingQueue, runStagesOnIngestion } from '../../domain/files/run-stages-on-ingestion/process';
import { withdrawChunksOnReplaced } from '../../domain/files/withdraw-chunks-on-replaced/process';
import type { PrincipalId } from '../../domain/kernel/ids';
import { enqueueJob, send } from '../../domain/kernel/process';
import { givenProcess } from '../kernel/processes/given-process';

const fileId = 'file-1' as FileId;
const versionId = 'version-2' as VersionId;
const before = 'version-1' as VersionId;
const ada = 'ada' as PrincipalId;
const checksumSha256 = 'a'.repeat(64);
const mimeType = 'application/pdf';
const etag = '"1"';
const processed = { fileId, versionId, pipelineVersion } as const;

const uploaded: FileEvent = {
  type: 'VersionUploaded',
  data: { fileId, versionId, sizeBytes: 9, mimeType, checksumSha256, etag, completedBy: ada },
};
const activated = (replaced: VersionId | null): FileEvent => ({
  type: 'VersionActivated',
  data: {
    ...processed,
    versionNumber: 2,
    sizeBytes: 9,
    mimeType,
    isComplete: true,
    replaced: replaced === null ? null : { versionId: replaced, pipelineVersion },
  },
});
const expired: FileEvent = { type: 'VersionExpired', data: { fileId, versionId } };

const requested = (sizeBytes: number): IngestionEvent => ({
  type: 'IngestionRequested',
  data: { ...processed, source: { key: 'raw', etag, sizeBytes, checksumSha256, mimeType }, requestedBy: ada },
});
const completed = (stage: Stage): IngestionEvent => ({
  type: 'StageCompleted',
  data: { ...processed, stage, token: 1, result: { format: null, outputs: [], count: 0, notice: null } },
});
const deferred = (stage: Stage, attempt: number): IngestionEvent => ({
  type: 'StageDeferred',
  data: { ...processed, stage, token: 1, reason: 'The model is away.', attempt },
});
const retried = (stage: Stage): IngestionEvent => ({
  type: 'StageRetried',
  data: { ...processed, stage, requestedBy: ada },
});
const partlyReady: IngestionEvent = { type: 'IngestionPartlyReady', data: { ...processed, chunks: 3 } };
const ready: IngestionEvent = { type: 'IngestionReady', data: { ...processed, chunks: 3 } };
const failed: IngestionEvent = {
  type: 'IngestionFailed',
  data: { ...processed, stage: 'ocr', code: 'INTERNAL', detail: 'It ended.' },
};
const cancelled: IngestionEvent = { type: 'IngestionCancelled', data: processed };

describe('an uploaded version', () => {
  it('is processed by the present pipeline', () =>
    void givenProcess(requestIngestionOnUploaded)
      .when(uploaded, { entityId: fileId })
      .answers(
        send('files.ingestion', `${versionId}_${pipelineVersion}`, {
          type: 'RequestIngestion',
          ...processed,
          source: { key: `files/acme/${fileId}/${versionId}/raw`, etag, sizeBytes: 9, checksumSha256, mimeType },
          requestedBy: ada,
        }),
      ));

  it('is all that is processed', () => {
    for (const event of [activated(null), expired]) givenProcess(requestIngestionOnUploaded).ignores(event);
  });
});

describe('the stages of an ingestion', () => {
  type More = { readonly priority?: number; readonly delaySeconds?: number };
  const reading: readonly JobStage[] = ['type_detection', 'text_extraction', 'ocr', 'transcription'];
  const job = (stage: JobStage, more: More = {}) =>
    enqueueJob(
      reading.includes(stage) ? readingQueue : ingestionQueue,
      { ...processed, stage },
      { jobKind: stage, priority: 0, mostAttempts: 100, ...more },
    );
  const noted = (sizeBytes: number) => ({ type: 'IngestionSizeNoted', data: { sizeBytes } }) as const;
  const answers = (event: IngestionEvent, expected: ReturnType<typeof job>) =>
    void givenProcess(runStagesOnIngestion).when(event).answers(expected);

  it('begin with the first, of small files before large ones', () => {
    for (const [size, priority] of [
      [1_000, 3],
      [2_000_000, 2],
      [20_000_000, 1],
      [100_000_000, 0],
    ] as const)
      givenProcess(runStagesOnIngestion)
        .when(requested(size))
        .answers(job('validation', { priority }))
        .records(noted(size));
  });

  it('come after all uploads where the file answers already', () => {
    const again: IngestionEvent = { type: 'ReindexingRequested', data: { ...requested(1_000).data } as never };
    const vectors: IngestionEvent = { type: 'EmbeddingRequested', data: { ...processed, embeddingModel: 'newer' } };
    const reindexing = { type: 'ReindexingNoted', data: {} } as const;
    givenProcess(runStagesOnIngestion)
      .when(again)
      .answers(job('validation', { priority: -1 }))
      .records(reindexing);
    givenProcess(runStagesOnIngestion, noted(1_000))
      .when(vectors)
      .answers(job('embedding', { priority: -1 }))
      .records(reindexing);
    givenProcess(runStagesOnIngestion, noted(1_000), reindexing)
      .when(deferred('embedding', 1))
      .answers(job('embedding', { priority: -1, delaySeconds: 30 }));
  });

  it('have the priority of the first', () => {
    for (const event of [completed('chunking'), deferred('ocr', 1), retried('ocr')])
      givenProcess(runStagesOnIngestion, noted(1_000))
        .when(event)
        .answers(job('ocr', { priority: 3, ...(event.type === 'StageDeferred' ? { delaySeconds: 30 } : {}) }));
  });

  it('follow each other, those that run programs in a queue of their own', () => {
    answers(completed('validation'), job('type_detection'));
    answers(completed('text_extraction'), job('chunking'));
    answers(completed('chunking'), job('ocr'));
    answers(completed('transcription'), job('embedding'));
    givenProcess(runStagesOnIngestion).ignores(completed('embedding'));
  });

  it('follow each other as the pipeline has them that began', () => {
    const ofFirst = (stage: Stage): IngestionEvent => {
      const event = completed(stage);
      return { ...event, data: { ...event.data, pipelineVersion: 1 } } as IngestionEvent;
    };
    const next = (stage: JobStage) => {
      const { queue, payload, ...more } = job(stage);
      return { ...more, queue, payload: { ...(payload as object), pipelineVersion: 1 } };
    };
    givenProcess(runStagesOnIngestion).when(ofFirst('text_extraction')).answers(next('ocr'));
    givenProcess(runStagesOnIngestion).when(ofFirst('ocr')).answers(next('chunking'));
    givenProcess(runStagesOnIngestion).when(ofFirst('chunking')).answers(next('embedding'));
  });

  it('are tried again later and later, or at once on demand', () => {
    answers(deferred('embedding', 1), job('embedding', { delaySeconds: 30 }));
    answers(deferred('embedding', 4), job('embedding', { delaySeconds: 240 }));
    answers(deferred('embedding', 1_000), job('embedding', { delaySeconds: 600 }));
    answers(retried('ocr'), job('ocr'));
  });

  it('end with the ingestion', () => {
    for (const event of [partlyReady, ready, failed, cancelled, deferred('indexing', 1), retried('indexing')])
      givenProcess(runStagesOnIngestion).ignores(event);
  });
});

describe('a file that has another name, folder or owner', () => {
  it('has its chunks indexed again with them', () => {
    for (const event of [
      { type: 'FileRenamed', data: { fileId, name: 'Old.pdf' } },
      { type: 'FileMoved', data: { fileId, folderId: null } },
      { type: 'FileOwnerChanged', data: { fileId, ownerId: ada } },
    ] as const)
      givenProcess(placeChunksOnChanged).when(event).answers(enqueueJob(placementQueue, { fileId }));
    for (const event of [uploaded, { type: 'FileHidden', data: { fileId, reason: 'trashed' } } as const])
      givenProcess(placeChunksOnChanged).ignores(event);
  });

  it('has them checked when a version begins to answer, for it may have been indexed before', () => {
    for (const event of [activated(null), activated(before)])
      givenProcess(placeChunksOnChanged).when(event).answers(enqueueJob(placementQueue, { fileId }));
  });
});

describe('an indexed version', () => {
  const activate = (isComplete: boolean) =>
    send('files.file', fileId, { type: 'ActivateVersion' as const, ...processed, isComplete });

  it('may answer, in part or complete', () => {
    givenProcess(activateVersionOnIndexed).when(partlyReady).answers(activate(false));
    givenProcess(activateVersionOnIndexed).when(ready).answers(activate(true));
    for (const event of [completed('chunking'), failed, cancelled])
      givenProcess(activateVersionOnIndexed).ignores(event);
  });

  it('has the chunks of the one before withdrawn, and those of one that is too late', () => {
    const late: FileEvent = { type: 'VersionSuperseded', data: { fileId, versionId: before, pipelineVersion } };
    for (const event of [activated(before), late])
      givenProcess(withdrawChunksOnReplaced)
        .when(event, { entityId: fileId })
        .answers(
          send('files.ingestion', `${before}_${pipelineVersion}`, {
            type: 'WithdrawChunks',
            ...{ fileId, versionId: before, pipelineVersion },
          }),
        );
    for (const event of [activated(null), uploaded]) givenProcess(withdrawChunksOnReplaced).ignores(event);
  });
});
