/** Logs of jobs in Postgres: appends to one log take turns on its row, readers take none. */
import { isLeft, right } from 'fp-ts/Either';
import { reject } from '../../../../domain/kernel/rejection';
import type { BlobStore } from '../../../ports/blob-store';
import type { LogStore } from '../../../ports/workflow/log-store';
import { attempted, type PoolSource, rowsOf, transaction, useDurablePool } from '../pool';
import { appendTo, differs, distinct, Refused } from './log-appends';
import { createLogReader } from './log-reads';
import { keyOf, ofLog } from './log-rows';
import { chunksTable, logsTable, stepsTable } from './log-schema';
import { openLogWakeUps } from './log-wake-ups';

/** What a runner still sends of a job that has ended is taken for so long. */
export const defaultLateMilliseconds = 15_000;

const openStatement = {
  name: 'open-workflow-log',
  text: `insert into ${logsTable} (tenant, job_id, attempt, run_id) values ($1, $2, $3, $4) on conflict do nothing`,
};
const endStatement = {
  name: 'end-workflow-log',
  text: `update ${logsTable} set ended = clock_timestamp(), chunks = $4 where ${ofLog} and ended is null`,
};
const stepStatement = {
  name: 'report-workflow-step',
  text: `with log as (
      update ${logsTable} set steps_revision = steps_revision + 1 where ${ofLog} returning log_id)
    insert into ${stepsTable} select log_id, $4, $5 from log
    on conflict (log_id, number) do update set step = excluded.step`,
};
const stepsStatement = {
  name: 'read-workflow-steps',
  text: `select step from ${stepsTable} join ${logsTable} using (log_id) where ${ofLog} order by number`,
};

type StepReport = Parameters<LogStore['reportStep']>[1];

export type LogStoreOptions = PoolSource & {
  /** Has the logs that were moved out of rows. */
  readonly blobs: Pick<BlobStore, 'get'>;
  /** Left out: 15 seconds. */
  readonly lateMilliseconds?: number;
};

export const openPostgresLogStore = (options: LogStoreOptions): LogStore => {
  const { blobs, lateMilliseconds: late = defaultLateMilliseconds, ...source } = options;
  const { pool, end } = useDurablePool(source, { connections: 8, name: 'septet-logs' });
  const wakeUps = openLogWakeUps(pool);
  const reader = createLogReader({
    relations: { logs: logsTable, chunks: chunksTable },
    query: (_, statement, values) => rowsOf(pool, statement, values),
    blobs,
    late,
  });
  const attempt = <A>(work: () => Promise<A>) => attempted('log-store-unavailable', work);

  const append: LogStore['append'] = async (log, sent) => {
    const chunks = distinct(sent);
    if (chunks === undefined) return reject('chunk-differs', differs);
    const appended = await attempt(async () => {
      try {
        return right(await transaction(pool, (client) => appendTo(client, log, { chunks, late })));
      } catch (error) {
        if (error instanceof Refused) return reject(error.refusal.code, error.refusal.detail);
        throw error;
      }
    });
    if (isLeft(appended)) return appended;
    if (!isLeft(appended.right)) wakeUps.announce(log);
    return appended.right;
  };

  return {
    open: (log) => attempt(async () => void (await rowsOf(pool, openStatement, [...keyOf(log), log.runId]))),
    ...reader,
    append,
    end: (log, chunks) =>
      attempt(async () => {
        await rowsOf(pool, endStatement, [...keyOf(log), chunks]);
        wakeUps.announce(log);
      }),
    reportStep: (log, step) =>
      attempt(async () => {
        await rowsOf(pool, stepStatement, [...keyOf(log), step.number, JSON.stringify(step)]);
        wakeUps.announce(log);
      }),
    steps: (log) =>
      attempt(async () =>
        (await rowsOf<{ step: StepReport }>(pool, stepsStatement, keyOf(log))).map(({ step }) => step),
      ),
    watch: wakeUps.watch,
    close: async () => {
      await wakeUps.close();
      await end();
    },
  };
};
