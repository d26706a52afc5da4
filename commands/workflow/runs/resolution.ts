/** Turns a run's definition at its commit into jobs, and a planned matrix into more of them. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';
import type { JobId, RunId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import type { AdmissiblePlan } from '../../../domain/workflow/run/admission';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import type { DefinitionProblem, JobNode } from '../../../domain/workflow/run/events';
import type { Run } from '../../../domain/workflow/run/state';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Definitions, ExpandedDefinition } from '../../../infra/ports/workflow/definitions';
import type { GitRepositories } from '../../../infra/ports/workflow/git-repositories';
import type { JobClaims } from '../../../infra/ports/workflow/job-claims';
import { derivedId } from '../../kernel/deterministic-ids';
import type { Graphs } from '../graphs';
import { expressionContexts } from './expression-contexts';
import { organizationSettings } from './organization-settings';
import type { ReadRunFacts } from './run-facts';
import type { TrackedRun } from './tracked-run';

export interface ResolutionDeps {
  readonly store: EventStore;
  readonly graphs: Pick<Graphs, 'store'>;
  readonly definitions: Pick<Definitions, 'expand'>;
  readonly git: GitRepositories | undefined;
  readonly facts: ReadRunFacts;
  readonly claims: Pick<JobClaims, 'isQuotaSpent'>;
}

type ProblemOr<Value> = Either<Fault | readonly DefinitionProblem[], Value>;

const problem = (message: string): readonly DefinitionProblem[] => [{ message, line: null, column: null }];
const isFault = (answer: Fault | readonly DefinitionProblem[]): answer is Fault => !Array.isArray(answer);

const readDefinition = async (
  { git }: ResolutionDeps,
  { tenantId }: TrackedRun,
  { request }: Run,
): Promise<ProblemOr<Uint8Array>> => {
  if (git === undefined) return left(problem('This server has no git, so no definition can be read.'));
  const { repoId, commitSha, path } = request;
  const files = await git.workflowFiles({ tenantId, repoId }, commitSha);
  if (isLeft(files)) return left(files.left.kind === 'fault' ? files.left : problem(files.left.detail));
  const file = files.right.find((one) => one.path === path);
  return file === undefined ? left(problem(`${path} is not part of the commit.`)) : right(file.content);
};

export const jobIdOf = (runId: RunId, name: string): JobId => derivedId('workflow-job', runId, name) as JobId;

const expandFile = async (
  deps: ResolutionDeps,
  tracked: TrackedRun,
  { run, plan }: { readonly run: Run; readonly plan?: AdmissiblePlan },
): Promise<ProblemOr<ExpandedDefinition>> => {
  const yaml = await readDefinition(deps, tracked, run);
  if (isLeft(yaml)) return yaml;
  const [settings, facts] = await Promise.all([
    organizationSettings(deps.store, tracked.tenantId),
    deps.facts(tracked.tenantId, run),
  ]);
  if (isLeft(settings)) return settings;
  if (isLeft(facts)) return facts;
  return deps.definitions.expand({
    tenantId: tracked.tenantId,
    path: run.request.path,
    yaml: yaml.right,
    contexts: expressionContexts({ run, facts: facts.right, needs: plan?.needs ?? {} }),
    mostJobs: settings.right.jobsPerRun - run.jobs.size,
    jobId: (name) => jobIdOf(tracked.runId, name),
    ...(plan === undefined ? {} : { key: plan.plan.key }),
  });
};

const shortened = (problems: readonly DefinitionProblem[]): readonly DefinitionProblem[] =>
  problems.slice(0, 100).map(({ message, ...place }) => ({ message: message.slice(0, 1_000), ...place }));

/** Jobs of runs that began before the minutes were spent go on, and those of a planned matrix wait. */
const isQuotaSpent = async (
  { store, claims }: ResolutionDeps,
  { tenantId }: TrackedRun,
  jobs: readonly JobNode[],
): Promise<Either<Fault, boolean>> => {
  const settings = await organizationSettings(store, tenantId);
  if (isLeft(settings)) return settings;
  const { isolation } = settings.right;
  return claims.isQuotaSpent(
    tenantId,
    jobs.map(({ labels }) => ({ labels, isolation })),
  );
};

/** The command that resolves the run, or refuses it or its definition. */
export const resolveRun = async (
  deps: ResolutionDeps,
  tracked: TrackedRun,
  run: Run,
): Promise<Either<Fault, RunCommand>> => {
  const { runId } = tracked;
  const expanded = await expandFile(deps, tracked, { run });
  if (isLeft(expanded) && isFault(expanded.left)) return left(expanded.left);
  if (isLeft(expanded))
    return right({
      type: 'RefuseDefinition',
      runId,
      problems: shortened(expanded.left as readonly DefinitionProblem[]),
    });
  const { jobs, planned, content, parser, title, concurrency } = expanded.right;
  const isSpent = await isQuotaSpent(deps, tracked, jobs);
  if (isLeft(isSpent)) return isSpent;
  if (isSpent.right) return right({ type: 'RefuseRun', runId, reason: 'quota_exceeded' });
  const graph = await deps.graphs.store(tracked, content);
  return isLeft(graph)
    ? graph
    : right({ type: 'ResolveRun', runId, ...graph.right, parser, jobs, planned, title, concurrency });
};

/** Stands for a matrix that cannot be made: it is skipped with its needs, or fails. */
const placeholder = ({ runId }: TrackedRun, { plan: { key, needs } }: AdmissiblePlan): JobNode => ({
  jobId: jobIdOf(runId, key),
  key,
  name: key,
  needs,
  condition: null,
  labels: [],
  timeoutMinutes: 1,
  continueOnError: false,
  failFast: false,
  maxParallel: null,
  lostRetries: 0,
  cancelGraceSeconds: limits.cancelGraceSeconds,
});

export interface PlannedMatrix {
  readonly command: RunCommand;
  /** The matrix cannot be made although its needs succeeded: this job fails, for this reason. */
  readonly failing: { readonly jobId: JobId; readonly reason: string } | undefined;
}

export const planMatrix = async (
  deps: ResolutionDeps,
  tracked: TrackedRun,
  { run, plan }: { readonly run: Run; readonly plan: AdmissiblePlan },
): Promise<Either<Fault, PlannedMatrix>> => {
  const expanded = await expandFile(deps, tracked, { run, plan });
  if (isLeft(expanded) && isFault(expanded.left)) return left(expanded.left);
  const made = isLeft(expanded)
    ? { jobs: [placeholder(tracked, plan)], content: { jobs: {} } }
    : { jobs: expanded.right.jobs, content: expanded.right.content };
  const graph = await deps.graphs.store(tracked, made.content);
  if (isLeft(graph)) return graph;
  const { runId } = tracked;
  const command = { type: 'PlanJobs', runId, key: plan.plan.key, ...graph.right, jobs: made.jobs } as const;
  if (!isLeft(expanded) || !plan.status.isSuccess) return right({ command, failing: undefined });
  const reason = (expanded.left as readonly DefinitionProblem[])[0]?.message ?? 'The matrix cannot be evaluated.';
  return right({ command, failing: { jobId: jobIdOf(runId, plan.plan.key), reason: reason.slice(0, 300) } });
};
