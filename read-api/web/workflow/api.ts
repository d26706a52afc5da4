/** Operations of workflows, and their types, as the routes declare them. */
import type { CommandRequest, PageRequest, QueryRequest, StreamRequest } from '../../../packages/client/src/operations';

export type RunStatus =
  | 'queued'
  | 'waiting_for_runner'
  | 'in_progress'
  | 'canceling'
  | 'canceled'
  | 'success'
  | 'failure'
  | 'timed_out'
  | 'skipped';

export interface Repository {
  readonly id: string;
  readonly name: string;
  readonly default_branch: string;
  readonly clone_path: string;
  readonly created_at: string;
}

export interface ListedRun {
  readonly runId: string;
  readonly repoId: string;
  readonly workflowName: string;
  readonly path: string;
  readonly eventType: string;
  readonly branch: string;
  readonly commitSha: string;
  readonly actorId: string;
  readonly status: RunStatus;
  readonly attempt: number;
  readonly problems: readonly {
    readonly message: string;
    readonly line: number | null;
    readonly column: number | null;
  }[];
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly completedAt?: string;
}

export interface JobSummary {
  readonly jobId: string;
  readonly name: string;
  readonly status: RunStatus;
  readonly runnerType: 'managed' | 'self_hosted';
  readonly key: string;
  readonly needs: readonly string[];
  readonly attempt: number;
  readonly reason: string | null;
  readonly startedAt?: string;
  readonly completedAt?: string;
}

export interface Run extends ListedRun {
  readonly jobs: readonly JobSummary[];
}

export interface Step {
  readonly number: number;
  readonly name: string;
  readonly status: RunStatus;
  readonly exitCode: number | null;
}

export interface WaitingJob {
  readonly jobId: string;
  readonly reason: string;
  readonly detail: string;
  readonly position: number;
}

export interface Artifact {
  readonly id: string;
  readonly job_id: string;
  readonly attempt: number;
  readonly name: string;
  readonly storage_uri: string;
  readonly size_bytes: number;
  readonly checksum: string;
  readonly expires_at: string;
}

export interface Runner {
  readonly id: string;
  readonly name: string;
  readonly type: 'managed' | 'self_hosted';
  readonly labels: readonly string[];
  readonly isolation: string;
  readonly status: 'idle' | 'busy' | 'draining';
  readonly current_job_id: string | null;
  readonly registered_at: string;
}

export interface LogMessage {
  readonly chunkOffset: number;
  readonly byteOffsetStart: number;
  readonly byteOffsetEnd: number;
  readonly text: string;
}

export interface LogPage {
  readonly attempt: number;
  readonly chunks: readonly LogMessage[];
  /** The first chunk of the next page. */
  readonly nextOffset: number;
  readonly complete: boolean;
}

export type LogEvent =
  | ({ readonly type: 'log_chunk'; readonly attempt: number } & LogMessage)
  | { readonly type: 'run_status'; readonly status: RunStatus }
  | { readonly type: 'job_status'; readonly status: RunStatus }
  | { readonly type: 'step_status'; readonly step: Step }
  | { readonly type: 'log_end'; readonly isWhole: boolean };

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}
type Row = StreamRequest<unknown>['row'];
type PageOf<Input, Item> = (
  input: Input & { readonly limit?: number; readonly cursor?: string },
) => PageRequest<Page<Item>>;
type QueryOf<Input, Body> = (input: Input) => QueryRequest<Body>;
type CommandOf<Input, Body> = (input: Input) => CommandRequest<Body>;

const anything = { answers: { 200: 'anything', 201: 'anything', 202: 'anything' } } as const;

const endpoint = (row: Row) => (input: unknown) => ({ row, input });

const list = (operation: string, path: string, filters: readonly string[] = []) =>
  endpoint({
    ...{ operation, kind: 'page', method: 'GET', path, query: [...filters, 'limit', 'cursor'], waits: true },
    ...{ next: { parameter: 'cursor', field: 'next_cursor' }, ...anything },
  });

const post = (operation: string, path: string, body?: 'json') =>
  endpoint({
    ...{ operation, kind: 'command', method: 'POST', path, ...anything },
    ...(body === undefined ? {} : { body }),
  });

type NoInput = Record<never, never>;
interface OfRun {
  readonly runId: string;
}
interface OfLog {
  readonly jobId: string;
  readonly attempt?: number;
  readonly fromOffset?: number;
}
interface RunFilters {
  readonly repoId: string;
  readonly branch?: string;
  readonly status?: string;
  readonly event?: string;
  readonly actor?: string;
}

export const listRepositories: PageOf<NoInput, Repository> = list('listRepositories', '/v1/workflow/repositories');

export const createRepository: CommandOf<
  { readonly body: { readonly name: string; readonly default_branch?: string } },
  Repository
> = post('createRepository', '/v1/workflow/repositories', 'json');

export const listRuns: PageOf<RunFilters, ListedRun> = list('listWorkflowRuns', '/repos/{repoId}/actions/runs', [
  'branch',
  'status',
  'event',
  'actor',
]);

export const getRun: QueryOf<OfRun, Run> = endpoint({
  ...{ operation: 'getWorkflowRun', kind: 'query', method: 'GET', path: '/actions/runs/{runId}', waits: true },
  ...anything,
});

export const listArtifacts: PageOf<OfRun, Artifact> = list('listWorkflowArtifacts', '/actions/runs/{runId}/artifacts');

export const listWaitingJobs: QueryOf<OfRun, { readonly jobs: readonly WaitingJob[] }> = endpoint({
  ...{ operation: 'listWaitingJobs', kind: 'query', method: 'GET', path: '/actions/runs/{runId}/waiting' },
  ...anything,
});

export const cancelRun: CommandOf<OfRun, OfRun> = post('cancelRun', '/actions/runs/{runId}/cancel');

export const retryRun: CommandOf<
  OfRun & { readonly body: { readonly mode: 'all' | 'failed' | 'job'; readonly jobId?: string } },
  OfRun
> = post('retryRun', '/actions/runs/{runId}/retry', 'json');

export const readJobLog: QueryOf<OfLog, LogPage> = endpoint({
  ...{ operation: 'readJobLog', kind: 'query', method: 'GET', path: '/actions/jobs/{jobId}/logs' },
  ...{ query: ['fromOffset', 'attempt'], ...anything },
});

export const followJobLog: (input: OfLog) => StreamRequest<LogEvent> = endpoint({
  ...{ operation: 'followJobLog', kind: 'stream', method: 'GET', path: '/actions/jobs/{jobId}/logs/events' },
  ...{ query: ['fromOffset', 'attempt'], ...anything },
});

export const listRunners: PageOf<NoInput, Runner> = list('listRunners', '/v1/workflow/runners');

interface OfRunner {
  readonly runnerId: string;
}

export const drainRunner: CommandOf<OfRunner, OfRunner> = post('drainRunner', '/v1/workflow/runners/{runnerId}/drain');

export const removeRunner: CommandOf<OfRunner, OfRunner> = endpoint({
  ...{ operation: 'removeRunner', kind: 'command', method: 'DELETE', path: '/v1/workflow/runners/{runnerId}' },
  ...anything,
});

export interface RunnerToken {
  /** Shown once. */
  readonly token: string;
  readonly expiresAt: string;
}

export const createRunnerToken = (): CommandRequest<RunnerToken> => ({
  row: {
    ...{ operation: 'createRunnerToken', kind: 'write', method: 'POST', path: '/v1/workflow/runner-tokens' },
    ...anything,
  },
  input: {},
});
