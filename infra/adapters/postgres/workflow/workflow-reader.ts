/** Workflows as the query API reads them: with the rights of its role, through views that show a tenant its own alone. */
import type { BlobStore } from '../../../ports/blob-store';
import type { WorkflowActivity } from '../../../ports/workflow/activity';
import type { LogReader } from '../../../ports/workflow/log-store';
import type { WaitingJobs } from '../../../ports/workflow/waiting-jobs';
import { openPool, type PostgresOptions } from '../pool';
import { ownTenant, readerView } from '../row-level-security';
import { schema } from '../sql';
import { tenantQueries } from '../tenant-session';
import { activityViews, createPostgresActivity } from './activity';
import { createLogReader } from './log-reads';
import { chunksTable, logsTable } from './log-schema';
import { defaultLateMilliseconds } from './log-store';
import { createPostgresWaitingJobs, waitingViews } from './waiting-jobs';

const logsView = `${schema}.workflow_log_records`;
const chunksView = `${schema}.workflow_log_chunk_records`;

export const workflowReaderViews: readonly string[] = [
  ...activityViews,
  ...waitingViews,
  ...readerView(
    logsView,
    `select log_id, tenant, run_id, job_id, attempt, next_chunk, bytes, lines, ended, chunks, steps_revision, storage
     from ${logsTable} where tenant = ${ownTenant}`,
  ),
  ...readerView(
    chunksView,
    `select log_id, chunk, byte_start, byte_end, checksum, is_gzip, payload, emitted, line_start from ${chunksTable}
     where exists (select from ${logsTable} log where log.log_id = ${chunksTable}.log_id and log.tenant = ${ownTenant})`,
  ),
];

export interface WorkflowReader {
  readonly activity: WorkflowActivity;
  readonly logs: LogReader;
  readonly waiting: WaitingJobs;
  readonly close: () => Promise<unknown>;
}

export type WorkflowReaderOptions = PostgresOptions & {
  /** Has the logs that were moved out of rows. */
  readonly blobs: Pick<BlobStore, 'get'>;
  /** After the end of an attempt, for which late chunks of its log are taken. Left out: 15 seconds. */
  readonly lateMilliseconds?: number;
};

export const openPostgresWorkflowReader = (options: WorkflowReaderOptions): WorkflowReader => {
  const { blobs, lateMilliseconds: late = defaultLateMilliseconds, ...postgres } = options;
  const pool = openPool({ connections: 4, statementMilliseconds: 5_000, ...postgres });
  const queryTenant = tenantQueries(pool, postgres.url);
  return {
    activity: createPostgresActivity(queryTenant),
    waiting: createPostgresWaitingJobs(queryTenant),
    logs: createLogReader({
      relations: { logs: logsView, chunks: chunksView },
      query: async (tenant, statement, values) =>
        (await queryTenant<never>(tenant ?? '', { ...statement, values: [...values] })).rows,
      blobs,
      late,
    }),
    close: () => pool.end(),
  };
};
