/** Jobs whose needs have ended: they wait for a runner from now on, for their concurrency group, or are skipped. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';
import type { AdmissibleJob } from '../../../domain/workflow/run/admission';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import type { Job, Run } from '../../../domain/workflow/run/state';
import type { Definitions } from '../../../infra/ports/workflow/definitions';
import { expressionContexts } from './expression-contexts';
import type { ReadRunFacts } from './run-facts';
import { enterForJob, type GroupDeps, replacedJobs } from './run-groups';
import type { TrackedRun } from './tracked-run';

export interface AdmissionDeps extends GroupDeps {
  readonly facts: ReadRunFacts;
  readonly definitions: Pick<Definitions, 'holds'>;
}

/** A condition that cannot be evaluated fails its job. Undefined: all of them wait for their groups. */
export const admitJobs = async (
  deps: AdmissionDeps,
  tracked: TrackedRun,
  { run, jobs }: { readonly run: Run; readonly jobs: readonly AdmissibleJob[] },
): Promise<Either<Fault, RunCommand | undefined>> => {
  const facts = await deps.facts(tracked.tenantId, run);
  if (isLeft(facts)) return facts;
  const [queued, skipped, replaced]: [Job[], Job[], Job[]] = [[], [], []];
  for (const { job, needs, status } of jobs) {
    const { jobId, condition } = job.node;
    const contexts = expressionContexts({ run, facts: facts.right, needs });
    const holds = deps.definitions.holds(condition, contexts, status);
    if (isLeft(holds))
      tracked.failing.set(jobId, `Its condition cannot be evaluated: ${holds.left.message}`.slice(0, 300));
    if (isLeft(holds) || tracked.failing.has(jobId)) {
      queued.push(job);
      continue;
    }
    if (!holds.right) {
      skipped.push(job);
      continue;
    }
    const standing = await enterForJob(deps, tracked, { run, node: job.node });
    if (isLeft(standing)) return standing;
    if (standing.right === 'holder') queued.push(job);
    else if (standing.right !== 'pending') replaced.push(job);
  }
  const idsOf = (some: readonly Job[]) => some.map(({ node }) => node.jobId);
  if (queued.length + skipped.length === 0)
    return right(replaced.length === 0 ? undefined : replacedJobs(tracked, idsOf(replaced)));
  return right({
    type: 'AdmitJobs',
    runId: tracked.runId,
    queued: idsOf(queued),
    skipped: idsOf(skipped).map((jobId) => ({ jobId, reason: 'Its condition does not hold.' })),
  });
};

export const failingCommand = ({ failing, runId }: TrackedRun, run: Run): RunCommand | undefined => {
  for (const [jobId, reason] of failing) {
    const status = run.jobs.get(jobId)?.status;
    if (status === 'queued') return { type: 'FailQueuedJob', runId, jobId, reason };
    if (status === 'ended') failing.delete(jobId);
  }
  return undefined;
};
