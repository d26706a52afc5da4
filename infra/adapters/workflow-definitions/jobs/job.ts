/** One key below `jobs:` as jobs: a job for each combination of its matrix. */
import { isLeft } from 'fp-ts/Either';
import { limits } from '../../../../domain/workflow/limits';
import type { JobContent } from '../../../../domain/workflow/protocol/job-content';
import type { JobNode } from '../../../../domain/workflow/run/events';
import { type Budget, openBudget } from '../../../../packages/workflow-expressions/src/index';
import { childOf, type FileNode, isNull, listOf, type MappingEntry, textOf } from '../file/nodes';
import { readConcurrency } from './concurrency';
import { type Combination, type ComparisonAllowance, expandMatrix, type Matrix } from './matrix';
import { readPermissions } from './permissions';
import { readCondition, readDefaults, readSteps, readVariables } from './steps';
import { type Evaluation, evaluateBoolean, evaluateNode, evaluateNumber, refersTo, report } from './values';

/** A job whose id its name in the run becomes. */
export interface NamedJob {
  /** The key and the combination: the same in every attempt, and of no other job of the run. */
  readonly uniqueName: string;
  readonly node: Omit<JobNode, 'jobId'>;
  readonly content: JobContent;
}

const lostRetries = 1;
const longestName = 300;
const longestLabel = 100;
const mostLabels = 20;
const longestCondition = 10_000;

export const needsOf = (job: FileNode): readonly string[] => [
  ...new Set(listOf(childOf(job, 'needs')).map((node) => textOf(node) ?? '')),
];

/** Keys that are evaluated for each combination. */
const combinationKeys = [
  'runs-on',
  'name',
  'timeout-minutes',
  'cancel-timeout-minutes',
  'continue-on-error',
  'concurrency',
];

/** Keys that make jobs what they are, and may depend on outputs of others. */
const plannedKeys = ['strategy', ...combinationKeys];

const textLength = (node: FileNode | undefined): number => {
  if (node === undefined) return 0;
  if (node.kind === 'sequence') return node.items.reduce((sum, item) => sum + textLength(item), 0);
  if (node.kind === 'mapping') return node.entries.reduce((sum, { value }) => sum + textLength(value), 0);
  return typeof node.value === 'string' ? node.value.length : 0;
};

/** Its jobs are known only after the jobs that it needs have ended. */
export const isPlanned = (evaluation: Evaluation, job: FileNode): boolean =>
  plannedKeys.some((key) => refersTo(evaluation.expressions, childOf(job, key), 'needs'));

const isCombination = (value: unknown): value is Combination =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const matrixOf = (evaluation: Evaluation, node: FileNode): Matrix | undefined => {
  const faults = evaluation.problems.length;
  const value = evaluateNode(evaluation, node);
  if (evaluation.problems.length > faults) return undefined;
  if (!isCombination(value)) return report(evaluation, node, 'The matrix must be a mapping.');
  const { include = [], exclude = [], ...axes } = value;
  const rules = { include: include ?? [], exclude: exclude ?? [] };
  for (const name of ['include', 'exclude'] as const) {
    const list = rules[name];
    if (!Array.isArray(list) || !list.every(isCombination))
      return report(evaluation, childOf(node, name) ?? node, `"${name}" must be a list of mappings.`);
  }
  for (const [key, values] of Object.entries(axes))
    if (!Array.isArray(values)) return report(evaluation, childOf(node, key) ?? node, `"${key}" must be a list.`);
  return {
    axes: Object.entries(axes).map(([key, values]) => ({ key, values: values as readonly unknown[] })),
    include: rules.include as readonly Combination[],
    exclude: rules.exclude as readonly Combination[],
  };
};

/** Null: no matrix. Undefined: a fault was reported. Empty: every combination is excluded. */
export const combinationsOf = (
  evaluation: Evaluation,
  job: FileNode,
  allowance: ComparisonAllowance,
): readonly Combination[] | null | undefined => {
  const node = childOf(childOf(job, 'strategy'), 'matrix');
  if (node === undefined || isNull(node)) return null;
  const matrix = matrixOf(evaluation, node);
  if (matrix === undefined) return undefined;
  const expanded = expandMatrix(matrix, limits.matrixJobs, allowance);
  return isLeft(expanded) ? report(evaluation, node, expanded.left) : expanded.right;
};

