/** Gives a runner the best job that it may have: a claim by the database, then the assignment in the run's stream, which decides. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Fault, fault } from '../../../domain/kernel/rejection';
import { limits } from '../../../domain/workflow/limits';
import type { JobContent } from '../../../domain/workflow/protocol/job-content';
import type { Assignment } from '../../../domain/workflow/protocol/runner';
import { needsContext } from '../../../domain/workflow/run/admission';
import { run as runDecider } from '../../../domain/workflow/run/decider';
import { runStream } from '../../../domain/workflow/run/events';
import type { Job, RunState } from '../../../domain/workflow/run/state';
import type { JobLease } from '../../../infra/ports/workflow/job-claims';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { WorkflowAdapters } from '../adapters';
import { issueJobToken } from '../job-token';
import { expressionContexts } from '../runs/expression-contexts';
import { createRunFacts, type ReadRunFacts } from '../runs/run-facts';
import type { AuthenticatedRunner } from './authenticate-runner';

export interface AssignedJob {
  readonly lease: JobLease;
  readonly assignment: Assignment;
}

type Answer<Value> = Promise<Either<Fault, Value>>;

/** Not by trying again. */
const unreadable = (detail: string) => left(fault('job-content-unreadable', detail));

const contentOf = async ({ graphs }: WorkflowAdapters, { graph, node }: Job): Answer<JobContent> => {
  const content = await graphs.read(graph);
  if (isLeft(content)) return content;
  const found = content.right.jobs[node.jobId];
  return found === undefined ? unreadable('The content of the run has no such job.') : right(found);
};

/** The content of an assignment is final once its attempt waits for a runner. */
const queuedRun = async ({ runs }: WorkflowAdapters, { jobId, attempt, ...run }: JobLease): Answer<RunState> => {
  const cached = await runs.cached(run);
  if (isLeft(cached)) return cached;
  const { state } = cached.right;
  const job = state.kind === 'none' ? undefined : state.jobs.get(jobId);
  if (job?.status === 'queued' && job.attempt === attempt) return right(state);
  // Another copy queued it, which is still to be delivered.
  const loaded = await runs.load(run);
  return isLeft(loaded) ? loaded : right(loaded.right.state);
};

const assignmentOf = async (
  adapters: WorkflowAdapters,
  readFacts: ReadRunFacts,
  lease: JobLease,
): Answer<Assignment> => {
  const { tenantId, runId, jobId, attempt, epoch } = lease;
  const state = await queuedRun(adapters, lease);
  if (isLeft(state)) return state;
  const run = state.right;
  const job = run.kind === 'none' ? undefined : run.jobs.get(jobId);
  if (run.kind === 'none' || job === undefined) return unreadable('The run has no such job.');
  const [content, facts] = await Promise.all([contentOf(adapters, job), readFacts(tenantId, run)]);
  if (isLeft(content)) return content;
  if (isLeft(facts)) return facts;
  const { repoId, ref, commitSha } = run.request;
  const { name, timeoutMinutes, cancelGraceSeconds } = job.node;
  const issuedAt = Math.floor(Date.parse(adapters.clock.now()) / 1_000);
  const expiresAt = issuedAt + timeoutMinutes * 60 + cancelGraceSeconds + limits.cancelGraceSeconds;
  const claims = { tenantId, repoId, runId, jobId, attempt, epoch };
  return right({
    runId,
    jobId,
    attempt,
    epoch,
    name,
    timeoutMinutes,
    cancelGraceSeconds,
    content: content.right,
    leaseSeconds: limits.leaseSeconds,
    contexts: {
      ...expressionContexts({ run, facts: facts.right, needs: needsContext(run, job.node), job: job.node.key }),
    },
    repository: { repoId, url: `${facts.right.publicUrl}/git/${facts.right.repository}`, ref, commitSha },
    jobToken: await issueJobToken(adapters, claims, { issuedAt, expiresAt }),
  });
};

/** A claim that the log refuses is of a job that ended, or that another lease has: the next one is tried. */
const mostClaims = 20;

/** Answers how a runner is given its next job. */
export const createAssigner = (adapters: WorkflowAdapters) => {
  const readFacts = createRunFacts(adapters);
  return (runner: AuthenticatedRunner): Answer<AssignedJob | undefined> => assignNextJob(adapters, readFacts, runner);
};

const assignNextJob = async (
  adapters: WorkflowAdapters,
  readFacts: ReadRunFacts,
  runner: AuthenticatedRunner,
): Answer<AssignedJob | undefined> => {
  const { claims, logs, log } = adapters;
  for (let claimsMade = 0; claimsMade < mostClaims; claimsMade += 1) {
    const claimed = await claims.claim(runner);
    if (isLeft(claimed)) return claimed;
    const lease = claimed.right;
    if (lease === undefined) return right(undefined);
    const { tenantId, runId, jobId, attempt, epoch } = lease;
    const [assignment, opened] = await Promise.all([
      assignmentOf(adapters, readFacts, lease),
      // Before the assignment, so that the job's log is found as soon as it has a runner.
      logs.open(lease),
    ]);
    // A job that can never be read is assigned all the same: its lease ends, and it fails instead of being claimed for ever.
    const isUnreadable = isLeft(assignment) && assignment.left.code === 'job-content-unreadable';
    if (isLeft(opened) || (isLeft(assignment) && !isUnreadable)) {
      await claims.release(lease);
      return isLeft(opened) ? opened : (assignment as Either<Fault, never>);
    }
    const { runnerId, type: runnerType } = runner;
    const stream = runStream(tenantId, runId);
    const assigned = await handle(adapters, runDecider, {
      stream,
      command: { type: 'AssignJob', runId, jobId, attempt, epoch, runnerId, runnerType },
      commandId: derivedId('workflow-assign', tenantId, runId, jobId, epoch),
      tenant: tenantId,
      actor: `runner:${runnerId}`,
      correlationId: runId,
    });
    if (isLeft(assigned) && assigned.left.kind === 'fault') {
      // Where the append may have succeeded, the lease ends by itself and the job is tried again.
      if (assigned.left.code !== 'event-store-ambiguous') await claims.release(lease);
      return left(assigned.left);
    }
    if (isLeft(assigned)) {
      const { code } = assigned.left;
      log.info({ code }, 'a claimed job was not assigned');
      // After conflicts it still waits; of anything else the log knows that it does not.
      if (code === 'conflict') await claims.release(lease);
      else await claims.remove(lease);
      continue;
    }
    return isLeft(assignment) ? assignment : right({ lease, assignment: assignment.right });
  }
  return right(undefined);
};
