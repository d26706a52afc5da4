/** Performs one step whose condition holds. */
import { randomBytes } from 'node:crypto';
import { join, posix } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { StepContent } from '../../../../domain/workflow/protocol/job-content';
import type { Assignment } from '../../../../domain/workflow/protocol/runner';
import type { ExecRequest, ProgramEnd } from '../../../sandbox/src/ports';
import type { Expressions, Scope } from '../../../workflow-expressions/src/index';
import type { Requests } from '../control-plane/requests';
import type { LogWriter } from '../logs/log-writer';
import type { Masker } from '../masks/masker';
import type { JobSandbox } from '../sandbox/job-sandbox';
import { downloadArtifacts, uploadArtifact } from './artifacts';
import { checkOut } from './checkout';
import { parseAssignments, parsePaths, readCommandFile, removeFiles, writeNewFile } from './command-files';
import {
  addAnnotation,
  addPaths,
  addSummary,
  type JobState,
  openStepOutputs,
  type StepOutputs,
  setVariables,
} from './job-state';
import { describeEnd, exitCodeOf, runProgram, type StopPauses } from './run-program';
import { shellCommand } from './shells';
import { defaultVariables, isReserved, type JobPaths, startFault, variableFault } from './step-environment';
import { annotationOf, cut, openStepOutput, type StepOutput } from './step-output';
import { hideMaskedValues } from './workflow-commands';

export interface StepDeps {
  readonly assignment: Assignment;
  readonly requests: Requests;
  readonly baseUrl: string;
  readonly expressions: Expressions;
  readonly sandbox: JobSandbox;
  readonly log: LogWriter;
  readonly masker: Masker;
  readonly paths: JobPaths;
  /** Variables of the job that no step changes. */
  readonly variables: { readonly [name: string]: string };
  readonly pauses: StopPauses;
  readonly partialMilliseconds: number;
  /** On the machine, for this runner alone. */
  readonly directory: string;
}

export interface StepOutcome {
  /** Undefined: it did what it should. */
  readonly failure: string | undefined;
  /** The failure stands in the log already. */
  readonly isLogged?: boolean;
  readonly exitCode: number | null;
  readonly outputs: { readonly [name: string]: string };
}

interface StepRun {
  readonly state: JobState;
  readonly step: StepContent;
  /** Its context `env` holds the step's own variables. */
  readonly scope: Scope;
  /** The step's own. Left: why they cannot be evaluated. */
  readonly environment: Either<string, Values>;
  /** Aborted: the step is to end. */
  readonly signal: AbortSignal;
}

type Values = { readonly [name: string]: string };

/** `field`: which key of the workflow file has no value, `fault`: why. */
export const describeFault = (field: string, fault: string): string => `${field} cannot be evaluated: ${fault}.`;

const interpolateAll = (
  { expressions }: Pick<StepDeps, 'expressions'>,
  { scope }: Pick<StepRun, 'scope'>,
  { values, fieldOf }: { readonly values: Values; readonly fieldOf: (name: string) => string },
): Either<string, Values> => {
  const result: [string, string][] = [];
  for (const [name, value] of Object.entries(values)) {
    const text = expressions.interpolate(value, scope);
    if (isLeft(text)) return left(describeFault(fieldOf(name), text.left));
    result.push([name, text.right]);
  }
  return right(Object.fromEntries(result));
};

const commandFiles = {
  GITHUB_ENV: 'env',
  GITHUB_OUTPUT: 'output',
  GITHUB_PATH: 'path',
  GITHUB_STEP_SUMMARY: 'summary',
  GITHUB_STATE: 'state',
};
type CommandFile = keyof typeof commandFiles;

