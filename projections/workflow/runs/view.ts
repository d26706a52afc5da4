/** Runs of workflows, each with its latest attempt. Every event of a run changes its row, so that the row's revision is the run's. */
import * as t from 'io-ts';
import { Instant, integer, listOf, nullable, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { Checksum, CommitSha, DefinitionId, RepositoryId, RunId, TriggerEventId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import { DefinitionProblem, RunRefusal, RunTitle } from '../../../domain/workflow/run/events';
import { RunStatus } from '../../../domain/workflow/run/status';
import { DefinitionPath, TriggerType } from '../../../domain/workflow/trigger/events';
import { type TableView, table } from '../../kernel/view';

export const RunRow = record('RunRow', {
  tenantId: TenantId,
  runId: RunId,
  repoId: RepositoryId,
  workflowDefinitionId: DefinitionId,
  triggerEventId: TriggerEventId,
  workflowName: text('RunRowWorkflowName', { maxLength: 300 }),
  /** Counts the runs of the definition. Null: it began before they were counted. */
  runNumber: nullable(integer(1)),
  /** The definition's `run-name`. Null: it has none, or is not read yet. */
  title: nullable(RunTitle),
  path: DefinitionPath,
  yamlHash: Checksum,
  definitionVersion: integer(1),
  eventType: TriggerType,
  ref: text('RunRowRef', { maxLength: 300 }),
  branch: text('RunRowBranch', { maxLength: 300 }),
  commitSha: CommitSha,
  actorId: PrincipalId,
  priority: integer(-1_000, 1_000),
  status: RunStatus,
  cancelRequested: t.boolean,
  attempt: integer(1, limits.attempts),
  /** What is wrong with the definition; empty unless it cannot be run. */
  problems: listOf('RunRowProblems', DefinitionProblem, 100),
  /** Why the run failed before any of its jobs could begin. */
  reason: nullable(RunRefusal),
  createdAt: Instant,
  /** Of the attempt: when its first job was assigned. */
  startedAt: nullable(Instant),
  completedAt: nullable(Instant),
  revision: integer(0),
});
export type RunRow = t.TypeOf<typeof RunRow>;

export const runsView: TableView<RunRow> = table({
  name: 'workflow_runs',
  version: 3,
  row: RunRow,
  key: ['tenantId', 'runId'],
  indexes: [
    ['tenantId', 'repoId', 'createdAt', 'runId'],
    ['tenantId', 'repoId', 'branch', 'createdAt', 'runId'],
  ],
});
