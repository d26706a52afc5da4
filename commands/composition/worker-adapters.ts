/** Opens the queues that a worker takes jobs from, with the adapters that their handlers are given. */
import { resolve } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { openLocalCopies } from '../../infra/adapters/blobs/local-copies';
import { type blobVariables, openBlobs } from '../../infra/adapters/blobs/open-blob-store';
import { openIndexedRows } from '../../infra/adapters/elastic/indexed-rows';
import { type embedderVariables, shareEmbedder } from '../../infra/adapters/embeddings/open-embedder';
import { kmsVariables, openKms } from '../../infra/adapters/kms/open-keystore';
import { openRemoteForm } from '../../infra/adapters/remote/post-form';
import { openPostWebhook } from '../../infra/adapters/remote/post-webhook';
import { shareTranscriber, type transcriberVariables } from '../../infra/adapters/transcriber/open-transcriber';
import type { PartHealth } from '../../infra/ports/runtime/health';
import {
  anyText,
  type ConfigOf,
  oneOfWords,
  optional,
  variables,
  withDefault,
} from '../../infra/server/runtime/config';
import { offDetail } from '../../infra/server/runtime/store-off';
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
  /** Whether applications and receivers of webhooks that are called may have private addresses. */
  PRIVATE_ADDRESSES: withDefault(oneOfWords('refuse', 'allow'), 'refuse'),
};

/** Where jobs that remove something count what is left. */
export const indexVariables = {
  ELASTICSEARCH_URL: optional(variables.ELASTICSEARCH_URL),
  ELASTICSEARCH_PREFIX: optional(variables.ELASTICSEARCH_PREFIX),
  OFF_ELASTICSEARCH: optional(anyText),
};

type PlatformConfig = ConfigOf<
  typeof blobVariables &
    typeof sandboxVariables &
    typeof issuerVariables &
    typeof embedderVariables &
    typeof indexVariables &
    typeof transcriberVariables
> & {
  readonly PUBLIC_URL: string | undefined;
  /** Of the registry of views. */
  readonly POSTGRES_URL: string;
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
  const limits = { allowPrivate: PRIVATE_ADDRESSES === 'allow' };
  return right({
    issuer,
    kms: kms.right,
    postForm: openRemoteForm(limits),
    postWebhook: openPostWebhook(limits),
  });
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
  adapters: Omit<
    WorkerAdapters,
    'blobs' | 'sandboxes' | 'copies' | 'asIssuer' | 'embedder' | 'transcriber' | 'indexedRows'
  >,
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
    adapters.log.warn({ queue, detail: `${queue}. ${reason}` }, 'the jobs of this queue are left to other workers');
  const asIssuer = isLeft(access) ? undefined : access.right;
  const embedder = shareEmbedder(config, adapters.log);
  const indexedRows = openIndexedRows({
    url: config.ELASTICSEARCH_URL,
    postgresUrl: config.POSTGRES_URL,
    prefix: config.ELASTICSEARCH_PREFIX,
    off: offDetail('ELASTICSEARCH', config.OFF_ELASTICSEARCH),
  });
  const transcriber = shareTranscriber(config, adapters.log);
  const copies = openLocalCopies({ blobs: blobs.right, directory: sandboxDirectory(resolve(config.SANDBOX_DIR)) });
  const shared = {
    blobs: blobs.right,
    sandboxes,
    copies,
    asIssuer,
    embedder: embedder.current,
    transcriber: transcriber?.current,
    indexedRows,
  };
  const opened = specs
    .filter((spec) => !off.has(spec))
    .map(({ open, ...settings }) => ({
      settings,
      queue: open({ ...adapters, ...shared }),
    }));
  return {
    handlers: opened.map(({ settings, queue }) => ({ ...settings, perform: queue.perform })),
    off: Object.fromEntries([...off].map(([{ queue }, reason]) => [queue, { ok: false, detail: `Off: ${reason}` }])),
    close: async () => {
      await Promise.all(opened.map(({ queue }) => queue.close?.()));
      await Promise.all([embedder.close(), transcriber?.close(), indexedRows.close()]);
      await sandboxes.close();
      await copies.close();
      await blobs.right.close();
    },
  };
};
