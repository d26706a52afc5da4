/** Processing of files in workers. */
import { file } from '../../domain/files/file/decider';
import { ingestion } from '../../domain/files/ingestion/decider';
import { placementQueue } from '../../domain/files/place-chunks-on-changed/process';
import { processes } from '../../domain/files/processes';
import { ingestionQueue } from '../../domain/files/run-stages-on-ingestion/process';
import { openReaderProgram } from '../../infra/adapters/file-reader/reader-program';
import type { ProcessContext } from '../kernel/context';
import { bindProcesses, commandTarget } from '../kernel/processes/process-binding';
import { queueSpec } from '../kernel/work-queue/job-handler';
import { performStage } from './ingestion/perform-stage';
import { placeChunks } from './ingestion/place-chunks';

const stages = queueSpec(ingestionQueue, {
  concurrency: 2,
  perTenant: 2,
  isHeavy: true,
  runsPrograms: true,
  targets: {},
  open: (adapters) => ({ perform: performStage({ ...adapters, embedder: undefined, reader: openReaderProgram() }) }),
});

const placements = queueSpec(placementQueue, {
  concurrency: 2,
  perTenant: 1,
  targets: {},
  open: (adapters) => ({ perform: placeChunks(adapters) }),
});

const toIngestion = { 'files.ingestion': commandTarget(ingestion) };
const toFile = { 'files.file': commandTarget(file) };

export const context: ProcessContext<typeof processes> = {
  processes: bindProcesses(processes, {
    requestIngestionOnUploaded: toIngestion,
    runStagesOnIngestion: {},
    activateVersionOnIndexed: toFile,
    withdrawChunksOnReplaced: toIngestion,
    placeChunksOnChanged: {},
  }),
  queues: [stages, placements],
};