const leaves = (value: unknown): readonly string[] => {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves);
  return [String(value ?? '')];
};

/** `test (20, linux)`. A name of its own is left alone when it uses the combination. */
const nameOf = (evaluation: Evaluation, { key, value: job }: MappingEntry, combination: Combination | null): string => {
  const node = childOf(job, 'name');
  const written = textOf(node)?.trim() ?? '';
  const evaluated = node === undefined || written === '' ? key : String(evaluateNode(evaluation, node) ?? '');
  const isOfCombination = written.includes('${{');
  const values = combination === null || isOfCombination ? [] : Object.values(combination).flatMap(leaves);
  const name = values.length === 0 ? evaluated : `${evaluated} (${values.join(', ')})`;
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
};

const labelsOf = (evaluation: Evaluation, job: FileNode): readonly string[] => {
  const node = childOf(job, 'runs-on');
  const named = node?.kind === 'mapping' ? childOf(node, 'labels') : node;
  const value = named === undefined ? undefined : evaluateNode(evaluation, named);
  if (named !== undefined && value === undefined) return [];
  const labels = [
    ...new Set(
      [value].flat().map((label) =>
        String(label ?? '')
          .trim()
          .toLowerCase(),
      ),
    ),
  ];
  const isFine = labels.every((label) => label !== '' && label.length <= longestLabel);
  if (!isFine || labels.length === 0 || labels.length > mostLabels || isCombination(value))
    report(evaluation, named ?? job, `"runs-on" must be 1 to ${mostLabels} labels of 1 to ${longestLabel} characters.`);
  return labels;
};

/** What every combination shares. */
interface JobShape {
  readonly node: Pick<JobNode, 'key' | 'needs' | 'condition' | 'failFast' | 'lostRetries'>;
  readonly content: Omit<JobContent, 'matrix' | 'strategy'>;
}

const shapeOf = (evaluation: Evaluation, root: FileNode, { key, value: job }: MappingEntry): JobShape => {
  const permissions = readPermissions(childOf(job, 'permissions'), childOf(root, 'permissions'));
  return {
    node: {
      key,
      needs: needsOf(job),
      condition: readCondition(evaluation, childOf(job, 'if'), longestCondition),
      failFast: evaluateBoolean(evaluation, childOf(childOf(job, 'strategy'), 'fail-fast'), {
        name: 'fail-fast',
        fallback: true,
      }),
      lostRetries,
    },
    content: {
      env: {
        ...readVariables(evaluation, childOf(root, 'env'), { name: 'env' }),
        ...readVariables(evaluation, childOf(job, 'env'), { name: 'env' }),
      },
      outputs: readVariables(evaluation, childOf(job, 'outputs'), { name: 'outputs', longestName: 100 }),
      steps: readSteps(evaluation, job, readDefaults(evaluation, childOf(job, 'defaults'), childOf(root, 'defaults'))),
      ...(permissions === undefined ? {} : { permissions }),
    },
  };
};

