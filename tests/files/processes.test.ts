/** What follows from events of files: versions are processed, answer, and are withdrawn. */
import { activateVersionOnIndexed } from '../../domain/files/activate-version-on-indexed/process';
import type { FileEvent } from '../../domain/files/file/events';
import type { FileId, VersionId } from '../../domain/files/ids';
import type { IngestionEvent } from '../../domain/files/ingestion/events';
import { type JobStage, pipelineVersion, type Stage } from '../../domain/files/pipeline';
import { placeChunksOnChanged, placementQueue } from '../../domain/files/place-chunks-on-changed/process';
import { requestIngestionOnUploaded } from '../../domain/files/request-ingestion-on-uploaded/process';
import { ingestionQueue, runStagesOnIngestion } from '../../domain/files/run-stages-on-ingestion/process';
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
  const job = (stage: JobStage, more: { readonly priority?: number; readonly delaySeconds?: number } = {}) =>
    enqueueJob(ingestionQueue, { ...processed, stage }, { jobKind: stage, priority: 0, ...more });
  const answers = (event: IngestionEvent, expected: ReturnType<typeof job>) =>
    void givenProcess(runStagesOnIngestion).when(event).answers(expected);

  it('begin with the first, of small files before large ones', () => {
    answers(requested(1_000), job('validation', { priority: 1 }));
    answers(requested(50_000_000), job('validation'));
  });

  it('follow each other', () => {
    answers(completed('validation'), job('type_detection'));
    answers(completed('text_extraction'), job('ocr'));
    answers(completed('chunking'), job('embedding'));
    givenProcess(runStagesOnIngestion).ignores(completed('embedding'));
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
