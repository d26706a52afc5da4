/** A workflow file as the jobs of a run. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Concurrency, DefinitionProblem } from '../../../domain/workflow/run/events';
import { conditionExpression, openBudget, openExpressions } from '../../../packages/workflow-expressions/src/index';
import type {
  ExpandedDefinition,
  ExpandRequest,
  ExpressionContexts,
  StatusFacts,
} from '../../ports/workflow/definitions';
import { childOf, entriesOf, entryOf, type FileNode, type MappingEntry, problemAt, textOf } from '../file/nodes';
import { readFile } from '../file/read-file';
import type { ActionsLibrary } from '../library';
import { readConcurrency } from './concurrency';
import { combinationsOf, isPlanned, makeJobs, type NamedJob, needsOf, openContentAllowance } from './job';
import type { Combination } from './matrix';
import { findRefusals } from './refusals';
import { validate } from './validate';
import type { Evaluation } from './values';

/** A request that can be sent to a thread: ids are made of the names by the process. */
export type NamedExpandRequest = Omit<ExpandRequest, 'jobId'>;

export interface NamedDefinition {
  readonly jobs: readonly NamedJob[];
  readonly planned: ExpandedDefinition['planned'];
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

const planJob = (evaluation: Evaluation, entry: MappingEntry, key: string | undefined): JobPlan | undefined => {
  const faults: DefinitionProblem[] = [];
  const combinations = combinationsOf({ ...evaluation, problems: faults }, entry.value);
  if (combinations !== undefined) return { entry, combinations };
  if (key !== undefined && isSkipped(evaluation, entry.value)) return { entry, combinations: [] };
  evaluation.problems.push(...faults);
  return undefined;
};

const countOf = ({ combinations }: JobPlan): number => Math.max(1, combinations?.length ?? 1);

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
  const plans = wanted.flatMap((entry) => planJob(evaluation, entry, request.key) ?? []);
  const total = plans.reduce((sum, plan) => sum + countOf(plan), planned.length);
  if (total > request.mostJobs)
    problems.push(
      problemAt(entryOf(root, 'jobs'), `The workflow has ${total} jobs; ${request.mostJobs} are allowed in one run.`),
    );
  // Nothing is made of a definition that is refused.
  if (problems.length > 0) return left(sortProblems(problems));
  const allowance = openContentAllowance();
  const made = plans.flatMap((plan) => makeJobs(evaluation, { root, allowance, ...plan }));
  const concurrency = request.key === undefined ? readConcurrency(evaluation, childOf(root, 'concurrency')) : undefined;
  if (problems.length > 0) return left(sortProblems(problems));
  return right({
    jobs: made,
    planned: planned.map(({ key, value }) => ({ key, needs: needsOf(value) })),
    concurrency,
    parser: `@actions/workflow-parser ${library.version}`,
  });
};

export const expandDefinition = async (
  library: ActionsLibrary,
  request: NamedExpandRequest,
): Promise<Either<readonly DefinitionProblem[], NamedDefinition>> => {
  const file = readFile(request.yaml);
  if (isLeft(file)) return file;
  const { root, source } = file.right;
  const expressions = openExpressions(library.expressions, { for: 'job' });
  const faults = [
    ...(await validate(library, request.path, source)),
    ...findRefusals(expressions, root, request.contexts),
  ];
  if (faults.length > 0) return left(sortProblems(faults));
  const evaluation = { expressions, contexts: request.contexts, budget: openBudget(), problems: [] };
  return expandRoot(library, evaluation, root, request);
};
