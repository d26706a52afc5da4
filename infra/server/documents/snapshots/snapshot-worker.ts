/** A worker thread for snapshot jobs. It starts with the first job, and again after it ended. */
import { Worker } from 'node:worker_threads';
import { type Either, left } from 'fp-ts/Either';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import type { TenantId } from '../../../../domain/kernel/ids';
import { fault } from '../../../../domain/kernel/rejection';
import type { Log } from '../../../ports/runtime/log';
import type { PieceBlob, PieceBlobs, SnapshotFault } from '../piece-blobs';
import type { DiffPage, DiffPageRequest } from './diff-pages';
import type { ReplayInput } from './snapshot-replay';
import type { SnapshotInput } from './snapshot-writer';

export interface SnapshotWorker {
  readonly run: <Kind extends SnapshotJob['kind']>(
    tenant: TenantId,
    job: Extract<SnapshotJob, { kind: Kind }>,
  ) => Promise<JobResult<Kind>>;
  readonly close: () => Promise<void>;
}

export interface SnapshotWorkerOptions {
  readonly stored: PieceBlobs;
  /** Options of the thread; the default is those of this process. */
  readonly execArgv?: readonly string[];
  readonly log: Log;
}

interface WorkerSlot {
  readonly worker: Worker;
  readonly waiting: Map<number, (answer: JobResult) => void>;
}

const workerEnded: Either<SnapshotFault, never> = left(
  fault('snapshots-unavailable', 'The snapshot worker ended and is being restarted.'),
);

const script = require.resolve('./worker.main');

const runBlobRequest = (stored: PieceBlobs, request: BlobRequest) =>
  request.kind === 'put' ? stored.put(request.blob) : stored.get(request.key);

const postMessage = ({ worker }: WorkerSlot, message: ToWorker): void => worker.postMessage(message);

const handleMessage = async (slot: WorkerSlot, stored: PieceBlobs, message: FromWorker): Promise<void> => {
  const { id } = message;
  if (message.kind === 'errand') {
    const answer = await runBlobRequest(stored, message.request);
    return postMessage(slot, { kind: 'errand', id, answer: answer as Either<SnapshotFault, Uint8Array | undefined> });
  }
  slot.waiting.get(id)?.(message.answer);
  slot.waiting.delete(id);
  if (slot.waiting.size === 0) slot.worker.unref();
};

const startWorker = (options: SnapshotWorkerOptions, ended: (slot: WorkerSlot) => void): WorkerSlot => {
  const { stored, execArgv = process.execArgv, log } = options;
  const worker = new Worker(script, { execArgv: [...execArgv] });
  const slot: WorkerSlot = { worker, waiting: new Map() };
  worker.on('message', (message: FromWorker) => void handleMessage(slot, stored, message));
  worker.on('error', (error) => log.error({ error }, 'the snapshot worker ended'));
  worker.once('exit', () => {
    ended(slot);
    for (const answer of slot.waiting.values()) answer(workerEnded);
    slot.waiting.clear();
  });
  return slot;
};

export const openSnapshotWorker = (options: SnapshotWorkerOptions): SnapshotWorker => {
  let slot: WorkerSlot | undefined;
  let count = 0;
  const currentSlot = (): WorkerSlot => {
    slot ??= startWorker(options, (ended) => {
      if (slot === ended) slot = undefined;
    });
    return slot;
  };
  return {
    run: (tenant, job) =>
      new Promise((resolve) => {
        const present = currentSlot();
        count += 1;
        present.waiting.set(count, resolve as (answer: JobResult) => void);
        present.worker.ref();
        postMessage(present, { kind: 'work', id: count, tenant, job });
      }),
    close: async () => void (await slot?.worker.terminate()),
  };
};

export type SnapshotJob =
  | { readonly kind: 'make'; readonly input: SnapshotInput }
  | { readonly kind: 'replay'; readonly input: ReplayInput }
  | { readonly kind: 'compare'; readonly request: DiffPageRequest };

export interface JobResults {
  readonly make: Snapshot;
  readonly replay: Snapshot;
  readonly compare: DiffPage;
}

export type JobResult<Kind extends SnapshotJob['kind'] = SnapshotJob['kind']> = Either<SnapshotFault, JobResults[Kind]>;

/** Requests of the thread to the process, which holds the object storage. */
export type BlobRequest =
  | { readonly kind: 'put'; readonly blob: PieceBlob }
  | { readonly kind: 'get'; readonly key: string };

export type ToWorker =
  | { readonly kind: 'work'; readonly id: number; readonly tenant: TenantId; readonly job: SnapshotJob }
  | { readonly kind: 'errand'; readonly id: number; readonly answer: Either<SnapshotFault, Uint8Array | undefined> };

export type FromWorker =
  | { readonly kind: 'work'; readonly id: number; readonly answer: JobResult }
  | { readonly kind: 'errand'; readonly id: number; readonly request: BlobRequest };
