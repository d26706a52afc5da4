/** Has due files of all tenants processed again: when a worker begins, and from time to time. Workers that do so at once request nothing twice. */
import { isLeft } from 'fp-ts/Either';
import type { Embedder } from '../../../infra/ports/files/embedder';
import { pause } from '../../../infra/server/runtime/backoff';
import type { WorkerAdapters } from '../../kernel/work-queue/job-handler';
import type { FilesOfTenant } from './indexed-files';
import { openIndexedFiles } from './indexed-files';
import { requestReindexing } from './request-reindexing';

/** While there are more, the next are requested soon after the ones before. */
const [busyMilliseconds, idleMilliseconds] = [15_000, 600_000];

export interface ReindexingPauses {
  readonly busyMilliseconds: number;
  readonly idleMilliseconds: number;
}

/** Vectors of what stands in for a model are no reason to replace others. */
const modelOf = (embedder: Embedder | undefined): string | undefined =>
  embedder?.isStandIn === true ? undefined : embedder?.model;

const hasVectors = (files: FilesOfTenant): boolean => {
  for (const { active } of files.values()) if (active !== undefined) return true;
  return false;
};

type FollowerDeps = Pick<
  WorkerAdapters,
  'store' | 'clock' | 'log' | 'commandMetrics' | 'embedder' | 'random' | 'signal'
>;

export const followDueFiles = (
  deps: FollowerDeps,
  pauses: ReindexingPauses = { busyMilliseconds, idleMilliseconds },
): { readonly close: () => Promise<void> } => {
  const closing = new AbortController();
  const signal = AbortSignal.any([closing.signal, deps.signal]);
  const indexed = openIndexedFiles(deps.store);
  /** Whether more are due. */
  const requestDue = async (): Promise<boolean> => {
    const tenants = await indexed.read(signal);
    if (isLeft(tenants)) {
      deps.log.warn({ code: tenants.left.code }, 'files that are to be indexed again could not be read');
      return true;
    }
    let isBusy = false;
    for (const [tenant, files] of tenants.right) {
      if (signal.aborted) return false;
      if (!hasVectors(files)) continue;
      // Opened for the first time only where there is a file: its model may have to be fetched.
      const model = modelOf(deps.embedder());
      const actor = 'system:reindex-files';
      const correlationId = deps.random.uuid();
      const requested = await requestReindexing(deps, { tenant, files: files.values(), model, actor, correlationId });
      if (isLeft(requested)) {
        deps.log.warn({ tenant, code: requested.left.code }, 'files could not be indexed again');
        isBusy = true;
        continue;
      }
      const { due, requested: begun } = requested.right;
      if (begun > 0) deps.log.info({ tenant, due, requested: begun }, 'files are indexed again');
      isBusy ||= due > 0;
    }
    return isBusy;
  };
  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      const isBusy = await requestDue();
      await pause(isBusy ? pauses.busyMilliseconds : pauses.idleMilliseconds, signal);
    }
  };
  const ended = follow();
  return {
    close: async () => {
      closing.abort();
      await ended;
    },
  };
};
