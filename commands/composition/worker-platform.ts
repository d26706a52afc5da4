/** Opens the queues that a worker takes jobs from, with the adapters that their handlers are given. */
import { resolve } from 'node:path';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { textForOperators } from '../../domain/kernel/rejection';
import { type blobVariables, openBlobs } from '../../infra/blobs/open-blob-store';
import type { PartHealth } from '../../infra/ports/runtime/health';
import type { Sandboxes, SandboxFault } from '../../infra/ports/sandbox';
import { anyText, type ConfigOf, withDefault } from '../../infra/runtime/config';
import { openSandboxes } from '../../infra/sandbox/open-sandboxes';
import { sandboxDirectory } from '../../infra/sandbox/sandbox-directory';
import type { JobHandler, QueueSpec, WorkerPlatform } from '../kernel/work-queue/job-handler';

export interface OpenedQueues {
  readonly handlers: readonly JobHandler[];
  /** Queues whose jobs this worker cannot perform. */
  readonly off: { readonly [queue: string]: PartHealth };
  readonly close: () => Promise<void>;
}

export const sandboxVariables = { SANDBOX_DIR: withDefault(anyText, '.data/sandboxes') };

type PlatformConfig = ConfigOf<typeof blobVariables & typeof sandboxVariables> & {
  readonly PUBLIC_URL: string | undefined;
};

const noSandboxes: Sandboxes = {
  prepare: () => Promise.reject(new Error('The queue does not declare that it runs programs.')),
  close: () => Promise.resolve(),
};

const sandboxesFor = async (
  specs: readonly QueueSpec[],
  { SANDBOX_DIR: directory }: PlatformConfig,
): Promise<Either<SandboxFault, Sandboxes>> => {
  if (!specs.some(({ runsPrograms }) => runsPrograms)) return right(noSandboxes);
  const opened = await openSandboxes({ directory: sandboxDirectory(resolve(directory)) });
  return isLeft(opened) ? opened : right(opened.right.sandboxes);
};

/** Without queues there is nothing to open. */
export const openQueues = async (
  specs: readonly QueueSpec[],
  config: PlatformConfig,
  platform: Omit<WorkerPlatform, 'blobs' | 'sandboxes'>,
): Promise<OpenedQueues> => {
  if (specs.length === 0) return { handlers: [], off: {}, close: () => Promise.resolve() };
  const blobs = openBlobs(config, `${config.PUBLIC_URL ?? ''}/blobs`);
  // A job without its blobs could only fail, so a faulty configuration stops the process.
  if (isLeft(blobs)) throw new Error(blobs.left.detail);
  const found = await sandboxesFor(specs, config);
  const sandboxes = isLeft(found) ? noSandboxes : found.right;
  const off = isLeft(found) ? specs.filter(({ runsPrograms }) => runsPrograms) : [];
  const reason = isLeft(found) ? textForOperators(found.left) : '';
  for (const { queue } of off) platform.log.warn({ queue, reason }, 'the jobs of this queue are left to other workers');
  const opened = specs
    .filter((spec) => !off.includes(spec))
    .map(({ open, ...settings }) => ({ settings, queue: open({ ...platform, blobs: blobs.right, sandboxes }) }));
  return {
    handlers: opened.map(({ settings, queue }) => ({ ...settings, perform: queue.perform })),
    off: Object.fromEntries(off.map(({ queue }) => [queue, { ok: false, detail: `Off: ${reason}` }])),
    close: async () => {
      await Promise.all(opened.map(({ queue }) => queue.close?.()));
      await sandboxes.close();
      await blobs.right.close();
    },
  };
};
