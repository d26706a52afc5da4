/** Performs one stage of the processing of a version in a worker, and records how it ended. */
import { isLeft, left } from 'fp-ts/Either';
import type { FileErrorCode } from '../../../domain/files/content/error-code';
import { type IngestionCommand, ingestion } from '../../../domain/files/ingestion/decider';
import { ingestionIdOf, ingestionStream } from '../../../domain/files/ingestion/events';
import { nextStage } from '../../../domain/files/ingestion/state';
import { isIndexingStage } from '../../../domain/files/pipeline';
import { queueOf, type StageJob } from '../../../domain/files/run-stages-on-ingestion/process';
import { TenantId } from '../../../domain/kernel/ids';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import { again, type PerformJob, type WorkerAdapters } from '../../kernel/work-queue/job-handler';
import {
  defer,
  mostTries,
  nothingToRecord,
  performRecorded,
  type Recorded,
  unlessLogIsAway,
} from '../../kernel/work-queue/recorded-job';
import { embedChunks } from './embed-chunks';
import { indexedPlaceOf } from './indexed-place';
import { detectType, extractText, recogniseText } from './read-document';
import type { ReaderSandboxes } from './reader-sandboxes';
import type { StageEnd, StageOutcome, StageRun } from './stage-run';
import { storeChunks } from './store-chunks';
import { transcribe } from './transcribe';
import { validate } from './validate';

const send = async ({ deps, tenant, job }: StageRun, command: IngestionCommand): Promise<Recorded> => {
  const { fileId, versionId, pipelineVersion, stage } = job.payload;
  const handled = await handle(deps, ingestion, {
    stream: ingestionStream(tenant, ingestionIdOf(versionId, pipelineVersion)),
    command,
    tenant,
    actor: `system:work.${queueOf(stage).name}`,
    ...job.cause,
    commandId: derivedId('files-stage', tenant, fileId, versionId, pipelineVersion, stage, command.type, job.token),
  });
  return isLeft(handled) ? again(handled.left.detail) : nothingToRecord;
};

const endingOf = (name: string): string => /\.([A-Za-z0-9]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Undefined: of a stage that is another queue's. `ending` is that of the file's name. */
export type PerformStage = (stage: StageRun, ending: string) => StageEnd | undefined;

/** The stages that need nothing but this process. */
export const performInProcess: PerformStage = (stage) => {
  switch (stage.job.payload.stage) {
    case 'validation':
      return validate(stage);
    case 'chunking':
      return storeChunks(stage);
    case 'embedding':
      return embedChunks(stage);
    case 'type_detection':
    case 'text_extraction':
    case 'ocr':
    case 'transcription':
      return undefined;
  }
};

/** Of the readers, which are open for all jobs of the queue. */
export const performInSandbox =
  (readers: ReaderSandboxes): PerformStage =>
  (stage, ending) => {
    const request = { readers, ending };
    switch (stage.job.payload.stage) {
      case 'type_detection':
        return detectType(stage, request);
      case 'text_extraction':
        return extractText(stage, request);
      case 'ocr':
        return recogniseText(stage, request);
      case 'transcription':
        return transcribe(stage, request);
      case 'validation':
      case 'chunking':
      case 'embedding':
        return undefined;
    }
  };

const sentences = {
  lost: `The workers that processed this stage were lost ${mostTries} times. Try it again, or upload the file in another format.`,
  defective: 'The file could not be processed; try again later.',
};

const elsewhere: Awaited<StageEnd> = defer('The stage is left to a worker that can run programs.');

const complete = async (stageRun: StageRun, { result, indexed }: StageOutcome): Promise<Recorded> => {
  const { payload, token } = stageRun.job;
  const { stage, ...named } = payload;
  if (indexed === undefined) return send(stageRun, { type: 'CompleteStage', ...named, stage, token, result });
  // It may have been renamed or moved since the stage began.
  const place = await indexedPlaceOf(stageRun.deps, stageRun.tenant, payload.fileId);
  if (isLeft(place)) return place;
  if (place.right === undefined || !isIndexingStage(stage)) return nothingToRecord;
  return send(stageRun, { type: 'CompleteIndexing', ...named, stage, token, result, ...indexed, place: place.right });
};

const performAndRecord = (stageRun: StageRun, perform: PerformStage, ending: string): Promise<Recorded> => {
  const { job, run, deps, state } = stageRun;
  const { stage, ...named } = job.payload;
  const about = { ...named, stage, token: job.token };
  const deferStage = (reason: string) => send(stageRun, { type: 'DeferStage', ...about, reason });
  return performRecorded<StageOutcome, FileErrorCode>({
    ...{ job, run, sentences },
    log: deps.log,
    perform: async () => (await perform(stageRun, ending)) ?? elsewhere,
    complete: (outcome) => complete(stageRun, outcome),
    defer: deferStage,
    refuse: (code, detail) =>
      // What answers goes on answering with the vectors that it has.
      state.wantedModel === undefined
        ? send(stageRun, { type: 'FailIngestion', ...about, code, detail })
        : deferStage(detail),
  });
};

const performDueStage = async (
  deps: WorkerAdapters,
  perform: PerformStage,
  { job, run }: Pick<StageRun, 'job' | 'run'>,
): Promise<Recorded> => {
  const { tenant, payload } = job;
  if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
  const { stage, ...named } = payload;
  const stream = ingestionStream(tenant, ingestionIdOf(named.versionId, named.pipelineVersion));
  const loaded = await loadStream(deps, ingestion, stream);
  if (isLeft(loaded)) return again(loaded.left.detail);
  const state = loaded.right;
  if (state.kind === 'none' || nextStage(state) !== stage) return nothingToRecord;
  const stageRun: StageRun = { deps, tenant, job, run, state };
  const place = await indexedPlaceOf(deps, tenant, payload.fileId);
  if (isLeft(place)) return place;
  if (place.right === undefined) return send(stageRun, { type: 'CancelIngestion', ...named });
  return performAndRecord(stageRun, perform, endingOf(place.right.name));
};

/** A stage that is done, or not yet due, has no effect. */
export const performStage =
  (deps: WorkerAdapters, perform: PerformStage): PerformJob<StageJob> =>
  async (job, run) =>
    unlessLogIsAway({ job, run }, await performDueStage(deps, perform, { job, run }));