/** Reads what the step wrote. Left: which file is malformed. */
const applyFiles = async (
  directory: string,
  names: { readonly [File in CommandFile]: string },
  {
    state,
    outputs,
    masker,
    log,
  }: Pick<StepDeps, 'masker' | 'log'> & Pick<StepRun, 'state'> & Pick<Prepared, 'outputs'>,
): Promise<Either<string, void>> => {
  const read = async (file: CommandFile): Promise<Either<string, string>> => {
    const content = await readCommandFile(join(directory, names[file]));
    return isLeft(content) ? left(`The file ${file} is not usable: ${content.left}.`) : content;
  };
  const [env, output, path, summary] = [
    await read('GITHUB_ENV'),
    await read('GITHUB_OUTPUT'),
    await read('GITHUB_PATH'),
    await read('GITHUB_STEP_SUMMARY'),
  ];
  for (const content of [env, output, path, summary]) if (isLeft(content)) return content;
  const variables = parseAssignments(isLeft(env) ? '' : env.right);
  if (isLeft(variables)) return left(`The file GITHUB_ENV is malformed. ${variables.left}`);
  for (const [name] of variables.right)
    if (isReserved(name)) {
      const text = masker.mask(`GITHUB_ENV may not set ${cut(name, 100)}; later steps have it as it was.`);
      addAnnotation(state, annotationOf('warning', text));
      await log.write(`##[warning]${text}\n`);
    }
  const set = setVariables(
    state,
    variables.right.filter(([name]) => !isReserved(name)),
  );
  if (isLeft(set)) return left(`The file GITHUB_ENV is not usable. ${set.left}`);
  const assigned = parseAssignments(isLeft(output) ? '' : output.right);
  if (isLeft(assigned)) return left(`The file GITHUB_OUTPUT is malformed. ${assigned.left}`);
  for (const [name, value] of assigned.right) {
    const assignment = outputs.set(name, value);
    if (isLeft(assignment)) return left(`The file GITHUB_OUTPUT is too large. ${assignment.left}`);
  }
  if (!isLeft(path) && path.right.includes('\0')) return left('The file GITHUB_PATH is not usable. A line has a NUL.');
  const added = addPaths(state, parsePaths(isLeft(path) ? '' : path.right));
  if (isLeft(added)) return left(`The file GITHUB_PATH is too large. ${added.left}`);
  if (!isLeft(summary)) addSummary(state, masker.mask(summary.right));
  return right(undefined);
};

interface Prepared {
  readonly environment: Values;
  readonly output: StepOutput;
  readonly outputs: StepOutputs;
  readonly run: (request: ExecRequest) => Promise<Either<string, ProgramEnd>>;
}

const runScript = async (
  deps: StepDeps,
  run: StepRun,
  { environment, outputs, ...prepared }: Prepared,
): Promise<StepOutcome> => {
  const { sandbox, paths, log, masker } = deps;
  const { step, state } = run;
  const fail = (failure: string): StepOutcome => ({ failure, exitCode: null, outputs: {} });
  const texts = interpolateAll(deps, run, {
    values: { run: step.run ?? '', shell: step.shell ?? '', 'working-directory': step.workingDirectory ?? '' },
    fieldOf: (name) => `"${name}"`,
  });
  if (isLeft(texts)) return fail(texts.left);
  const { run: script = '', shell = '', 'working-directory': directory = '' } = texts.right;
  const command = shellCommand(shell === '' ? null : shell);
  if (isLeft(command)) return fail(command.left);
  const directoryFault = startFault(directory);
  if (directoryFault !== undefined) return fail(`"working-directory" ${directoryFault}.`);
  const id = randomBytes(8).toString('hex');
  const scriptName = `.septet-script-${id}${command.right.extension}`;
  const names = Object.fromEntries(
    Object.entries(commandFiles).map(([variable, name]) => [variable, `.septet-${name}-${id}`]),
  ) as { readonly [File in CommandFile]: string };
  const onMachine = [scriptName, ...Object.values(names)].map((name) => join(sandbox.directory, name));
  const inside = (name: string): string => posix.join(sandbox.inside, name);
  try {
    await writeNewFile(join(sandbox.directory, scriptName), `${script}\n`, sandbox.owner);
    for (const name of Object.values(names)) await writeNewFile(join(sandbox.directory, name), '', sandbox.owner);
    const echo = hideMaskedValues(script);
    const [first = ''] = echo.trimStart().split('\n');
    const scriptLines = echo.split('\n').map((line) => `${line}\n`);
    await log.write(masker.mask(`##[group]Run ${first}\n${scriptLines.join('')}##[endgroup]\n`));
    const end = await prepared.run({
      argv: command.right.argv(inside(scriptName)),
      environment: {
        ...environment,
        ...Object.fromEntries(Object.entries(names).map(([variable, name]) => [variable, inside(name)])),
      },
      directory: posix.resolve(paths.workspace, directory === '' ? '.' : directory),
    });
    if (isLeft(end)) return fail(end.left);
    const applied = await applyFiles(sandbox.directory, names, { state, outputs, masker, log });
    const exitCode = exitCodeOf(end.right);
    const isSuccess = end.right.kind === 'exited' && end.right.code === 0;
    const failure = isSuccess ? (isLeft(applied) ? applied.left : undefined) : describeEnd(end.right);
    return { failure, exitCode, outputs: outputs.values() };
  } finally {
    await removeFiles(onMachine);
  }
};

