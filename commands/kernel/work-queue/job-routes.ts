/** Jobs of work queues: their state and progress, for their tenant and for operators of the platform, who cancel and retry them. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { finite, Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { commonProblems, problem, problemOf } from '../../../infra/http/problem';
import { type BoundRoute, bind, type Identity, route } from '../../../infra/http/routing/route';
import type { JobQuery, JobRecord } from '../../../infra/ports/processes/work-queue';
import {
  defaultLimit,
  Failure,
  type JobAccess,
  JobCorrelationId,
  JobId,
  JobKey,
  JobTenant,
  PageLimit,
  Queue,
  queueUnavailable,
  Reason,
  tenantFor,
} from './job-access';

const JobState = oneOf('JobState', [
  'delayed',
  'waiting',
  'running',
  'lost',
  'done',
  'dead',
  'cancelled',
  'dropped',
] as const);

/** Postgres holds no NUL, so nothing is found by a text with one. */
const Filter = text('JobFilter', { examples: ['compact-snapshots'], maxLength: 256, pattern: '[^\\u0000]*' });

const Params = record('JobParams', { jobId: JobId });
const Query = record('JobQuery', {}, { cursor: JobId, limit: PageLimit, queue: Filter, kind: Filter, state: JobState });
type Query = t.TypeOf<typeof Query>;

const Job = record('Job', {
  jobId: JobId,
  queue: Queue,
  kind: text('JobKind', { examples: ['compact'], maxLength: 256 }),
  key: JobKey,
  tenantId: JobTenant,
  correlationId: JobCorrelationId,
  /** `delayed`: its time has not come. `waiting`: for a worker with capacity. `lost`: its worker is gone, another one gets it. */
  state: JobState,
  priority: integer(),
  attempts: integer(0),
  mostAttempts: integer(1),
  /** 1 for the job that is claimed next; null where it is not waiting, or more than 10,000 jobs wait in its queue. */
  position: nullable(integer(1)),
  progress: nullable(
    record('JobProgress', {
      fraction: finite,
      detail: text('ProgressDetail', { examples: ['Piece 3 of 8'], maxLength: 500, minLength: 0 }),
    }),
  ),
  /** Of the claim that holds or held it last. */
  worker: nullable(text('WorkerName', { examples: ['workers-1'], maxLength: 320 })),
  claimedAt: nullable(Instant),
  /** When its worker last renewed the claim. */
  seenAt: nullable(Instant),
  enqueuedAt: Instant,
  notBefore: Instant,
  deadline: nullable(Instant),
  endedAt: nullable(Instant),
  /** It is running, and its worker is to end it. */
  isCancelRequested: t.boolean,
  /** Why the last attempt failed. */
  reason: nullable(Reason),
  /** The oldest first; twenty at most. */
  failures: t.readonlyArray(Failure),
});
const Jobs = record('Jobs', { items: t.readonlyArray(Job), next_cursor: nullable(JobId) });
const Cancelled = record('CancelledJob', {
  jobId: JobId,
  /** `cancelling`: its worker has yet to end it. */
  state: oneOf('CancelledJobState', ['cancelled', 'cancelling'] as const),
});
const Retried = record('RetriedJob', { jobId: JobId });

const unknown = { 'not-found': commonProblems['not-found'] } as const;
const problems = { ...unknown, 'job-ended': { status: 409, title: 'The job has ended' } } as const;
const jobUnknown = () => problem('not-found', 'There is no such job.');

const answerOf = ({ id: jobId, tenant: tenantId, ...job }: JobRecord) => ({ jobId, tenantId, ...job });

const queryOf = ({ cursor, queue, kind, state, limit }: Query, tenant: string | undefined): JobQuery => ({
  limit: limit === undefined ? defaultLimit : Number(limit),
  ...(tenant === undefined ? {} : { tenant }),
  ...(cursor === undefined ? {} : { before: cursor }),
  ...(queue === undefined ? {} : { queue }),
  ...(kind === undefined ? {} : { kind }),
  ...(state === undefined ? {} : { state }),
});

const listJobs = route<JobAccess>()({
  method: 'get',
  path: '/v1/platform/work/jobs',
  operation: 'listJobs',
  summary: 'List jobs of work queues, newest first: the tenant’s, or all for operators of the platform',
  access: { scopes: ['platform:read'] },
  query: Query,
  answers: { 200: { description: 'A page of jobs.', body: Jobs } },
  handle: async (deps, { identity, query }) => {
    const request = queryOf(query, tenantFor(deps, identity));
    const jobs = await deps.work.listJobs(request);
    if (isLeft(jobs)) return queueUnavailable(jobs.left);
    const items = jobs.right.map(answerOf);
    const next = items.length < request.limit ? null : (items.at(-1)?.jobId ?? null);
    return { status: 200, body: { items, next_cursor: next } };
  },
});

const getJob = route<JobAccess>()({
  method: 'get',
  path: '/v1/platform/work/jobs/:jobId',
  operation: 'getJob',
  summary: 'Get a job: state, place in the queue, progress, worker',
  access: { scopes: ['platform:read'] },
  params: Params,
  answers: { 200: { description: 'The job.', body: Job } },
  problems: unknown,
  handle: async (deps, { identity, params: { jobId } }) => {
    const job = await deps.work.findJob(jobId, tenantFor(deps, identity));
    if (isLeft(job)) return queueUnavailable(job.left);
    return job.right === undefined ? jobUnknown() : { status: 200, body: answerOf(job.right) };
  },
});

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
  answers: { 200: { description: 'It is cancelled, or will be.', body: Cancelled } },
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
        const detail = 'The job had ended before it was cancelled.';
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
  summary: 'Retry a dead or cancelled job, with all its attempts and without its deadline',
  access: { scopes: ['platform:write'] },
  params: Params,
  answers: { 200: { description: 'It waits again.', body: Retried } },
  problems: unknown,
  handle: async (deps, { identity, params: { jobId } }) => {
    const retried = await deps.work.retryJob(jobId, tenantFor(deps, identity));
    if (isLeft(retried)) return queueUnavailable(retried.left);
    if (!retried.right) return problem('not-found', 'There is no such job that is dead or cancelled.');
    logChange(deps, identity, jobId, 'retry');
    return { status: 200, body: { jobId } };
  },
});

export const jobRoutes = (deps: JobAccess): readonly BoundRoute[] => [
  bind(deps, listJobs),
  bind(deps, getJob),
  bind(deps, cancelJob),
  bind(deps, retryJob),
];
