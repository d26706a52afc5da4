/** What a runner reports of a job, each under its lease: a stale epoch is 409, and changes nothing. */

import { buffer } from 'node:stream/consumers';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { decode, record } from '../../../domain/kernel/codec';
import { JobId } from '../../../domain/workflow/ids';
import {
  CompleteJob,
  LogAcknowledgement,
  LogChunks,
  ReportStep,
  StartJob,
} from '../../../domain/workflow/protocol/runner';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import { run as runDecider } from '../../../domain/workflow/run/decider';
import { runStream } from '../../../domain/workflow/run/events';
import type { JobLease } from '../../../infra/ports/workflow/job-claims';
import { commonProblems, invalidInput, type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import {
  type Answer,
  type BoundRoute,
  bind,
  byteRoute,
  type RequestBytes,
  route,
} from '../../../infra/server/http/routing/route';
import { parseJson } from '../../../infra/server/http/untrusted-json';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { WorkflowAdapters } from '../adapters';
import { authenticateRunner } from './authenticate-runner';
import { type CurrentLease, findActiveLease, findLease, staleEpoch } from './job-lease';
import { leaseProblems } from './problems';
import { receiveChunks } from './received-chunks';

const JobPath = record('RunnerJobPath', { jobId: JobId });
const authorization = {
  name: 'Authorization',
  description: 'Bearer, with the credential of the runner.',
  required: true,
};
const problems = {
  ...leaseProblems,
  unauthenticated: commonProblems.unauthenticated,
  'event-store-unavailable': commonProblems['event-store-unavailable'],
  'event-store-ambiguous': commonProblems['event-store-ambiguous'],
};
const common = {
  method: 'post',
  access: 'public',
  sensitive: false,
  params: JobPath,
  headers: [authorization],
  problems,
} as const;
const recorded = { 204: { description: 'Recorded, now or before.' } };
const done: Answer = { status: 204 };

interface Call {
  readonly headers: { readonly [name: string]: string | undefined };
  readonly jobId: JobId;
  readonly epoch: number;
}

const leaseOf = async (
  adapters: WorkflowAdapters,
  { headers, jobId, epoch }: Call,
  find: typeof findLease,
): Promise<Either<Problem, CurrentLease>> => {
  const runner = await authenticateRunner(adapters, headers.authorization);
  return isLeft(runner) ? runner : find(adapters, { runner: runner.right, jobId, epoch });
};

/** One report of each kind per lease: a repetition is the same command. */
const command = async (
  adapters: WorkflowAdapters,
  { tenantId, runId, jobId, epoch, runnerId }: JobLease,
  decided: Extract<RunCommand, { type: 'StartJob' | 'CompleteJob' }>,
): Promise<Problem | undefined> => {
  const handled = await handle(adapters, runDecider, {
    stream: runStream(tenantId, runId),
    command: decided,
    commandId: derivedId('workflow-runner', decided.type, tenantId, runId, jobId, epoch),
    tenant: tenantId,
    actor: `runner:${runnerId}`,
    correlationId: runId,
  });
  return isLeft(handled) ? problemOf(handled.left, leaseProblems) : undefined;
};

/** Larger than other JSON bodies; the manifest's transfer bounds them, too. */
const jsonBytes = { mediaTypes: ['application/json'], maxBytes: 2 ** 24 };
const readJson = async <A>(codec: t.Decoder<unknown, A>, { stream }: RequestBytes): Promise<Either<Problem, A>> => {
  const parsed = parseJson(await buffer(stream));
  if (isLeft(parsed)) return left(problem('malformed-body', 'The body is not valid JSON.'));
  const decoded = decode(codec, parsed.right);
  return isLeft(decoded) ? left(invalidInput(decoded.left)) : right(decoded.right);
};

const startJob = route<WorkflowAdapters>()({
  ...common,
  path: '/runner/jobs/:jobId/start',
  operation: 'startJob',
  summary: 'Report that a job has started',
  description: 'The lease starts again from here. A runner starts no step before it has the answer.',
  body: StartJob,
  answers: recorded,
  handle: async (adapters, { params: { jobId }, body: { epoch }, headers }) => {
    const found = await leaseOf(adapters, { headers, jobId, epoch }, findActiveLease);
    if (isLeft(found)) return found.left;
    const { lease } = found.right;
    const { runId, runnerId } = lease;
    // The runner counts its lease from the assignment's arrival, which may be late. No step begins before this answer.
    const [refused, renewed] = await Promise.all([
      command(adapters, lease, { type: 'StartJob', runId, jobId, epoch, runnerId }),
      adapters.claims.renew([lease]),
    ]);
    if (refused !== undefined) return refused;
    if (isLeft(renewed)) return problemOf(renewed.left, leaseProblems);
    return renewed.right.length === 0 ? staleEpoch : done;
  },
});

const reportStep = route<WorkflowAdapters>()({
  ...common,
  path: '/runner/jobs/:jobId/steps',
  operation: 'reportStep',
  summary: 'Report that a step has started or ended',
  description: 'For viewers of the log; what counts in the end are the steps that the completion names.',
  body: ReportStep,
  answers: recorded,
  handle: async (adapters, { params: { jobId }, body: { epoch, step }, headers }) => {
    const found = await leaseOf(adapters, { headers, jobId, epoch }, findActiveLease);
    if (isLeft(found)) return found.left;
    const reported = await adapters.logs.reportStep(found.right.lease, step);
    return isLeft(reported) ? problemOf(reported.left, leaseProblems) : done;
  },
});

const sendLogs = byteRoute<WorkflowAdapters>()({
  ...common,
  path: '/runner/jobs/:jobId/logs',
  operation: 'sendLogChunks',
  summary: 'Store chunks of the log of a job',
  description:
    'JSON (`LogChunks`): `epoch` and up to 64 chunks, in any order and again. Also of a job that has just ended under the epoch. `next`: every chunk before it is stored.',
  bytes: jsonBytes,
  answers: { 200: { description: 'They are stored on disk.', body: LogAcknowledgement } },
  handle: async (adapters, { params: { jobId }, body, headers }) => {
    const sent = await readJson(LogChunks, body);
    if (isLeft(sent)) return sent.left;
    const { epoch, chunks } = sent.right;
    const found = await leaseOf(adapters, { headers, jobId, epoch }, findLease);
    if (isLeft(found)) return found.left;
    const received = receiveChunks(chunks);
    if (isLeft(received)) return received.left;
    const stored = await adapters.logs.append(found.right.lease, received.right);
    if (isLeft(stored)) return problemOf(stored.left, leaseProblems);
    return { status: 200, body: { next: stored.right.next } };
  },
});

const completeJob = byteRoute<WorkflowAdapters>()({
  ...common,
  path: '/runner/jobs/:jobId/complete',
  operation: 'completeJob',
  summary: 'Report how a job ended',
  description: 'JSON (`CompleteJob`). The first report under an epoch counts; repeating it gets the same answer.',
  bytes: jsonBytes,
  answers: recorded,
  handle: async (adapters, { params: { jobId }, body, headers }) => {
    const sent = await readJson(CompleteJob, body);
    if (isLeft(sent)) return sent.left;
    const found = await leaseOf(adapters, { headers, jobId, epoch: sent.right.epoch }, findLease);
    if (isLeft(found)) return found.left;
    const { lease } = found.right;
    const { runId, runnerId } = lease;
    const refused = await command(adapters, lease, { type: 'CompleteJob', ...sent.right, runId, jobId, runnerId });
    if (refused !== undefined) return refused;
    // The log has it; where one of these fails, the coordinator and viewers do the same.
    await adapters.logs.end(lease, sent.right.logChunks);
    await adapters.claims.remove(lease);
    return done;
  },
});

export const jobRoutes = (adapters: WorkflowAdapters): readonly BoundRoute[] => [
  bind(adapters, startJob),
  bind(adapters, reportStep),
  bind(adapters, sendLogs),
  bind(adapters, completeJob),
];
