/** What a job has come to: results of its steps, variables for later ones, and what is reported at its end. */
import { type Either, left, right } from 'fp-ts/Either';
import type { Instant } from '../../../../domain/kernel/codec';
import type { StepContent } from '../../../../domain/workflow/protocol/job-content';
import type { Annotation, StepReport, StepStatus } from '../../../../domain/workflow/run/events';
import { variableFault } from './step-environment';
import { cut } from './step-output';

/** As expressions see it. */
type Outcome = 'success' | 'failure' | 'cancelled' | 'skipped';

export interface StepResult {
  readonly outputs: { readonly [name: string]: string };
  readonly outcome: Outcome;
  readonly conclusion: Outcome;
}

export interface JobState {
  hasFailed: boolean;
  isCanceled: boolean;
  isTimedOut: boolean;
  /** Why it did not succeed: the first cause. */
  reason: string | null;
  /** Set by the job, then by `GITHUB_ENV` of its steps. */
  readonly environment: Map<string, string>;
  /** Of `GITHUB_PATH`, the first to be searched first. */
  paths: readonly string[];
  readonly steps: Map<string, StepResult>;
  readonly reports: StepReport[];
  readonly annotations: Annotation[];
  /** Messages of annotations that are sentences of the runner, without anything of a program. */
  readonly ownMessages: Set<string>;
  summary: string;
  currentStep: string | null;
}

export const initialState = (steps: readonly StepContent[]): JobState => ({
  hasFailed: false,
  isCanceled: false,
  isTimedOut: false,
  reason: null,
  environment: new Map(),
  paths: [],
  steps: new Map(),
  reports: steps.map(({ id, name }, index) => ({
    stepId: id,
    number: index + 1,
    name: cut(name, 300),
    status: 'queued',
    exitCode: null,
    startedAt: null,
    completedAt: null,
  })),
  annotations: [],
  ownMessages: new Set(),
  summary: '',
  currentStep: null,
});

/** A program is started with less: 1 MiB of arguments and variables. */
const longestVariables = 1_048_576;
/** The sandbox takes 2,000; the rest is for those of the runner and of steps. */
const mostVariables = 1_500;
/** One variable is passed to programs, so the kernel bounds it. */
const longestPaths = 98_304;
/** Of all steps of a job: they stay until it ends. */
const longestOutputs = 8_388_608;

const lengthOf = (values: Iterable<readonly [string, string]>): number => {
  let length = 0;
  for (const [name, value] of values) length += name.length + value.length;
  return length;
};

/** Left: no program could be started with them, or they are more than a job may have; none of them is set. */
export const setVariables = (
  state: JobState,
  variables: readonly (readonly [name: string, value: string])[],
): Either<string, void> => {
  for (const [name, value] of variables) {
    const fault = variableFault(name, value);
    if (fault !== undefined) return left(`The variable ${cut(name.replaceAll('\0', ''), 100)} ${fault}.`);
  }
  const names = new Set(state.environment.keys());
  for (const [name] of variables) {
    names.add(name);
    if (names.size > mostVariables)
      return left(`The job would have more than ${mostVariables} variables from ${cut(name, 100)} on.`);
  }
  if (lengthOf(state.environment) + lengthOf(variables) > longestVariables)
    return left(`The variables of the job would be longer than ${longestVariables} characters together.`);
  for (const [name, value] of variables) state.environment.set(name, value);
  return right(undefined);
};

/** The last one is searched first. */
export const addPaths = (state: JobState, added: readonly string[]): Either<string, void> => {
  const paths = [...new Set([...added.toReversed(), ...state.paths])];
  if (lengthOf(paths.map((path) => [path, ':'])) > longestPaths)
    return left(`The search path of the job would be longer than ${longestPaths} characters.`);
  state.paths = paths;
  return right(undefined);
};

/** Outputs of the step that runs. */
export interface StepOutputs {
  /** Left: the outputs of the job's steps would be larger than is allowed; it is not set. */
  readonly set: (name: string, value: string) => Either<string, void>;
  readonly values: () => StepResult['outputs'];
}

export const openStepOutputs = (state: JobState): StepOutputs => {
  const outputs = new Map<string, string>();
  let length = 0;
  for (const step of state.steps.values()) length += lengthOf(Object.entries(step.outputs));
  return {
    set: (name, value) => {
      const before = outputs.get(name);
      const change = value.length - (before?.length ?? -name.length);
      if (length + change > longestOutputs)
        return left(`The outputs of the job's steps would be longer than ${longestOutputs} characters together.`);
      length += change;
      outputs.set(name, value);
      return right(undefined);
    },
    values: () => Object.fromEntries(outputs),
  };
};

const mostAnnotations = 50;

export const addAnnotation = (state: JobState, annotation: Annotation): void => {
  if (state.annotations.length < mostAnnotations) state.annotations.push(annotation);
};

const longestSummary = 131_072;
const summaryMark = '\n\n*The rest of the summary is left out.*\n';

export const addSummary = (state: JobState, text: string): void => {
  if (text === '' || state.summary.endsWith(summaryMark)) return;
  const joined = `${state.summary}${state.summary === '' ? '' : '\n'}${text.toWellFormed()}`;
  state.summary =
    joined.length <= longestSummary
      ? joined
      : `${joined.slice(0, longestSummary - summaryMark.length).toWellFormed()}${summaryMark}`;
};

const statuses: { readonly [Each in Outcome]: StepStatus } = {
  success: 'success',
  failure: 'failure',
  cancelled: 'canceled',
  skipped: 'skipped',
};

export interface StepEnd extends StepResult {
  readonly isTimedOut: boolean;
  readonly exitCode: number | null;
}

/** `now`: undefined for a step that never began. */
export const endStep = (
  state: JobState,
  index: number,
  { outputs, outcome, conclusion, isTimedOut, exitCode }: StepEnd,
  now: Instant,
): StepReport => {
  const before = state.reports[index] as StepReport;
  state.steps.set(before.stepId, { outputs, outcome, conclusion });
  const status = isTimedOut && conclusion === 'failure' ? 'timed_out' : statuses[conclusion];
  const report: StepReport = { ...before, status, exitCode, completedAt: before.startedAt === null ? null : now };
  state.reports[index] = report;
  return report;
};

export const beginStep = (state: JobState, index: number, name: string, now: Instant): StepReport => {
  const report: StepReport = {
    ...(state.reports[index] as StepReport),
    name: cut(name, 300),
    status: 'in_progress',
    startedAt: now,
  };
  state.reports[index] = report;
  return report;
};
