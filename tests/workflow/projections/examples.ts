/** Events of workflows, as the log holds them. */
import type { DomainEvent, Family } from '../../../domain/kernel/family';
import { type DataOf, type JobNode, type RunEvent, runs } from '../../../domain/workflow/run/events';
import { type RunnerEvent, runners } from '../../../domain/workflow/runner/events';
import type { StoredEvent } from '../../../infra/ports/event-store';

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const ids = {
  run: uuid(1),
  repo: uuid(2),
  definition: uuid(3),
  trigger: uuid(4),
  build: uuid(5),
  test: uuid(6),
  runner: uuid(7),
  artifact: uuid(8),
};

/** The time of an event: its number is its minute. */
export const minute = (number: number): string => `2026-11-28T02:${String(number).padStart(2, '0')}:00.000Z`;

export const requested = {
  type: 'RunRequested',
  data: {
    runId: ids.run,
    repoId: ids.repo,
    workflowDefinitionId: ids.definition,
    path: '.github/workflows/build.yml',
    yamlHash: `sha256:${'ab'.repeat(32)}`,
    definitionVersion: 1,
    runNumber: 7,
    pullRequest: null,
    workflowName: 'Build',
    triggerEventId: ids.trigger,
    priority: 0,
    eventType: 'push',
    ref: 'refs/heads/main',
    branch: 'main',
    baseBranch: null,
    activity: null,
    commitSha: 'cd'.repeat(20),
    beforeSha: null,
    actorId: 'p-1',
    inputs: {},
  },
};

const node = (jobId: string, key: string, needs: readonly string[]): object => ({
  jobId,
  key,
  name: key,
  needs,
  condition: null,
  labels: ['linux'],
  timeoutMinutes: 360,
  continueOnError: false,
  failFast: true,
  maxParallel: null,
  lostRetries: 1,
  cancelGraceSeconds: 300,
});

const graph = { graphKey: 'graphs/1', graphDigest: `sha256:${'ef'.repeat(32)}` };

/** `test` needs `build`. */
export const resolved = {
  type: 'RunResolved',
  data: {
    runId: ids.run,
    ...graph,
    parser: 'test 1',
    planned: [],
    jobs: [node(ids.build, 'build', []), node(ids.test, 'test', ['build'])] as JobNode[],
  },
};

export const of = <Type extends RunEvent['type']>(type: Type, data: object = {}) => ({
  type,
  data: { runId: ids.run, ...data } as unknown as DataOf<Type>,
});

export const queued = (...jobIds: readonly string[]) => of('JobsQueued', { jobIds });

export const assigned = (
  jobId: string,
  attempt = 1,
  epoch = 1,
  runnerType: 'self_hosted' | 'managed' = 'self_hosted',
) => of('JobAssigned', { jobId, attempt, epoch, runnerId: ids.runner, runnerType });

export const started = (jobId: string, epoch = 1) => of('JobStarted', { jobId, epoch });

export const completed = (jobId: string, result = 'success', attempt = 1, epoch = 1) =>
  of('JobCompleted', {
    jobId,
    attempt,
    epoch,
    result,
    outputs: {},
    annotations: [],
    summary: null,
    logChunks: 3,
    reason: result === 'success' ? null : 'exit_code',
    steps: [
      {
        stepId: 's1',
        number: 1,
        name: 'make',
        exitCode: result === 'success' ? 0 : 1,
        status: result,
        startedAt: minute(0),
        completedAt: minute(1),
      },
    ],
  });

export const lost = (jobId: string, attempt = 1, epoch = 1) =>
  of('JobLost', { jobId, attempt, epoch, reason: 'The lease ended.' });

export interface Line {
  readonly type: string;
  readonly data: unknown;
}

interface Streamed {
  readonly family: unknown;
  readonly stream: string;
}

export const runStreamOf: Streamed = { family: runs, stream: `workflow.run-acme.${ids.run}` };
export const runnerStreamOf: Streamed = { family: runners, stream: `workflow.runner-acme.${ids.runner}` };

export const registered: RunnerEvent = {
  type: 'RunnerRegistered',
  data: {
    name: 'build-1',
    type: 'self_hosted',
    labels: ['linux'],
    isolation: 'bwrap',
    runnerId: ids.runner,
    credentialDigest: 'ab'.repeat(32),
  } as unknown as Extract<RunnerEvent, { type: 'RunnerRegistered' }>['data'],
};

/** Numbered from 0 in their stream; `from` numbers their positions and minutes. */
export const storedEvents = ({ family, stream }: Streamed, lines: readonly Line[], from = 0): readonly StoredEvent[] =>
  lines.map((line, index) => ({
    id: uuid(1_000 + from + index),
    stream,
    revision: index,
    position: BigInt(from + index + 1) * 100n,
    ...(family as Family<DomainEvent>).encode(line as DomainEvent),
    metadata: {
      $correlationId: 'c',
      $causationId: 'c',
      commandId: `k-${from + index}`,
      commandHash: 'h',
      tenant: 'acme',
      actor: 'p-1',
      at: minute(from + index),
    },
  }));
