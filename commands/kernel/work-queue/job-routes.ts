/** Jobs of work queues, cancelled and retried by the operators of their tenant and of the platform. */
import { isLeft } from 'fp-ts/Either';
import { oneOf, record } from '../../../domain/kernel/codec';
import { JobId } from '../../../domain/kernel/ids';
import { commonProblems, problem, problemOf } from '../../../infra/server/http/problem';
import { type BoundRoute, bind, type Identity, route } from '../../../infra/server/http/routing/route';
import { type JobAccess, queueUnavailable, tenantFor } from './job-access';

const Params = record('JobParams', { jobId: JobId });
const Cancelled = record('CancelledJob', {
  jobId: JobId,
  /** `cancelling`: its worker has yet to end it. */
  state: oneOf('CancelledJobState', ['cancelled', 'cancelling'] as const),
});
const Retried = record('RetriedJob', { jobId: JobId });

const unknown = { 'not-found': commonProblems['not-found'] } as const;
const problems = { ...unknown, 'job-ended': { status: 409, title: 'The job has ended' } } as const;
const jobUnknown = () => problem('not-found', 'There is no such job.');

const logChange = ({ log }: JobAccess, { tenantId, principalId }: Identity, jobId: string, verb: string): void =>
  log.info({ jobId, tenantId, principalId, verb }, 'an operator changed a job');

const cancelJob = route<JobAccess>()({
  method: 'post',
  path: '/v1/platform/work/jobs/:jobId/cancel',
  operation: 'cancelJob',
  sensitive: true,
  summary: 'Cancel a job. A running one gets a signal, and is killed if it does not end',
  access: { scopes: ['platform:write'] },
  params: Params,
  answers: { 200: { description: 'The job is canceled, or will be.', body: Cancelled } },
  problems,
  handle: async (deps, { identity, params: { jobId } }) => {
    const tenant = tenantFor(deps, identity);
    const cancelled = await deps.work.cancelJob(jobId, tenant);
    if (isLeft(cancelled)) return queueUnavailable(cancelled.left);
    switch (cancelled.right) {
      case 'unknown':
        return jobUnknown();
      case 'ended': {
        const job = await deps.work.findJob(jobId, tenant);
        if (isLeft(job)) return queueUnavailable(job.left);
        if (job.right?.state === 'cancelled') return { status: 200, body: { jobId, state: 'cancelled' } };
        const detail = 'The job had ended before it was canceled.';
        return problemOf({ kind: 'rejection', code: 'job-ended', detail }, problems);
      }
      case 'cancelled':
      case 'requested':
        logChange(deps, identity, jobId, 'cancel');
        return { status: 200, body: { jobId, state: cancelled.right === 'cancelled' ? 'cancelled' : 'cancelling' } };
    }
  },
});

const retryJob = route<JobAccess>()({
  method: 'post',
  path: '/v1/platform/work/jobs/:jobId/retry',
  operation: 'retryJob',
  sensitive: true,
  summary: 'Retry a dead or canceled job, with a full number of attempts and without its deadline',
  access: { scopes: ['platform:write'] },
  params: Params,
  answers: { 200: { description: 'It waits again.', body: Retried } },
  problems: unknown,
  handle: async (deps, { identity, params: { jobId } }) => {
    const retried = await deps.work.retryJob(jobId, tenantFor(deps, identity));
    if (isLeft(retried)) return queueUnavailable(retried.left);
    if (!retried.right) return problem('not-found', 'There is no such job that is dead or canceled.');
    logChange(deps, identity, jobId, 'retry');
    return { status: 200, body: { jobId } };
  },
});

export const jobRoutes = (deps: JobAccess): readonly BoundRoute[] => [bind(deps, cancelJob), bind(deps, retryJob)];
