/** A workflow file as the jobs of a run. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Concurrency, DefinitionProblem } from '../../../../domain/workflow/run/events';
import { conditionExpression, openBudget, openExpressions } from '../../../../packages/workflow-expressions/src/index';
import type {
  ExpandedDefinition,
  ExpandRequest,
  ExpressionContexts,
  StatusFacts,
} from '../../../ports/workflow/definitions';
import {
  childOf,
  entriesOf,
  entryOf,
  type FileNode,
  listOf,
  type MappingEntry,
  problemAt,
  textOf,
} from '../file/nodes';
import { readFile } from '../file/read-file';
import type { ActionsLibrary } from '../library';
import { readConcurrency } from './concurrency';
import {
  combinationsOf,
  isPlanned,
  largestTemplates,
  makeJobs,
  type NamedJob,
  needsOf,
  openCombinationBudgets,
  openContentAllowance,
} from './job';
import { type Combination, type ComparisonAllowance, openComparisonAllowance } from './matrix';
import { findRefusals } from './refusals';
import { readTitle } from './title';
import { validate } from './validate';
import type { Evaluation } from './values';

/** A request that can be sent to a thread: ids are made of the names by the process. */
export type NamedExpandRequest = Omit<ExpandRequest, 'jobId' | 'tenantId'>;

export interface NamedDefinition {
  readonly jobs: readonly NamedJob[];
  readonly planned: ExpandedDefinition['planned'];
  readonly title: string | undefined;
  readonly concurrency: Concurrency | undefined;
  readonly parser: string;
}

const mostProblems = 100;

/** One of each, in the order of the text; those of the whole file first. */
const sortProblems = (problems: readonly DefinitionProblem[]): readonly DefinitionProblem[] => {
  const unique = new Map(problems.map((each) => [`${each.line}:${each.column}:${each.message}`, each]));
  return [...unique.values()]
    .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
    .slice(0, mostProblems);
};

type Needs = { readonly [key: string]: { readonly result?: unknown } | undefined };

const statusOfNeeds = (contexts: ExpressionContexts, keys: readonly string[]): StatusFacts => {
  const results = keys.map((key) => (contexts.needs as Needs | undefined)?.[key]?.result);
  return {
    isCanceled: false,
    hasFailure: results.includes('failure'),
    isSuccess: results.every((result) => result === 'success'),
  };
};

/** Outputs are missing when needed jobs did not run: then the job is skipped, and its matrix is not a fault. */
const isSkipped = ({ expressions, contexts, budget }: Evaluation, job: FileNode): boolean => {
  const condition = conditionExpression(textOf(childOf(job, 'if')) ?? '');
  const value = expressions.holds(condition, { contexts, status: statusOfNeeds(contexts, needsOf(job)), budget });
  return !isLeft(value) && !value.right;
};

interface JobPlan {
  readonly entry: MappingEntry;
  readonly combinations: readonly Combination[] | null;
}

const planJob = (
  evaluation: Evaluation,
  entry: MappingEntry,
  { key, allowance }: { readonly key: string | undefined; readonly allowance: ComparisonAllowance },
): JobPlan | undefined => {
  const faults: DefinitionProblem[] = [];
  const combinations = combinationsOf({ ...evaluation, problems: faults }, entry.value, allowance);
  if (combinations !== undefined) return { entry, combinations };
  if (key !== undefined && isSkipped(evaluation, entry.value)) return { entry, combinations: [] };
  evaluation.problems.push(...faults);
  return undefined;
};

const countOf = ({ combinations }: JobPlan): number => Math.max(1, combinations?.length ?? 1);

/** Stops when the jobs, or the problems, are too many: the rest would be work for a refusal. */
const planJobs = (
  evaluation: Evaluation,
  wanted: readonly MappingEntry[],
  { key, mostJobs }: { readonly key: string | undefined; readonly mostJobs: number },
): readonly JobPlan[] => {
  const allowance = openComparisonAllowance();
  const plans: JobPlan[] = [];
  let total = 0;
  for (const entry of wanted) {
    if (total > mostJobs || evaluation.problems.length >= mostProblems) break;
    const plan = planJob(evaluation, entry, { key, allowance });
    if (plan === undefined) continue;
    plans.push(plan);
    total += countOf(plan);
  }
  return plans;
};

