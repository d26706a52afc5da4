/** Opens the queues that a worker takes jobs from, with the adapters that their handlers are given. */
import { resolve } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type blobVariables, openBlobs } from '../../infra/adapters/blobs/open-blob-store';
import type { embedderVariables } from '../../infra/adapters/embeddings/open-embedder';
import { shareEmbedder } from '../../infra/adapters/embeddings/shared-embedder';
import { kmsVariables, openKms } from '../../infra/adapters/kms/open-keystore';
import { openRemoteForm } from '../../infra/adapters/remote/post-form';
import type { PartHealth } from '../../infra/ports/runtime/health';
import {
  anyText,
  type ConfigOf,
  oneOfWords,
  optional,
  variables,
  withDefault,
} from '../../infra/server/runtime/config';
import { openSandboxes, sandboxDirectory } from '../../packages/sandbox/src/index';
import type { Sandboxes, SandboxFault } from '../../packages/sandbox/src/ports';
import type { IssuerAccess, JobHandler, QueueSpec, WorkerAdapters } from '../kernel/work-queue/job-handler';

export interface OpenedQueues {
  readonly handlers: readonly JobHandler[];
  /** Queues whose jobs this worker cannot perform. */
  readonly off: { readonly [queue: string]: PartHealth };
  readonly close: () => Promise<void>;
}

export const sandboxVariables = { SANDBOX_DIR: withDefault(anyText, '.data/sandboxes') };

export const issuerVariables = {
  ...kmsVariables,
  /** Left out: jobs that call others in its name are left to other workers. */
  ISSUER: optional(variables.ISSUER),
  /** Whether applications that are called may have private addresses. */
  PRIVATE_ADDRESSES: withDefault(oneOfWords('refuse', 'allow'), 'refuse'),
};

type PlatformConfig = ConfigOf<
  typeof blobVariables & typeof sandboxVariables & typeof issuerVariables & typeof embedderVariables
> & {
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

/** Left: why there is none. Undefined: no queue needs it. */
const issuerAccessFor = (
  specs: readonly QueueSpec[],
  config: PlatformConfig,
): Either<string, IssuerAccess | undefined> => {
  if (!specs.some(({ callsAsIssuer }) => callsAsIssuer)) return right(undefined);
  const { ISSUER: issuer, PRIVATE_ADDRESSES } = config;
  if (issuer === undefined) return left('ISSUER is not set.');
  const kms = openKms(config);
  if (isLeft(kms)) return left(kms.left.detail);
  return right({ issuer, kms: kms.right, postForm: openRemoteForm({ allowPrivate: PRIVATE_ADDRESSES === 'allow' }) });
};

/** Queues whose jobs this worker cannot perform, each with the reason. */
const offQueues = (
  specs: readonly QueueSpec[],
  { programs, issuer }: { readonly programs: string | undefined; readonly issuer: string | undefined },
): ReadonlyMap<QueueSpec, string> =>
  new Map(
    specs.flatMap((spec) => {
      const reason = (spec.runsPrograms && programs) || (spec.callsAsIssuer && issuer) || undefined;
      return reason === undefined ? [] : [[spec, reason]];
    }),
  );

/** Without queues there is nothing to open. */
export const openQueues = async (
  specs: readonly QueueSpec[],
  config: PlatformConfig,
  adapters: Omit<WorkerAdapters, 'blobs' | 'sandboxes' | 'asIssuer' | 'embedder'>,
): Promise<OpenedQueues> => {
  if (specs.length === 0) return { handlers: [], off: {}, close: () => Promise.resolve() };
  const blobs = openBlobs(config, `${config.PUBLIC_URL ?? ''}/blobs`);
  // A job without its blobs could only fail, so a faulty configuration stops the process.
  if (isLeft(blobs)) throw new Error(blobs.left.detail);
  const found = await sandboxesFor(specs, config);
  const sandboxes = isLeft(found) ? noSandboxes : found.right;
  if (isLeft(found)) adapters.log.info({ ...found.left }, 'programs cannot be isolated here');
  const access = issuerAccessFor(specs, config);
  const off = offQueues(specs, {
    programs: isLeft(found) ? found.left.detail : undefined,
    issuer: isLeft(access) ? access.left : undefined,
  });
  for (const [{ queue }, reason] of off)
    adapters.log.warn({ queue, reason }, 'the jobs of this queue are left to other workers');
  const asIssuer = isLeft(access) ? undefined : access.right;
  const embedder = shareEmbedder(config, adapters.log);
  const opened = specs
    .filter((spec) => !off.has(spec))
    .map(({ open, ...settings }) => ({
      settings,
      queue: open({ ...adapters, blobs: blobs.right, sandboxes, asIssuer, embedder: embedder.current }),
    }));
  return {
    handlers: opened.map(({ settings, queue }) => ({ ...settings, perform: queue.perform })),
    off: Object.fromEntries([...off].map(([{ queue }, reason]) => [queue, { ok: false, detail: `Off: ${reason}` }])),
    close: async () => {
      await Promise.all(opened.map(({ queue }) => queue.close?.()));
      await embedder.close();
      await sandboxes.close();
      await blobs.right.close();
    },
  };
};
