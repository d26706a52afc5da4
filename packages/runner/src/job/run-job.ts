/**
 * One job, from its assignment to its report: starts it, performs its steps, sends its log, ends its programs, and completes it. A job
 * whose lease is lost ends at once and reports nothing.
 */
import { chown, mkdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Instant } from '../../../../domain/kernel/codec';
import type { Assignment, CompleteJob } from '../../../../domain/workflow/protocol/runner';
import type { Annotation, StepReport } from '../../../../domain/workflow/run/events';
import { type Expressions, openBudget, type Scope, type Status } from '../../../workflow-expressions/src/index';
import type { Answer, Requests } from '../control-plane/requests';
import { type LogLimits, openLogWriter } from '../logs/log-writer';
import { openMasker } from '../masks/masker';
import type { RunnerLog } from '../runner-log';
import type { JobSandbox, JobSandboxes } from '../sandbox/job-sandbox';
import { writeNewFile } from './command-files';
import { fitReport, mostOutputBytes, sizeOf } from './fit-report';
import { hashFilesOf } from './hash-files';
import { beginStep, endStep, initialState, type StepEnd } from './job-state';
import type { StopPauses } from './run-program';
import { describeFault, evaluateEnvironment, runStep, type StepDeps, type StepOutcome } from './run-step';
import { type JobPaths, jobEnvironment, runnerContext, variableFault } from './step-environment';
import { cut } from './step-output';
import { hideMaskedValues } from './workflow-commands';

export interface JobDeps {
  readonly requests: Requests;
  readonly baseUrl: string;
  readonly expressions: Expressions;
  readonly sandboxes: JobSandboxes;
  readonly runnerName: string;
  readonly directory: string;
  readonly logLimits: LogLimits;
  readonly pauses: StopPauses;
  readonly log: RunnerLog;
}

export type JobEnd = CompleteJob['result'] | 'lost';

export interface RunningJob {
  /** Graceful: the step is interrupted, and steps with `always()` or `cancelled()` run within the grace. Forced: all ends. */
  readonly cancel: (kind: 'graceful' | 'forced') => void;
  /** The lease is lost. */
  readonly lose: () => void;
  readonly progress: () => { readonly currentStep: string | null; readonly logBytes: number };
  readonly ended: Promise<JobEnd>;
}

const retryMilliseconds = { first: 200, longest: 3_000 } as const;
const partialMilliseconds = 150;
/** How long the job's end waits for reports of steps, which it repeats. */
const reportingMilliseconds = 2_000;
const mostOutputs = 100;
const longestOutput = 65_536;
/** Timers of Node take no more. */
const longestTimer = 2 ** 31 - 1;

const now = (): Instant => new Date().toISOString() as Instant;

