/** Opens the queues that a worker takes jobs from, with the adapters that their handlers are given. */
import { isLeft } from 'fp-ts/Either';
import { type blobVariables, openBlobs } from '../../infra/blobs/open-blob-store';
import type { ConfigOf } from '../../infra/runtime/config';
import type { JobHandler, QueueSpec, WorkerPlatform } from '../kernel/work-queue/job-handler';

export interface OpenedQueues {
  readonly handlers: readonly JobHandler[];
  readonly close: () => Promise<void>;
}

type BlobConfig = ConfigOf<typeof blobVariables> & { readonly PUBLIC_URL: string | undefined };

/** Without queues there is nothing to open. */
export const openQueues = (
  specs: readonly QueueSpec[],
  config: BlobConfig,
  platform: Omit<WorkerPlatform, 'blobs'>,
): OpenedQueues => {
  if (specs.length === 0) return { handlers: [], close: () => Promise.resolve() };
  const blobs = openBlobs(config, `${config.PUBLIC_URL ?? ''}/blobs`);
  // A job without its blobs could only fail, so a faulty configuration stops the process.
  if (isLeft(blobs)) throw new Error(blobs.left.detail);
  const opened = specs.map(({ open, ...settings }) => ({ settings, queue: open({ ...platform, blobs: blobs.right }) }));
  return {
    handlers: opened.map(({ settings, queue }) => ({ ...settings, perform: queue.perform })),
    close: async () => {
      await Promise.all(opened.map(({ queue }) => queue.close?.()));
      await blobs.right.close();
    },
  };
};