/** What depends on the combination. */
const combinationFields = (evaluation: Evaluation, entry: MappingEntry, combination: Combination | null) => {
  const { value: job } = entry;
  const graceMinutes = evaluateNumber(evaluation, childOf(job, 'cancel-timeout-minutes'), {
    name: 'cancel-timeout-minutes',
    fallback: limits.cancelGraceSeconds / 60,
    least: 0,
    most: limits.runTimeoutMinutes,
  });
  const concurrency = readConcurrency(evaluation, childOf(job, 'concurrency'));
  return {
    name: nameOf(evaluation, entry, combination),
    labels: labelsOf(evaluation, job),
    timeoutMinutes: evaluateNumber(evaluation, childOf(job, 'timeout-minutes'), {
      name: 'timeout-minutes',
      fallback: limits.jobTimeoutMinutes,
      least: Number.MIN_VALUE,
      most: limits.runTimeoutMinutes,
    }),
    continueOnError: evaluateBoolean(evaluation, childOf(job, 'continue-on-error'), {
      name: 'continue-on-error',
      fallback: false,
    }),
    cancelGraceSeconds: Math.min(graceMinutes * 60, limits.cancelGraceSeconds),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
};

/** Equal combinations get a count. */
const uniqueNames = (key: string, combinations: readonly Combination[]): readonly string[] => {
  const counts = new Map<string, number>();
  return combinations.map((combination) => {
    const name = `${key} ${JSON.stringify(combination)}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} #${count}`;
  });
};

const maxParallelOf = (evaluation: Evaluation, job: FileNode): number | null =>
  evaluateNumber(evaluation, childOf(childOf(job, 'strategy'), 'max-parallel'), {
    name: 'max-parallel',
    fallback: null,
    least: 1,
    most: Number.MAX_SAFE_INTEGER,
  });

/** Characters that a definition may make of what its jobs do: every combination repeats its job's steps, and has its values. */
const largestContent = 33_554_432;

/** Characters of names, labels and other templates that are evaluated for each combination, all combinations counted. */
export const largestTemplates = 4_194_304;

/** What is left of it for the jobs that are made next. */
export interface ContentAllowance {
  readonly take: (length: number) => boolean;
}

export const openContentAllowance = (largest = largestContent): ContentAllowance => {
  let taken = 0;
  return {
    take: (length) => {
      taken += length;
      return taken <= largest;
    },
  };
};

/** All combinations of a definition together; each alone has the budget of `openBudget`. */
const combinationOperations = 33_554_432;

/** A budget of one combination that spends what is left for all of them. */
export const openCombinationBudgets = (): (() => Budget) => {
  const shared = openBudget(combinationOperations);
  return () => {
    const own = openBudget();
    return {
      spend: (operations) => {
        shared.spend(operations);
        own.spend(operations);
      },
      countText: own.countText,
    };
  };
};

export interface JobsRequest {
  readonly root: FileNode;
  readonly entry: MappingEntry;
  /** Null: no matrix. Empty: one job that is skipped. */
  readonly combinations: readonly Combination[] | null;
  readonly allowance: ContentAllowance;
  readonly templates: ContentAllowance;
  readonly openCombinationBudget: () => Budget;
}

export const makeJobs = (
  evaluation: Evaluation,
  { root, entry, combinations, allowance, templates, openCombinationBudget }: JobsRequest,
): readonly NamedJob[] => {
  const jobTotal = Math.max(1, combinations?.length ?? 1);
  const written = combinationKeys.reduce((sum, key) => sum + textLength(childOf(entry.value, key)), 0);
  if (!templates.take(written * jobTotal)) {
    report(
      evaluation,
      entry,
      `The names, labels and timeouts of all combinations up to "${entry.key}" are written in more than ${largestTemplates} characters.`,
    );
    return [];
  }
  const shape = shapeOf(evaluation, root, entry);
  const fits =
    allowance.take(JSON.stringify(shape.content).length * jobTotal) &&
    (combinations ?? []).every((combination) => allowance.take(JSON.stringify(combination).length));
  if (!fits) {
    report(
      evaluation,
      entry,
      `The steps and values of all combinations up to "${entry.key}" are larger than ${largestContent} characters.`,
    );
    return [];
  }
  const { failFast } = shape.node;
  const most = maxParallelOf(evaluation, entry.value);
  const shared = { jobTotal, failFast, maxParallel: Math.min(most ?? jobTotal, limits.matrixJobs) };
  const make = (combination: Combination | null, uniqueName: string, jobIndex: number): NamedJob => {
    const strategy = {
      'job-index': jobIndex,
      'job-total': jobTotal,
      'fail-fast': failFast,
      'max-parallel': shared.maxParallel,
    };
    const contexts = { ...evaluation.contexts, matrix: combination ?? {}, strategy };
    const fields = combinationFields({ ...evaluation, contexts, budget: openCombinationBudget() }, entry, combination);
    const maxParallel = shared.maxParallel < jobTotal ? shared.maxParallel : null;
    return {
      uniqueName,
      node: { ...shape.node, ...fields, maxParallel },
      content: { ...shape.content, matrix: combination ?? {}, strategy: { jobIndex, ...shared } },
    };
  };
  if (combinations === null) return [make(null, entry.key, 0)];
  if (combinations.length === 0) {
    const job = make(null, entry.key, 0);
    return [{ ...job, node: { ...job.node, condition: 'false' } }];
  }
  const names = uniqueNames(entry.key, combinations);
  return combinations.map((combination, index) => make(combination, names[index] ?? entry.key, index));
};