const performAction = async (
  deps: StepDeps,
  run: StepRun,
  { run: runInSandbox, output }: Prepared,
): Promise<StepOutcome> => {
  const { assignment, requests, baseUrl, sandbox, paths, directory, log, masker, pauses } = deps;
  const { step, signal, scope } = run;
  const inputs = interpolateAll(deps, run, { values: step.with, fieldOf: (name) => `The input ${name} of "with"` });
  if (isLeft(inputs)) return { failure: inputs.left, exitCode: null, outputs: {} };
  const print = (line: string): Promise<void> => log.write(`${masker.mask(line)}\n`);
  await print(`##[group]Run ${step.uses ?? ''}`);
  for (const [name, value] of Object.entries(inputs.right)) await print(`  ${name}: ${value}`);
  await print('##[endgroup]');
  const github = (scope.contexts.github ?? {}) as { readonly repository?: unknown };
  const common = {
    inputs: inputs.right,
    workspace: paths.workspace,
    jobToken: assignment.jobToken,
    directory,
    print,
    signal,
  };
  const artifact = {
    ...common,
    home: paths.home,
    mask: masker.mask,
    requests,
    baseUrl,
    jobId: assignment.jobId,
    epoch: assignment.epoch,
    capture: (request: ExecRequest, received: (bytes: Uint8Array) => Promise<void>) =>
      runProgram({
        sandbox,
        request: { ...request, environment: { PATH: sandbox.searchPath } },
        signal,
        pauses,
        output: (stream, bytes) => (stream === 'stdout' ? received(bytes) : output.push(stream, bytes)),
      }),
  };
  const performed = await (step.uses === 'actions/checkout'
    ? checkOut({
        ...common,
        repository: assignment.repository,
        repositoryName: typeof github.repository === 'string' ? github.repository : undefined,
        run: (request) =>
          runInSandbox({ ...request, environment: { PATH: sandbox.searchPath, ...request.environment } }),
      })
    : step.uses === 'actions/upload-artifact'
      ? uploadArtifact(artifact)
      : downloadArtifacts(artifact));
  if (isLeft(performed)) return { failure: performed.left, exitCode: null, outputs: {} };
  return { failure: undefined, exitCode: null, outputs: performed.right };
};

/** A failure that is not of a cancel is shown in the log and as an annotation. */
const showFailure = async (
  { log, masker }: StepDeps,
  { state, signal }: StepRun,
  outcome: StepOutcome,
): Promise<void> => {
  if (outcome.failure === undefined || outcome.isLogged === true || signal.aborted) return;
  const text = masker.mask(outcome.failure);
  addAnnotation(state, annotationOf('error', text));
  await log.write(`##[error]${text}\n`);
};

export const runStep = async (deps: StepDeps, run: StepRun): Promise<StepOutcome> => {
  const outcome = await performStep(deps, run);
  await showFailure(deps, run, outcome);
  return outcome;
};

/** The step's own variables, which its condition and its name see, too. Left: a sentence. */
export const evaluateEnvironment = (
  deps: Pick<StepDeps, 'expressions'>,
  step: StepContent,
  scope: Scope,
): Either<string, Values> => {
  const fieldOf = (name: string): string => `The variable ${name} of "env"`;
  const values = interpolateAll(deps, { scope }, { values: step.env, fieldOf });
  if (isLeft(values)) return values;
  for (const [name, value] of Object.entries(values.right)) {
    const fault = variableFault(name, value);
    if (fault !== undefined) return left(`${fieldOf(name)} ${fault}.`);
  }
  return values;
};

const performStep = async (deps: StepDeps, run: StepRun): Promise<StepOutcome> => {
  const { sandbox, log, masker, variables, paths, pauses, partialMilliseconds } = deps;
  const { state, step, signal, environment } = run;
  if (isLeft(environment)) return { failure: environment.left, exitCode: null, outputs: {} };
  const inherited = { ...Object.fromEntries(state.environment), ...environment.right };
  const outputs = openStepOutputs(state);
  /** What a command of the step could not do. */
  let refused: string | undefined;
  const refuse = (detail: string): void => {
    if (refused !== undefined) return;
    refused = detail;
    state.ownMessages.add(detail);
    addAnnotation(state, annotationOf('error', detail));
    void log.write(`##[error]${detail}\n`);
  };
  const output = openStepOutput({
    log,
    masker,
    partialMilliseconds,
    annotate: (annotation) => addAnnotation(state, annotation),
    setOutput: (name, value) => {
      const set = outputs.set(name, value);
      if (isLeft(set)) refuse(set.left);
    },
    refuse,
  });
  const prepared: Prepared = {
    environment: {
      ...defaultVariables(paths),
      ...inherited,
      ...variables,
      GITHUB_ACTION: step.id,
      PATH: [...state.paths, inherited.PATH ?? sandbox.searchPath].join(':'),
    },
    output,
    outputs,
    run: (request) => runProgram({ sandbox, request, signal, pauses, output: output.push }),
  };
  const performed = step.run === null ? await performAction(deps, run, prepared) : await runScript(deps, run, prepared);
  await output.end();
  return refused === undefined ? performed : { ...performed, failure: refused, isLogged: true };
};
