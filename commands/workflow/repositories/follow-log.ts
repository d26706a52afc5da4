/** Follows the log: commits of deleted repositories are removed, and limits of organizations reach the claims of jobs. */
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import { parseStreamName } from '../../../domain/kernel/ids';
import { effectiveLimits } from '../../../domain/workflow/organization/decider';
import { organizations } from '../../../domain/workflow/organization/events';
import { repositories } from '../../../domain/workflow/repository/events';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { resumeUntilAborted } from '../../../infra/server/runtime/backoff';
import { logOutage } from '../../../infra/server/runtime/outage';
import { createWakeSignal } from '../../kernel/wake-signal';
import type { WorkflowAdapters } from '../adapters';

const longestWaitMilliseconds = 60_000;
const types = ['workflow.RepositoryDeleted.', 'workflow.OrganizationConfigured.'];

/** Throws where it cannot now, so that the event is delivered again. Repeating it has no further effect. */
const apply = async ({ git, claims }: WorkflowAdapters, stored: StoredEvent): Promise<void> => {
  const tenantId = parseStreamName(stored.stream)?.tenant;
  if (tenantId === undefined) return;
  const deleted = repositories.decode(stored.type, stored.data);
  if (!isLeft(deleted) && deleted.right.type === 'RepositoryDeleted') {
    await git?.remove({ tenantId, repoId: deleted.right.data.repoId });
    return;
  }
  const configured = organizations.decode(stored.type, stored.data);
  if (isLeft(configured)) return;
  const { concurrentJobs, secondsPerMonth } = effectiveLimits(configured.right.data);
  const { at } = stored.metadata as { readonly at: Instant };
  const set = await claims.setLimits({ tenantId, concurrentJobs, secondsPerMonth, at });
  if (isLeft(set)) throw new Error(set.left.detail);
};

/** From the first event on each start: there are few, and their effects are there already. Resolves after the signal. */
export const followRepositories = async (adapters: WorkflowAdapters): Promise<void> => {
  const { store, runs, signal, log } = adapters;
  const [waiting, arrived] = [[] as StoredEvent[], createWakeSignal()];
  const unlisten = runs.listen({
    onEvent: (stored) => {
      if (!types.some((type) => stored.type.startsWith(type))) return;
      waiting.push(stored);
      arrived.notify();
    },
  });
  await runs.started;
  let after: bigint | null = null;
  const follow = async (progress: () => void): Promise<void> => {
    for await (const stored of store.readAll({ after, filter: { types } })) {
      if (signal.aborted) return;
      await apply(adapters, stored);
      progress();
      after = stored.position;
    }
    while (!signal.aborted) {
      const [first] = waiting;
      if (first !== undefined) await apply(adapters, first);
      else await arrived.wait(longestWaitMilliseconds, signal);
      if (first !== undefined) waiting.shift();
      progress();
    }
  };
  await resumeUntilAborted(follow, {
    signal,
    ...logOutage(log, {
      failing: 'following repositories and organizations failed; it is resumed',
      recovered: 'repositories and organizations are followed again',
    }),
  });
  unlisten();
};
