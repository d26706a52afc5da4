/** A run with its job graph: one stream, so that a cancel is one append. */
import * as t from 'io-ts';
import { Instant, integer, listOf, mapOf, nameText, nullable, oneOf, record, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { Checksum, CommitSha, DefinitionId, JobId, RepositoryId, RunId, RunnerId, TriggerEventId } from '../ids';
import { limits, Priority } from '../limits';
import { TypedInputs } from '../trigger/dispatch-inputs';
import { DefinitionPath, PullRequest, TriggerType } from '../trigger/events';

/** The `ref`, `branch` and the other fields of the trigger, repeated so that a run is read alone. */
const trigger = {
  eventType: TriggerType,
  ref: text('RunRef', { maxLength: 300 }),
  branch: text('RunBranch', { maxLength: 300 }),
  baseBranch: nullable(text('RunBaseBranch', { maxLength: 300 })),
  activity: nullable(text('RunActivity', { maxLength: 60 })),
  commitSha: CommitSha,
  beforeSha: nullable(CommitSha),
  actorId: PrincipalId,
  pullRequest: nullable(PullRequest),
  inputs: TypedInputs,
};

export const RunnerLabel = nameText('RunnerLabel', { maxLength: 100, examples: ['linux'] });

export const RunnerType = oneOf('RunnerType', ['managed', 'self_hosted']);
export type RunnerType = t.TypeOf<typeof RunnerType>;

/** Results that a job's attempt ends with. */
export const JobResult = oneOf('JobResult', ['success', 'failure', 'canceled', 'timed_out', 'lost', 'skipped']);
export type JobResult = t.TypeOf<typeof JobResult>;

export const RunResult = oneOf('RunResult', ['success', 'failure', 'canceled', 'timed_out', 'skipped']);
export type RunResult = t.TypeOf<typeof RunResult>;

/** Why a run that could be resolved does not begin. */
export const RunRefusal = oneOf('RunRefusal', ['quota_exceeded']);
export type RunRefusal = t.TypeOf<typeof RunRefusal>;

export const StepStatus = oneOf('StepStatus', [
  'queued',
  'in_progress',
  'success',
  'failure',
  'canceled',
  'skipped',
  'timed_out',
]);
export type StepStatus = t.TypeOf<typeof StepStatus>;

/** A fault in a workflow file. Lines and columns from 1; null where the fault is of the whole file. */
export const DefinitionProblem = record('DefinitionProblem', {
  message: text('DefinitionProblemMessage', { maxLength: 1_000 }),
  line: nullable(integer(1)),
  column: nullable(integer(1)),
});
export type DefinitionProblem = t.TypeOf<typeof DefinitionProblem>;

/** `concurrency` of a workflow or a job. Names of groups are the same whatever their case, and of one repository. */
export const Concurrency = record('Concurrency', {
  group: text('ConcurrencyGroup', { maxLength: 400 }),
  /** The group's holder is canceled. */
  cancelInProgress: t.boolean,
});
export type Concurrency = t.TypeOf<typeof Concurrency>;

/**
 * What scheduling needs of a job. What it does (steps, environment, matrix values) lies in the blob that the run names, under the
 * same id. Expressions are as written, without `${{ }}`.
 */
export const JobNode = record(
  'JobNode',
  {
    jobId: JobId,
    /** The key below `jobs:`; the same for every combination of a matrix. */
    key: text('JobKey', { maxLength: 100 }),
    /** With the matrix values, as `test (20, linux)`. */
    name: text('JobName', { minLength: 0, maxLength: 300 }),
    /** Keys of jobs, as in `needs`. */
    needs: listOf('JobNeeds', text('NeededKey', { maxLength: 100 }), limits.matrixJobs),
    /** Null: `success()`. */
    condition: nullable(text('JobCondition', { maxLength: 10_000 })),
    /** Labels that the runner must have, in lower case. */
    labels: listOf('JobLabels', RunnerLabel, 20),
    timeoutMinutes: integer(1, limits.runTimeoutMinutes),
    /** Its failure does not fail the run. */
    continueOnError: t.boolean,
    /** Of a matrix: end the others when one fails. */
    failFast: t.boolean,
    /** Of a matrix: how many combinations run at once; null without limit. */
    maxParallel: nullable(integer(1, limits.matrixJobs)),
    /** How often a lost attempt is tried again by itself. */
    lostRetries: integer(0, 10),
    cancelGraceSeconds: integer(0, limits.cancelGraceSeconds),
  },
  { concurrency: Concurrency },
);
export type JobNode = t.TypeOf<typeof JobNode>;

/** A matrix that depends on outputs of other jobs; it becomes jobs when those have ended. */
const PlannedJob = record('PlannedJob', {
  key: text('PlannedKey', { maxLength: 100 }),
  needs: listOf('PlannedNeeds', text('PlannedNeed', { maxLength: 100 }), limits.matrixJobs),
});

export const JobOutputs = mapOf('JobOutputs', {
  key: text('OutputName', { content: 'any', maxLength: 100 }),
  value: text('OutputValue', { content: 'any', minLength: 0, maxLength: 65_536 }),
  most: 100,
});
export type JobOutputs = t.TypeOf<typeof JobOutputs>;

export const StepReport = record('StepReport', {
  stepId: text('StepId', { maxLength: 140 }),
  number: integer(1, limits.stepsPerJob),
  name: text('StepName', { content: 'any', minLength: 0, maxLength: 300 }),
  status: StepStatus,
  exitCode: nullable(integer(-1, 255)),
  startedAt: nullable(Instant),
  completedAt: nullable(Instant),
});
export type StepReport = t.TypeOf<typeof StepReport>;

export const Annotation = record('Annotation', {
  level: oneOf('AnnotationLevel', ['notice', 'warning', 'error']),
  message: text('AnnotationMessage', { content: 'any', minLength: 0, maxLength: 4_000 }),
  title: nullable(text('AnnotationTitle', { content: 'any', maxLength: 300 })),
  file: nullable(text('AnnotationFile', { content: 'any', maxLength: 500 })),
  line: nullable(integer(1)),
});
export type Annotation = t.TypeOf<typeof Annotation>;

const epoch = integer(1);
const attempt = integer(1, limits.attempts);
const jobIds = listOf('RunJobIds', JobId, 1_000);
const Reason = text('RunReason', { maxLength: 300 });
const nodes = listOf('RunJobs', JobNode, 1_000);

/** What a run is shown as, in place of the workflow's name. */
export const RunTitle = nameText('RunTitle', { maxLength: 300 });

export const RetryMode = oneOf('RetryMode', ['all', 'failed', 'job']);
export type RetryMode = t.TypeOf<typeof RetryMode>;

export const runs = aggregate(
  { context: 'workflow', name: 'run', id: RunId },
  {
    RunRequested: {
      v: 2,
      from: { 1: (old: object) => ({ ...old, pullRequest: null, runNumber: null }) },
      data: {
        runId: RunId,
        repoId: RepositoryId,
        workflowDefinitionId: DefinitionId,
        path: DefinitionPath,
        yamlHash: Checksum,
        definitionVersion: integer(1),
        workflowName: text('RunWorkflowName', { maxLength: 300 }),
        triggerEventId: TriggerEventId,
        priority: Priority,
        /** Counts the runs of the definition, from 1. Null: it began before they were counted. */
        runNumber: nullable(integer(1)),
        ...trigger,
      },
    },
    /** The definition at the commit became jobs. Their content lies in object storage under `graphKey`, with that digest. */
    RunResolved: {
      v: 1,
      data: {
        runId: RunId,
        graphKey: text('GraphKey', { maxLength: 300 }),
        graphDigest: Checksum,
        parser: text('ParserVersion', { maxLength: 60 }),
        jobs: nodes,
        planned: listOf('PlannedJobs', PlannedJob, 1_000),
      },
    },
    /** The definition has a `run-name`, evaluated. */
    RunTitled: { v: 1, data: { runId: RunId, title: RunTitle } },
    /** The run is in a concurrency group: none of its jobs begins before it holds the group. */
    RunGrouped: { v: 1, data: { runId: RunId, concurrency: Concurrency } },
    /** The definition is faulty, unsupported, or too large. Ends the run as a failure. */
    RunNotResolved: { v: 1, data: { runId: RunId, problems: listOf('RunProblems', DefinitionProblem, 100) } },
    /** No job of it may begin. Ends the run as a failure. */
    RunRefused: { v: 1, data: { runId: RunId, reason: RunRefusal } },
    /** A planned matrix became jobs, after the jobs that it needs. */
    JobsPlanned: {
      v: 1,
      data: {
        runId: RunId,
        key: text('MatrixKey', { maxLength: 100 }),
        graphKey: text('MatrixGraphKey', { maxLength: 300 }),
        graphDigest: Checksum,
        jobs: nodes,
      },
    },
    /** They may run: their needs have ended and their conditions hold. They wait for a runner from now on. */
    JobsQueued: { v: 1, data: { runId: RunId, jobIds } },
    /** A condition does not hold, a needed job did not succeed, or the run ended before. */
    JobsSkipped: { v: 1, data: { runId: RunId, jobIds, reason: Reason } },
    JobAssigned: {
      v: 1,
      data: { runId: RunId, jobId: JobId, attempt, epoch, runnerId: RunnerId, runnerType: RunnerType },
    },
    /** A claim of a waiting job ended before its assignment was recorded: an assignment under this epoch that arrives late is refused. */
    JobClaimExpired: { v: 1, data: { runId: RunId, jobId: JobId, epoch } },
    JobStarted: { v: 1, data: { runId: RunId, jobId: JobId, epoch } },
    /** By its runner, or by the service where the runner must not decide: then without steps. */
    JobCompleted: {
      v: 1,
      data: {
        runId: RunId,
        jobId: JobId,
        attempt,
        epoch,
        result: oneOf('CompletedResult', ['success', 'failure', 'canceled', 'timed_out']),
        /** `log_buffer_exceeded`, `exit_code`, …: why it did not succeed. */
        reason: nullable(Reason),
        outputs: JobOutputs,
        steps: listOf('CompletedSteps', StepReport, limits.stepsPerJob),
        annotations: listOf('CompletedAnnotations', Annotation, 50),
        /** Markdown that the steps wrote. */
        summary: nullable(text('JobSummaryText', { maxLength: 131_072 })),
        /** Chunks of the log that the runner sent; null when it does not know. */
        logChunks: nullable(integer(0)),
      },
    },
    /** The lease ended without an answer of the runner. */
    JobLost: { v: 1, data: { runId: RunId, jobId: JobId, attempt, epoch, reason: Reason } },
    /** A lost attempt is tried again: the job waits for a runner. */
    JobRequeued: { v: 1, data: { runId: RunId, jobId: JobId, attempt } },
    /** The run, every waiting job and every active job are canceled with this one event. `isForced`: without the grace. */
    RunCancelRequested: { v: 1, data: { runId: RunId, by: PrincipalId, isForced: t.boolean } },
    /** Other combinations of a matrix end after one failed, or jobs after newer ones took their place in a concurrency group. */
    JobsCancelRequested: { v: 1, data: { runId: RunId, jobIds, reason: Reason } },
    RunTimedOut: { v: 1, data: { runId: RunId } },
    RunCompleted: { v: 1, data: { runId: RunId, attempt, result: RunResult } },
    /** A new attempt: these jobs begin again, the others keep their results. */
    RunRetried: { v: 1, data: { runId: RunId, attempt, by: PrincipalId, mode: RetryMode, jobIds } },
  },
);
export type RunEvent = typeof runs.Event;

/** The data of one event of a run. */
export type DataOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>['data'];

/** The run and its job graph, with every attempt. */
export const { stream: runStream } = runs;