const tooManyJobs = (root: FileNode, { mostJobs }: NamedExpandRequest): DefinitionProblem =>
  problemAt(entryOf(root, 'jobs'), `The workflow has more than the ${mostJobs} jobs that are allowed in one run.`);

const expandRoot = (
  library: ActionsLibrary,
  evaluation: Evaluation,
  root: FileNode,
  request: NamedExpandRequest,
): Either<readonly DefinitionProblem[], NamedDefinition> => {
  const { problems } = evaluation;
  const jobs = entriesOf(childOf(root, 'jobs'));
  const isWanted = ({ key, value }: MappingEntry): boolean =>
    request.key === undefined ? !isPlanned(evaluation, value) : key === request.key;
  const wanted = jobs.filter(isWanted);
  if (request.key !== undefined && wanted.length === 0)
    return left([problemAt(undefined, `The workflow has no job "${request.key}".`)]);
  const planned = request.key === undefined ? jobs.filter((entry) => !isWanted(entry)) : [];
  const mostJobs = request.mostJobs - planned.length;
  const plans = planJobs(evaluation, wanted, { key: request.key, mostJobs });
  if (plans.reduce((sum, plan) => sum + countOf(plan), 0) > mostJobs) problems.push(tooManyJobs(root, request));
  // Nothing is made of a definition that is refused.
  if (problems.length > 0) return left(sortProblems(problems));
  const shared = {
    root,
    allowance: openContentAllowance(),
    templates: openContentAllowance(largestTemplates),
    openCombinationBudget: openCombinationBudgets(),
  };
  const made = plans.flatMap((plan) => makeJobs(evaluation, { ...shared, ...plan }));
  const concurrency = request.key === undefined ? readConcurrency(evaluation, childOf(root, 'concurrency')) : undefined;
  const title = request.key === undefined ? readTitle(evaluation, childOf(root, 'run-name')) : undefined;
  if (problems.length > 0) return left(sortProblems(problems));
  return right({
    jobs: made,
    planned: planned.map(({ key, value }) => ({ key, needs: needsOf(value) })),
    title,
    concurrency,
    parser: `@actions/workflow-parser ${library.version}`,
  });
};

/** All jobs together; GitHub's parser compares them with each job. */
const mostNeeds = 4_096;

/** Faults of what GitHub's parser takes long for, found before it reads the file. */
const sizeProblems = (root: FileNode, request: NamedExpandRequest): readonly DefinitionProblem[] => {
  const jobs = entriesOf(childOf(root, 'jobs'));
  // A job that was planned is one of a file that was not refused.
  if (request.key === undefined && jobs.length > request.mostJobs) return [tooManyJobs(root, request)];
  let total = 0;
  for (const { value } of jobs) {
    const needs = entryOf(value, 'needs');
    total += listOf(needs?.value).length;
    if (total > mostNeeds) return [problemAt(needs, `"needs" of all jobs name more than ${mostNeeds} jobs.`)];
  }
  return [];
};

export const expandDefinition = async (
  library: ActionsLibrary,
  request: NamedExpandRequest,
): Promise<Either<readonly DefinitionProblem[], NamedDefinition>> => {
  const file = readFile(request.yaml);
  if (isLeft(file)) return file;
  const { root, source } = file.right;
  const excess = sizeProblems(root, request);
  if (excess.length > 0) return left(excess);
  const expressions = openExpressions(library.expressions, { for: 'job' });
  const faults = [
    ...(await validate(library, request.path, source)),
    ...findRefusals(expressions, root, request.contexts),
  ];
  if (faults.length > 0) return left(sortProblems(faults));
  const evaluation = { expressions, contexts: request.contexts, budget: openBudget(), problems: [] };
  return expandRoot(library, evaluation, root, request);
};
