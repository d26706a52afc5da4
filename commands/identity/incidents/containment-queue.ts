/** The queue of containments, for workers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, left, right } from 'fp-ts/Either';
import { type Containment, containmentQueue } from '../../../domain/identity/contain-on-incident-opened/process';
import { TenantId } from '../../../domain/kernel/ids';
import { again, type JobRun, type PerformJob, queueSpec } from '../../kernel/work-queue/job-handler';
import { containIncident } from './contain-incident';
import type { ContainmentDeps } from './containment-steps';

/** How long one attempt waits for gateways, and how often it looks. */
const waitMilliseconds = 5_000;
const lookMilliseconds = 100;

const pauseOf = ({ signal }: JobRun) => {
  const until = performance.now() + waitMilliseconds;
  return async (): Promise<boolean> => {
    if (signal.aborted || performance.now() >= until) return false;
    await sleep(lookMilliseconds);
    return true;
  };
};

const performContainment =
  (deps: Omit<ContainmentDeps, 'pause'>): PerformJob<Containment> =>
  async ({ tenant, cause, payload: { incidentId } }, run) => {
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    const pause = pauseOf(run);
    const request = { tenantId: tenant, incidentId, requestId: cause.correlationId };
    const contained = await containIncident({ ...deps, pause }, request);
    return isLeft(contained) ? again(contained.left.detail) : right([]);
  };

export const containments = queueSpec(containmentQueue, {
  concurrency: 8,
  targets: {},
  open: (adapters) => ({ perform: performContainment(adapters) }),
});
