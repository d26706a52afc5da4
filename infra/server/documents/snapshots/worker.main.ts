/** The worker thread that makes snapshots. */
import { parentPort } from 'node:worker_threads';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { TenantId } from '../../../../domain/kernel/ids';
import type { PieceBlobs, SnapshotFault } from '../piece-blobs';
import { openPieceStore } from '../piece-store';
import { type DiffIndexCache, readDiffPage } from './diff-pages';
import { replaySnapshot } from './snapshot-replay';
import type { BlobRequest, FromWorker, JobResult, SnapshotJob, ToWorker } from './snapshot-worker';
import { makeSnapshot } from './snapshot-writer';

type Answer = Either<SnapshotFault, Uint8Array | undefined>;

const diffIndexes: DiffIndexCache = new Map();
const waiting = new Map<number, (answer: Answer) => void>();
let blobRequests = 0;

const postMessage = (message: FromWorker): void => parentPort?.postMessage(message);

const requestBlob = (request: BlobRequest): Promise<Answer> =>
  new Promise((resolve) => {
    blobRequests += 1;
    waiting.set(blobRequests, resolve);
    postMessage({ kind: 'errand', id: blobRequests, request });
  });

const stored: PieceBlobs = {
  put: async (blob) => {
    const answer = await requestBlob({ kind: 'put', blob });
    return isLeft(answer) ? answer : right(undefined);
  },
  get: async (key) => {
    const answer = await requestBlob({ kind: 'get', key });
    return isLeft(answer) ? answer : right(answer.right ?? new Uint8Array());
  },
};

const runJob = (tenant: TenantId, job: SnapshotJob): Promise<JobResult> => {
  const pieces = openPieceStore(stored, tenant);
  switch (job.kind) {
    case 'make':
      return makeSnapshot(pieces, job.input);
    case 'replay':
      return replaySnapshot(pieces, job.input);
    case 'compare':
      return readDiffPage(pieces, job.request, diffIndexes);
  }
};

/** A defect ends the thread: pending jobs fail, and the next job starts another thread. */
const handleMessage = async (message: ToWorker): Promise<void> => {
  if (message.kind === 'work') {
    const { id, tenant, job } = message;
    return postMessage({ kind: 'work', id, answer: await runJob(tenant, job) });
  }
  waiting.get(message.id)?.(message.answer);
  waiting.delete(message.id);
};

parentPort?.on('message', (message: ToWorker) => void handleMessage(message));