/** Why a step is to end, where it is its own time. */
const timedOut = new Error('The step has timed out.');

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const runJob = (deps: JobDeps, assignment: Assignment): RunningJob => {
  const { requests, expressions, sandboxes, log: runnerLog, baseUrl } = deps;
  const { jobId, epoch, content, contexts: given, jobToken, cancelGraceSeconds } = assignment;
  const state = initialState(content.steps);
  /** Nothing is sent any more. */
  const lost = new AbortController();
  /** No step begins any more, and what runs is destroyed. */
  const forced = new AbortController();
  let sandbox: JobSandbox | undefined;
  let currentStep: AbortController | undefined;
  let graceTimer: NodeJS.Timeout | undefined;

  const destroy = async (): Promise<void> => {
    await sandbox?.destroy();
  };
  const force = (): void => {
    if (forced.signal.aborted) return;
    state.isCanceled = true;
    forced.abort();
    currentStep?.abort();
    void destroy();
  };
  const interrupt = (): void => {
    if (state.isCanceled) return;
    state.isCanceled = true;
    currentStep?.abort();
    graceTimer = setTimeout(force, cancelGraceSeconds * 1_000);
  };
  const masker = openMasker();
  masker.add(jobToken);
  const log = openLogWriter({
    limits: deps.logLimits,
    signal: lost.signal,
    exceeded: () => {
      state.hasFailed = true;
      state.reason ??= 'log_buffer_exceeded';
      currentStep?.abort();
    },
    send: async (chunks) => {
      const answer = await requests.sendLogs(jobId, { epoch, chunks });
      if (answer.kind === 'ok') return { kind: 'acknowledged', next: answer.value.next };
      if (answer.kind === 'unavailable') return { kind: 'unavailable' };
      if (answer.kind === 'stale') lose();
      else
        runnerLog('error', 'the log was refused', {
          jobId,
          code: answer.kind === 'refused' ? answer.code : answer.kind,
        });
      return { kind: 'refused' };
    },
  });
  const lose = (): void => {
    if (lost.signal.aborted) return;
    lost.abort();
    force();
  };

  /** Until it is answered for good, or the lease is lost. */
  const persist = async <Value>(work: () => Promise<Answer<Value>>): Promise<Answer<Value>> => {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await work();
      if (answer.kind === 'stale') lose();
      if (answer.kind !== 'unavailable' || lost.signal.aborted) return answer;
      const pause = Math.min(retryMilliseconds.first * 2 ** attempt, retryMilliseconds.longest);
      await sleep(pause, undefined, { signal: lost.signal }).catch(() => undefined);
    }
  };
  const maskAnnotation = ({ title, file, ...annotation }: Annotation): Annotation => ({
    ...annotation,
    message: state.ownMessages.has(annotation.message) ? annotation.message : masker.mask(annotation.message),
    title: title === null ? null : masker.mask(title),
    file: file === null ? null : masker.mask(file),
  });
  // Reports are for viewers: one after another, so that none overtakes a later one, and no step waits for them.
  let reporting = Promise.resolve();
  const report = (step: StepReport): void => {
    reporting = reporting.then(async () => {
      if (lost.signal.aborted) return;
      const answer = await requests.reportStep(jobId, { epoch, step: { ...step, name: masker.mask(step.name) } });
      if (answer.kind === 'stale') lose();
    });
  };

  const status = (): Status => ({
    isSuccess: !state.hasFailed,
    hasFailure: state.hasFailed,
    isCanceled: state.isCanceled,
  });
  const statusWord = (): string => (state.isCanceled ? 'cancelled' : state.hasFailed ? 'failure' : 'success');
  const contextsFor = (paths: JobPaths): Scope['contexts'] => {
    const { strategy } = content;
    return {
      ...given,
      github: {
        ...(isRecord(given.github) ? given.github : {}),
        token: jobToken,
        workspace: paths.workspace,
        event_path: paths.event,
      },
      matrix: content.matrix,
      strategy: {
        'job-index': strategy.jobIndex,
        'job-total': strategy.jobTotal,
        'fail-fast': strategy.failFast,
        'max-parallel': strategy.maxParallel,
      },
      env: Object.fromEntries(state.environment),
      steps: Object.fromEntries(state.steps),
      job: { status: statusWord(), container: {}, services: {} },
      runner: runnerContext(deps.runnerName, paths),
    };
  };

  const unknownNames = new Set<string>();
  /** Once for a job: a loop over steps would fill the log. */
  const nameUnknown = (property: string): void => {
    const name = cut(masker.mask(property), 100);
    if (unknownNames.has(name)) return;
    unknownNames.add(name);
    void log.write(`##[warning]There is no ${name}: it is empty.\n`);
  };

  const prepareSandbox = async (): Promise<
    Either<string, { readonly sandbox: JobSandbox; readonly paths: JobPaths }>
  > => {
    const prepared = await sandboxes.prepare();
    if (isLeft(prepared)) return left(prepared.left.detail);
    sandbox = prepared.right;
    const { directory, inside, owner } = sandbox;
    const paths: JobPaths = {
      workspace: posix.join(inside, 'workspace'),
      home: posix.join(inside, 'home'),
      temporary: posix.join(inside, 'temporary'),
      tools: posix.join(inside, 'tools'),
      event: posix.join(inside, 'event.json'),
    };
    for (const name of ['workspace', 'home', 'temporary', 'tools']) {
      await mkdir(join(directory, name), { mode: 0o700 });
      if (owner !== undefined) await chown(join(directory, name), owner, owner);
    }
    const event = isRecord(given.github) ? (given.github.event ?? {}) : {};
    await writeNewFile(join(directory, 'event.json'), JSON.stringify(event), owner);
    return right({ sandbox, paths });
  };

  const fail = async (index: number, text: string): Promise<void> => {
    await log.write(`##[error]${masker.mask(text)}\n`);
    state.hasFailed = true;
    state.reason ??= 'expression';
    const end: StepEnd = { outputs: {}, outcome: 'failure', conclusion: 'failure', isTimedOut: false, exitCode: null };
    report(endStep(state, index, end, now()));
  };
  const unperformed: StepEnd = {
    outputs: {},
    outcome: 'skipped',
    conclusion: 'skipped',
    isTimedOut: false,
    exitCode: null,
  };

  const performStep = async (index: number, stepDeps: StepDeps): Promise<void> => {
    const step = content.steps[index];
    if (step === undefined) return;
    if (forced.signal.aborted) return void endStep(state, index, unperformed, now());
    const contexts = contextsFor(stepDeps.paths);
    const { sandbox: own, paths, pauses } = stepDeps;
    const hashing = { expressions, sandbox: own, workspace: paths.workspace, pauses, signal: forced.signal };
    const hashed = await hashFilesOf(hashing, step, { contexts, status: status() });
    if (isLeft(hashed)) return fail(index, hashed.left);
    const hashFiles = (patterns: readonly string[]): string | undefined => hashed.right.get(JSON.stringify(patterns));
    const ofJob: Scope = { contexts, status: status(), hashFiles, unknown: nameUnknown, budget: openBudget() };
    const environment = evaluateEnvironment({ expressions }, step, ofJob);
    const env = { ...Object.fromEntries(state.environment), ...(isLeft(environment) ? {} : environment.right) };
    const scope: Scope = { ...ofJob, contexts: { ...contexts, env } };
    const holds = expressions.holds(step.condition, scope);
    if (isLeft(holds)) return fail(index, describeFault('"if"', holds.left));
    if (!holds.right) return report(endStep(state, index, unperformed, now()));
    const name = expressions.interpolate(step.name, scope);
    // Masked before it is cut: half of a secret would not be found.
    const maskedName = masker.mask(hideMaskedValues(isLeft(name) ? step.name : name.right));
    state.currentStep = cut(maskedName, 300);
    report(beginStep(state, index, maskedName, now()));
    const text = (value: string): Either<string, string> => expressions.interpolate(value, scope);
    const minutes = typeof step.timeoutMinutes === 'string' ? text(step.timeoutMinutes) : right(step.timeoutMinutes);
    const goesOn = typeof step.continueOnError === 'string' ? text(step.continueOnError) : right(step.continueOnError);
    if (isLeft(minutes)) return fail(index, describeFault('"timeout-minutes"', minutes.left));
    if (isLeft(goesOn)) return fail(index, describeFault('"continue-on-error"', goesOn.left));
    const milliseconds = minutes.right === null ? longestTimer : Number(minutes.right) * 60_000;
    if (!(milliseconds > 0)) return fail(index, 'timeout-minutes is not a positive number.');

    const controller = new AbortController();
    currentStep = controller;
    const timer = setTimeout(() => controller.abort(timedOut), Math.min(milliseconds, longestTimer));
    // An error of this machine, as of a full disk or of arguments that no program takes, is the step's: the job goes on to its end.
    const outcome = await runStep(stepDeps, { state, step, scope, environment, signal: controller.signal }).catch(
      async (error: NodeJS.ErrnoException): Promise<StepOutcome> => {
        const failure = `The step could not be performed (${error.code ?? error.name}).`;
        await log.write(`##[error]${failure}\n`);
        return { failure, exitCode: null, outputs: {} };
      },
    );
    clearTimeout(timer);
    currentStep = undefined;
    const isTimedOut = controller.signal.reason === timedOut;
    if (isTimedOut) await log.write(`##[error]The step has timed out after ${String(minutes.right)} minutes.\n`);
    const isInterrupted = controller.signal.aborted && !isTimedOut && !log.isExceeded();
    const result = isInterrupted ? 'cancelled' : outcome.failure === undefined && !isTimedOut ? 'success' : 'failure';
    const isTolerated = result === 'failure' && String(goesOn.right).trim() === 'true' && !log.isExceeded();
    if (result === 'failure' && !isTolerated) {
      state.hasFailed = true;
      state.reason ??= isTimedOut ? 'step_timed_out' : (outcome.exitCode ?? 0) === 0 ? 'step_failed' : 'exit_code';
    }
    const end: StepEnd = {
      outputs: outcome.outputs,
      outcome: result,
      conclusion: isTolerated ? 'success' : result,
      isTimedOut,
      exitCode: outcome.exitCode === null ? null : Math.min(255, Math.max(-1, outcome.exitCode)),
    };
    report(endStep(state, index, end, now()));
    state.currentStep = null;
  };

  const outputsOf = (paths: JobPaths): Either<string, CompleteJob['outputs']> => {
    const outputs: [string, string][] = [];
    let outputBytes = 0;
    const scope: Scope = { contexts: contextsFor(paths), status: status(), budget: openBudget() };
    for (const [name, value] of Object.entries(content.outputs).slice(0, mostOutputs)) {
      const text = expressions.interpolate(value, scope);
      if (isLeft(text)) return left(describeFault(`The output ${name}`, text.left));
      const output = text.right.toWellFormed();
      if (output.length > longestOutput) return left(`The output ${name} is longer than ${longestOutput} characters.`);
      // An output with a secret would show it in the graph.
      if (masker.mask(output) !== output)
        void log.write(`##[warning]The output ${name} has a secret and is left out.\n`);
      else if (output !== '') outputs.push([name, output]);
      outputBytes += sizeOf([name, output]);
      if (outputBytes > mostOutputBytes)
        return left(`The outputs up to ${name} are larger than ${mostOutputBytes} bytes together.`);
    }
    return right(Object.fromEntries(outputs));
  };

  const perform = async (): Promise<CompleteJob['outputs']> => {
    const prepared = await preparing;
    if (isLeft(prepared)) {
      state.hasFailed = true;
      state.reason = 'sandbox_unavailable';
      await log.write(`##[error]${prepared.left}\n`);
      return {};
    }
    const { paths } = prepared.right;
    const stepDeps: StepDeps = {
      ...deps,
      assignment,
      baseUrl,
      sandbox: prepared.right.sandbox,
      log,
      masker,
      paths,
      variables: jobEnvironment(contextsFor(paths).github as Scope['contexts'], deps.runnerName, paths),
      partialMilliseconds,
    };
    const budget = openBudget();
    for (const [name, value] of Object.entries(content.env)) {
      const text = expressions.interpolate(value, { contexts: contextsFor(paths), status: status(), budget });
      const field = `The variable ${name} of "env"`;
      const fault = isLeft(text) ? undefined : variableFault(name, text.right);
      if (isLeft(text) || fault !== undefined) {
        state.hasFailed = true;
        state.reason = 'expression';
        const detail = isLeft(text) ? describeFault(field, text.left) : `${field} ${fault}.`;
        await log.write(`##[error]${masker.mask(detail)}\n`);
      } else state.environment.set(name, text.right);
    }
    for (const index of content.steps.keys()) await performStep(index, stepDeps);
    const outputs = outputsOf(paths);
    if (!isLeft(outputs)) return outputs.right;
    state.hasFailed = true;
    state.reason ??= 'outputs';
    await log.write(`##[error]${masker.mask(outputs.left)}\n`);
    return {};
  };

  const resultOf = (): CompleteJob['result'] => {
    if (state.isTimedOut) return 'timed_out';
    if (state.isCanceled) return 'canceled';
    return state.hasFailed ? 'failure' : 'success';
  };

  const preparing = prepareSandbox().catch((error: NodeJS.ErrnoException) =>
    left(
      error.code === undefined ? 'The sandbox could not be made.' : `The sandbox could not be made (${error.code}).`,
    ),
  );
  const run = async (): Promise<JobEnd> => {
    const started = await persist(() => requests.start(jobId, { epoch }));
    if (started.kind !== 'ok') {
      lose();
      await preparing;
      await destroy();
      return 'lost';
    }
    const timeout = setTimeout(
      () => {
        state.isTimedOut ||= !state.isCanceled;
        interrupt();
      },
      Math.min(assignment.timeoutMinutes * 60_000, longestTimer),
    );
    const outputs = await perform();
    clearTimeout(timeout);
    // A cancel that comes now is too late to change what the job has done.
    const result = resultOf();
    await destroy();
    const { chunks, isComplete } = await log.close();
    clearTimeout(graceTimer);
    await Promise.race([reporting, sleep(reportingMilliseconds, undefined, { ref: false })]);
    if (!isComplete && !lost.signal.aborted) runnerLog('warn', 'the log is incomplete', { jobId, chunks });
    if (lost.signal.aborted) return 'lost';
    const completed = await persist(() =>
      requests.complete(
        jobId,
        fitReport({
          epoch,
          result,
          reason: result === 'success' ? null : result === 'timed_out' ? 'timed_out' : state.reason,
          outputs: result === 'success' || result === 'failure' ? outputs : {},
          steps: state.reports.map((step) => ({ ...step, name: masker.mask(step.name) })),
          // Masked again: later steps may have added masks.
          annotations: state.annotations.map(maskAnnotation),
          summary: state.summary === '' ? null : masker.mask(state.summary),
          logChunks: chunks,
        }),
      ),
    );
    if (completed.kind === 'ok') return result;
    if (completed.kind === 'refused')
      runnerLog('error', 'the report of a job was refused', { jobId, code: completed.code, detail: completed.detail });
    return 'lost';
  };
  return {
    cancel: (kind) => (kind === 'forced' ? force() : interrupt()),
    lose,
    progress: () => ({ currentStep: state.currentStep, logBytes: log.size() }),
    ended: (async () => {
      try {
        return await run();
      } catch (error) {
        throw new Error(masker.mask((error as Error).message));
      } finally {
        clearTimeout(graceTimer);
        await destroy();
      }
    })(),
  };
};
