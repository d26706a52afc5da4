/** What a job does, as the resolver of definitions writes it and the runner performs it. Expressions are as written, `${{ }}` included. */
import * as t from 'io-ts';
import { finite, integer, listOf, mapOf, nullable, oneOf, record, text } from '../../kernel/codec';
import { limits } from '../limits';

const expression = (name: string) => text(name, { minLength: 0, maxLength: 65_536 });

export const EnvironmentVariables = mapOf('EnvironmentVariables', {
  key: text('VariableName', { maxLength: 200 }),
  value: expression('VariableValue'),
  most: 500,
});
export type EnvironmentVariables = t.TypeOf<typeof EnvironmentVariables>;

/** `uses` is one of the built-in actions, all others are refused when a definition is resolved. */
export const BuiltInAction = t.keyof(
  { 'actions/checkout': null, 'actions/upload-artifact': null, 'actions/download-artifact': null },
  'BuiltInAction',
);
export type BuiltInAction = t.TypeOf<typeof BuiltInAction>;

export const StepContent = record('StepContent', {
  /** As in `id`, else made of its number. */
  id: text('StepContentId', { maxLength: 140 }),
  name: expression('StepContentName'),
  /** Null: `success()`. Without `${{ }}`. */
  condition: nullable(expression('StepCondition')),
  /** Exactly one of `run` and `uses`. */
  run: nullable(text('StepRun', { minLength: 0, maxLength: limits.definitionBytes })),
  uses: nullable(BuiltInAction),
  with: EnvironmentVariables,
  /** `bash`, `sh`, `python`, `pwsh`, or a command with `{0}`; null: the default of the machine. */
  shell: nullable(expression('StepShell')),
  workingDirectory: nullable(expression('StepDirectory')),
  env: EnvironmentVariables,
  /** A number, or an expression of one. */
  timeoutMinutes: nullable(t.union([finite, expression('StepTimeout')], 'StepTimeoutMinutes')),
  continueOnError: t.union([t.boolean, expression('StepContinueOnError')], 'StepContinueOnErrorValue'),
});
export type StepContent = t.TypeOf<typeof StepContent>;

/** What the job's token may do, by `contents`, `actions`, …; `all` stands for every name. */
export const JobPermissions = mapOf('JobPermissions', {
  key: text('PermissionName', { maxLength: 60 }),
  value: oneOf('PermissionLevel', ['read', 'write', 'none']),
  most: 50,
});
export type JobPermissions = t.TypeOf<typeof JobPermissions>;

const jobContent = {
  /** Of the workflow and the job together; the job's come last. */
  env: EnvironmentVariables,
  /** By name: an expression over `steps` and the other contexts. */
  outputs: EnvironmentVariables,
  /** Values of this combination, as JSON; an empty object without a matrix. */
  matrix: t.UnknownRecord,
  strategy: record('JobStrategy', {
    jobIndex: integer(0),
    jobTotal: integer(1),
    failFast: t.boolean,
    maxParallel: integer(1),
  }),
  steps: listOf('JobSteps', StepContent, limits.stepsPerJob),
};

/** Without `permissions` the file names none. */
export const JobContent = record('JobContent', jobContent, { permissions: JobPermissions });
export type JobContent = t.TypeOf<typeof JobContent>;

/** The blob that `RunResolved` names: the content of each job, by its id. JSON. */
export const GraphContent = record('GraphContent', { jobs: t.record(t.string, JobContent, 'GraphJobs') });
export type GraphContent = t.TypeOf<typeof GraphContent>;
