/** GET /v1/platform/work/jobs and one of them: jobs of work queues, their state and progress, for their tenant and for operators of the platform. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { finite, Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { JobId } from '../../../domain/kernel/ids';
import type { JobQuery, JobRecord } from '../../../infra/ports/processes/work-queue';
import { commonProblems, problem } from '../../../infra/server/http/problem';
import { route } from '../../../infra/server/http/routing/route';
import { scopes } from '../schemas';
import {
  defaultLimit,
  Failure,
  JobCorrelationId,
  JobKey,
  JobTenant,
  PageLimit,
  Queue,
  queueUnavailable,
  Reason,
  tenantFor,
} from './job-fields';
import type { Operations } from './operations';

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

const answerOf = ({ id: jobId, tenant: tenantId, ...job }: JobRecord) => ({ jobId, tenantId, ...job });

const queryOf = ({ cursor, queue, kind, state, limit }: Query, tenant: string | undefined): JobQuery => ({
  limit: limit === undefined ? defaultLimit : Number(limit),
  ...(tenant === undefined ? {} : { tenant }),
  ...(cursor === undefined ? {} : { before: cursor }),
  ...(queue === undefined ? {} : { queue }),
  ...(kind === undefined ? {} : { kind }),
  ...(state === undefined ? {} : { state }),
});

export const listJobs = route<Operations>()({
  method: 'get',
  path: '/v1/platform/work/jobs',
  operation: 'listJobs',
  summary: 'List jobs of work queues, newest first: the tenant’s, or all for operators of the platform',
  access: { scopes },
  query: Query,
  answers: { 200: { description: 'A page of jobs.', body: Jobs } },
  handle: async (operations, { identity, query }) => {
    const request = queryOf(query, tenantFor(operations, identity));
    const jobs = await operations.processes.jobs.listJobs(request);
    if (isLeft(jobs)) return queueUnavailable(jobs.left);
    const items = jobs.right.map(answerOf);
    const next = items.length < request.limit ? null : (items.at(-1)?.jobId ?? null);
    return { status: 200, body: { items, next_cursor: next } };
  },
});

export const getJob = route<Operations>()({
  method: 'get',
  path: '/v1/platform/work/jobs/:jobId',
  operation: 'getJob',
  summary: 'Get a job: state, place in the queue, progress, worker',
  access: { scopes },
  params: Params,
  answers: { 200: { description: 'The job.', body: Job } },
  problems: { 'not-found': commonProblems['not-found'] },
  handle: async (operations, { identity, params: { jobId } }) => {
    const job = await operations.processes.jobs.findJob(jobId, tenantFor(operations, identity));
    if (isLeft(job)) return queueUnavailable(job.left);
    return job.right === undefined
      ? problem('not-found', 'There is no such job.')
      : { status: 200, body: answerOf(job.right) };
  },
});
