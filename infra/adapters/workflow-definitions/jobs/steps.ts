/** Steps of a job as its runner performs them. Their expressions stay: only the runner knows what they refer to. */
import { limits } from '../../../../domain/workflow/limits';
import type { EnvironmentVariables, StepContent } from '../../../../domain/workflow/protocol/job-content';
import { conditionExpression } from '../../../../packages/workflow-expressions/src/index';
import { childOf, entriesOf, type FileNode, listOf, textOf } from '../file/nodes';
import { builtInAction } from './refusals';
import { type Evaluation, report, writtenText } from './values';

const longestValue = 65_536;
const longestKey = 200;
const mostVariables = 500;

/** `env`, `with` or `outputs`: texts by name. */
export const readVariables = (
  evaluation: Evaluation,
  node: FileNode | undefined,
  { name, longestName = longestKey }: { readonly name: string; readonly longestName?: number },
): EnvironmentVariables => {
  const entries = entriesOf(node);
  if (node?.kind === 'scalar' && (textOf(node) ?? '') !== '')
    report(evaluation, node, `"${name}" must be a mapping; an expression for all of it is not supported.`);
  if (entries.length > mostVariables) report(evaluation, node, `"${name}" has more than ${mostVariables} entries.`);
  const read = entries.slice(0, mostVariables).map(({ key, value, ...place }) => {
    if (key === '' || key.length > longestName)
      report(evaluation, place, `A name in "${name}" must have 1 to ${longestName} characters.`);
    return [key, writtenText(evaluation, value, { name: key, most: longestValue }) ?? ''] as const;
  });
  return Object.fromEntries(read);
};

/** Null: `success()`. */
export const readCondition = (evaluation: Evaluation, node: FileNode | undefined, most: number): string | null => {
  const text = writtenText(evaluation, node, { name: 'if', most });
  const expression = text === undefined ? '' : conditionExpression(text);
  return expression === '' ? null : expression;
};

/** `defaults.run` of the job and the workflow, and other defaults. */
export interface RunDefaults {
  readonly shell: string | null;
  readonly workingDirectory: string | null;
}

export const readDefaults = (evaluation: Evaluation, ...defaults: readonly (FileNode | undefined)[]): RunDefaults => {
  const first = (name: string): string | null => {
    const node = defaults.map((each) => childOf(childOf(each, 'run'), name)).find((each) => each !== undefined);
    return writtenText(evaluation, node, { name, most: longestValue }) ?? null;
  };
  return { shell: first('shell'), workingDirectory: first('working-directory') };
};

const numberOrText = (evaluation: Evaluation, node: FileNode | undefined, name: string): number | string | null => {
  const text = writtenText(evaluation, node, { name, most: longestValue })?.trim() ?? '';
  if (text === '') return null;
  if (text.includes('${{')) return text;
  const minutes = Number(text);
  if (Number.isFinite(minutes) && minutes > 0 && minutes <= limits.runTimeoutMinutes) return minutes;
  report(evaluation, node, `"${name}" must be a number above 0 and at most ${limits.runTimeoutMinutes}.`);
  return null;
};

const booleanOrText = (evaluation: Evaluation, node: FileNode | undefined, name: string): boolean | string => {
  const text = writtenText(evaluation, node, { name, most: longestValue })?.trim() ?? '';
  return text.includes('${{') ? text : text === 'true';
};

const defaultName = (run: string | undefined, uses: string | undefined): string => {
  const line = (run ?? uses ?? '').trimStart().split('\n', 1)[0] ?? '';
  return `Run ${line.trim().slice(0, 250)}`;
};

const readStep = (evaluation: Evaluation, step: FileNode, number: number, defaults: RunDefaults): StepContent => {
  const own = (name: string, most = longestValue) => writtenText(evaluation, childOf(step, name), { name, most });
  const run = own('run', limits.definitionBytes);
  const uses = own('uses');
  const isRun = uses === undefined;
  return {
    // The parser reserves ids that begin so.
    id: own('id', 140) ?? `__${number}`,
    name: own('name') ?? defaultName(run, uses),
    condition: readCondition(evaluation, childOf(step, 'if'), longestValue),
    run: isRun ? (run ?? '') : null,
    uses: (uses === undefined ? undefined : builtInAction(uses)) ?? null,
    with: readVariables(evaluation, childOf(step, 'with'), { name: 'with' }),
    shell: isRun ? (own('shell') ?? defaults.shell) : null,
    workingDirectory: isRun ? (own('working-directory') ?? defaults.workingDirectory) : null,
    env: readVariables(evaluation, childOf(step, 'env'), { name: 'env' }),
    timeoutMinutes: numberOrText(evaluation, childOf(step, 'timeout-minutes'), 'timeout-minutes'),
    continueOnError: booleanOrText(evaluation, childOf(step, 'continue-on-error'), 'continue-on-error'),
  };
};

export const readSteps = (evaluation: Evaluation, job: FileNode, defaults: RunDefaults): readonly StepContent[] => {
  const steps = listOf(childOf(job, 'steps'));
  if (steps.length === 0) report(evaluation, job, 'The job has no steps.');
  if (steps.length > limits.stepsPerJob)
    report(evaluation, steps[limits.stepsPerJob], `The job has more than ${limits.stepsPerJob} steps.`);
  return steps.slice(0, limits.stepsPerJob).map((step, index) => readStep(evaluation, step, index + 1, defaults));
};
