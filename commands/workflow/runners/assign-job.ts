/** Gives a runner the best job that it may have: a claim by the database, then the assignment in the run's stream, which decides. */
import { hash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decode } from '../../../domain/kernel/codec';
import { type Fault, fault } from '../../../domain/kernel/rejection';
import { limits } from '../../../domain/workflow/limits';
import { GraphContent, type JobContent } from '../../../domain/workflow/protocol/job-content';
import type { Assignment } from '../../../domain/workflow/protocol/runner';
import { needsContext } from '../../../domain/workflow/run/admission';
import { run as runDecider } from '../../../domain/workflow/run/decider';
import type { Job } from '../../../domain/workflow/run/state';
import { runStream } from '../../../domain/workflow/streams';
import type { JobLease } from '../../../infra/ports/workflow/job-claims';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import { issueJobToken } from '../job-token';
import type { WorkflowPlatform } from '../platform';
import { expressionContexts } from '../runs/expression-contexts';
import { repositoryName } from '../runs/resolution';
import type { AuthenticatedRunner } from './authenticate-runner';

export interface AssignedJob {
  readonly lease: JobLease;
  readonly assignment: Assignment;
}

type Answer<Value> = Promise<Either<Fault, Value>>;

/** Every job of a run reads the same blob. */
const readContent = async ({ blobs }: WorkflowPlatform, { graph, node }: Job): Answer<JobContent> => {
  const unreadable = (detail: string) => left(fault('job-content-unreadable', detail));
  const blob = await blobs.get({ key: graph.graphKey });
  if (isLeft(blob)) return unreadable(`The content of the job: ${blob.left.code}.`);
  const json = await text(blob.right.body);
  if (`sha256:${hash('sha256', json, 'hex')}` !== graph.graphDigest)
    return unreadable('The content of the job is not what the run was resolved to.');
  const content = decode(GraphContent, JSON.parse(json));
  const found = isLeft(content) ? undefined : content.right.jobs[node.jobId];
  return found === undefined ? unreadable('The content of the job has another form.') : right(found);
};

/** As the run stands once the job is claimed: it was queued before, and what its assignment says changes no more. */
const assignmentOf = async (platform: WorkflowPlatform, lease: JobLease): Answer<Assignment> => {
  const { tenantId, runId, jobId, attempt, epoch } = lease;
  const state = await loadStream(platform, runDecider, runStream(tenantId, runId));
  if (isLeft(state)) return state;
  const run = state.right;
  const job = run.kind === 'none' ? undefined : run.jobs.get(jobId);
  if (run.kind === 'none' || job === undefined)
    return left(fault('job-content-unreadable', 'The run has no such job.'));
  const [content, repository] = await Promise.all([
    readContent(platform, job),
    repositoryName(platform.store, { tenantId }, run),
  ]);
  if (isLeft(content)) return content;
  if (isLeft(repository)) return repository;
  const { repoId, ref, commitSha } = run.request;
  const { name, timeoutMinutes, cancelGraceSeconds } = job.node;
  const issuedAt = Math.floor(Date.parse(platform.clock.now()) / 1_000);
  const expiresAt = issuedAt + timeoutMinutes * 60 + cancelGraceSeconds + limits.cancelGraceSeconds;
  const claims = { tenantId, repoId, runId, jobId, attempt, epoch };
  const [, repositoryPart] = repository.right.split('/');
  return right({
    ...{ runId, jobId, attempt, epoch, name, timeoutMinutes, cancelGraceSeconds, content: content.right },
    leaseSeconds: limits.leaseSeconds,
    contexts: { ...expressionContexts({ run, repository: repository.right, needs: needsContext(run, job.node) }) },
    repository: { repoId, url: `${platform.publicUrl}/git/${tenantId}/${repositoryPart}`, ref, commitSha },
    jobToken: await issueJobToken(platform, claims, { issuedAt, expiresAt }),
  });
};

/** A claim that the log refuses is of a job that ended, or that another lease has: the next one is tried. */
const mostClaims = 20;

export const assignNextJob = async (
  platform: WorkflowPlatform,
  runner: AuthenticatedRunner,
): Answer<AssignedJob | undefined> => {
  const { claims, logs, log } = platform;
  for (let claimsMade = 0; claimsMade < mostClaims; claimsMade += 1) {
    const claimed = await claims.claim(runner);
    if (isLeft(claimed)) return claimed;
    const lease = claimed.right;
    if (lease === undefined) return right(undefined);
    const { tenantId, runId, jobId, attempt, epoch } = lease;
    // Read while the assignment is recorded.
    const reading = assignmentOf(platform, lease);
    reading.catch(() => undefined);
    // Before the assignment, so that the job's log is found as soon as it has a runner.
    const opened = await logs.open(lease);
    if (isLeft(opened)) {
      await claims.giveBack(lease);
      return opened;
    }
    const { runnerId, type: runnerType } = runner;
    const stream = runStream(tenantId, runId);
    const assigned = await handle(platform, runDecider, {
      stream,
      command: { type: 'AssignJob', runId, jobId, attempt, epoch, runnerId, runnerType },
      commandId: derivedId('workflow-assign', tenantId, runId, jobId, epoch),
      tenant: tenantId,
      actor: `runner:${runnerId}`,
      correlationId: runId,
    });
    if (isLeft(assigned) && assigned.left.kind === 'fault') {
      // Where the append may have succeeded, the lease ends by itself and the job is tried again.
      if (assigned.left.code !== 'event-store-ambiguous') await claims.giveBack(lease);
      return left(assigned.left);
    }
    if (isLeft(assigned)) {
      const { code } = assigned.left;
      log.info({ code }, 'a claimed job was not assigned');
      // After conflicts it still waits; of anything else the log knows that it does not.
      if (code === 'conflict') await claims.giveBack(lease);
      else await claims.remove(lease);
      continue;
    }
    const assignment = await reading;
    return isLeft(assignment) ? assignment : right({ lease, assignment: assignment.right });
  }
  return right(undefined);
};
