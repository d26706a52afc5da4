/** Logs of jobs in Postgres: appends to one log take turns on its row, readers take none. */
import { isLeft, right } from 'fp-ts/Either';
import type { Pool, PoolClient } from 'pg';
import type { Instant } from '../../../domain/kernel/codec';
import { type Rejection, reject } from '../../../domain/kernel/rejection';
import type { LogLocation, LogState, LogStore, StoredChunk } from '../../ports/workflow/log-store';
import { attempted, openDurablePool, type PostgresOptions, rowsOf, transaction } from '../pool';
import { chunksTable, logsTable, stepsTable } from './log-schema';
import { openLogWakeUps } from './log-wake-ups';

/** What a runner still sends of a job that has ended is taken for so long. */
const defaultLateMilliseconds = 15_000;

const ofLog = 'tenant = $1 and job_id = $2 and attempt = $3';
const isClosed = (parameter: string): string =>
  `coalesce(ended < clock_timestamp() - ${parameter} * interval '1 millisecond', false)`;
const stateColumns = (late: string): string =>
  `next_chunk as next, bytes, ended is not null as "isEnded", chunks, steps_revision as "stepsRevision", ${isClosed(late)} as "isClosed"`;

const openStatement = {
  name: 'open-workflow-log',
  text: `insert into ${logsTable} (tenant, job_id, attempt, run_id) values ($1, $2, $3, $4) on conflict do nothing`,
};
const findStatement = {
  name: 'find-workflow-log',
  text: `select tenant as "tenantId", run_id as "runId", job_id as "jobId", attempt from ${logsTable}
    where ($1::text is null or tenant = $1) and job_id = $2 and ($3::integer is null or attempt = $3) order by attempt desc limit 1`,
};
const lockStatement = {
  name: 'lock-workflow-log',
  text: `select log_id as "logId", ${stateColumns('$4')} from ${logsTable} where ${ofLog} for update`,
};
const insertStatement = {
  name: 'insert-workflow-log-chunks',
  text: `insert into ${chunksTable}
    select $1, * from unnest($2::integer[], $3::bigint[], $4::bigint[], $5::text[], $6::boolean[], $7::bytea[], $8::text[])
    on conflict do nothing returning chunk`,
};
const sameStatement = {
  name: 'compare-workflow-log-chunks',
  text: `select count(*)::integer as same from ${chunksTable} stored
    join unnest($2::integer[], $3::bigint[], $4::bigint[], $5::text[]) as sent (chunk, byte_start, byte_end, checksum)
      using (chunk, byte_start, byte_end, checksum)
    where log_id = $1`,
};
/** Walks over the chunks that are now contiguous. */
const advanceStatement = {
  name: 'advance-workflow-log',
  text: `with recursive walk (chunk, byte_end) as (
      select next_chunk - 1, bytes from ${logsTable} where log_id = $1
      union all
      select stored.chunk, stored.byte_end from walk join ${chunksTable} stored
        on stored.log_id = $1 and stored.chunk = walk.chunk + 1),
    last as (select chunk, byte_end from walk order by chunk desc limit 1)
    update ${logsTable} set next_chunk = last.chunk + 1, bytes = last.byte_end from last where log_id = $1
    returning next_chunk as next, bytes`,
};
const stateStatement = {
  name: 'state-of-workflow-log',
  text: `select log_id as "logId", ${stateColumns('$4')} from ${logsTable} where ${ofLog}`,
};
/** Its first chunk, and as many after it as `$4` bytes of text hold. */
const readStatement = {
  name: 'read-workflow-log',
  text: `select "chunkOffset", "byteStart", "byteEnd", checksum, is_gzip as "isGzip", payload, emitted from (
      select chunk as "chunkOffset", byte_start as "byteStart", byte_end as "byteEnd", checksum, is_gzip, payload, emitted,
        sum(byte_end - byte_start) over (order by chunk) as total, row_number() over (order by chunk) as number
      from (select * from ${chunksTable} where log_id = $1 and chunk >= $2 and chunk < $3 order by chunk limit 256) page) counted
    where total <= $4 or number = 1 order by "chunkOffset"`,
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

/** `bigint` arrives as text. */
interface StateRow {
  readonly logId: string;
  readonly next: number;
  readonly bytes: string;
  readonly isEnded: boolean;
  readonly chunks: number | null;
  readonly stepsRevision: number;
  readonly isClosed: boolean;
}
interface ChunkRow {
  readonly chunkOffset: number;
  readonly byteStart: string;
  readonly byteEnd: string;
  readonly checksum: StoredChunk['checksum'];
  readonly isGzip: boolean;
  readonly payload: Buffer;
  readonly emitted: Instant;
}

const stateOf = ({ next, bytes, isEnded, chunks, stepsRevision, isClosed: closed }: StateRow): LogState => ({
  ...{ next, bytes: Number(bytes), stepsRevision },
  end: isEnded ? { chunks } : undefined,
  isComplete: closed || (isEnded && chunks !== null && next >= chunks),
});
const noState: LogState = { next: 0, bytes: 0, end: undefined, isComplete: false, stepsRevision: 0 };

const chunkOf = ({ byteStart, byteEnd, isGzip, emitted, ...row }: ChunkRow): StoredChunk => ({
  ...{ ...row, byteStart: Number(byteStart), byteEnd: Number(byteEnd) },
  ...{ encoding: isGzip ? 'gzip' : 'plain', emittedAt: emitted },
});

const keyOf = ({ tenantId, jobId, attempt }: LogLocation): readonly unknown[] => [tenantId, jobId, attempt];

type AppendRefusal = Rejection<'chunk-differs' | 'log-ended' | 'log-unknown'>;

const differs = 'Another chunk is stored under the same number.';

/** Chunks of one number must be one chunk, also within a request. */
const distinct = (chunks: readonly StoredChunk[]): readonly StoredChunk[] | undefined => {
  const byOffset = new Map<number, StoredChunk>();
  for (const chunk of chunks) {
    const other = byOffset.get(chunk.chunkOffset);
    const isSame = other?.checksum === chunk.checksum && other.byteStart === chunk.byteStart;
    if (other !== undefined && !isSame) return undefined;
    byOffset.set(chunk.chunkOffset, chunk);
  }
  return [...byOffset.values()];
};

/** Thrown to roll the transaction back. */
class Refused extends Error {
  readonly refusal: AppendRefusal;
  constructor(refusal: AppendRefusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

const refuse = (code: AppendRefusal['code'], detail: string): never => {
  throw new Refused({ kind: 'rejection', code, detail });
};

const appendTo = async (
  client: PoolClient,
  log: LogLocation,
  { chunks, late }: { readonly chunks: readonly StoredChunk[]; readonly late: number },
): Promise<LogState> => {
  const query = <Row extends object>(statement: { name: string; text: string }, values: readonly unknown[]) =>
    client.query<Row>({ ...statement, values: [...values] });
  const locked = await query<StateRow>(lockStatement, [...keyOf(log), late]);
  const row = locked.rows[0] ?? refuse('log-unknown', 'No runner has had this attempt of the job.');
  const known = [
    chunks.map(({ chunkOffset }) => chunkOffset),
    chunks.map(({ byteStart }) => byteStart),
    chunks.map(({ byteEnd }) => byteEnd),
    chunks.map(({ checksum }) => checksum),
  ];
  if (row.isClosed) {
    const { rows } = await query<{ same: number }>(sameStatement, [row.logId, ...known]);
    return rows[0]?.same === chunks.length ? stateOf(row) : refuse('log-ended', 'The log takes no more chunks.');
  }
  const inserted = await query(insertStatement, [
    ...[row.logId, ...known],
    chunks.map(({ encoding }) => encoding === 'gzip'),
    chunks.map(({ payload }) => Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)),
    chunks.map(({ emittedAt }) => emittedAt),
  ]);
  if (inserted.rows.length < chunks.length) {
    const { rows } = await query<{ same: number }>(sameStatement, [row.logId, ...known]);
    if (rows[0]?.same !== chunks.length) refuse('chunk-differs', differs);
  }
  if (inserted.rows.length === 0) return stateOf(row);
  const advanced = await query<Pick<StateRow, 'next' | 'bytes'>>(advanceStatement, [row.logId]);
  return stateOf({ ...row, ...advanced.rows[0] });
};

const readFrom = async (
  pool: Pool,
  log: LogLocation,
  { fromOffset, maxBytes, late }: { readonly fromOffset: number; readonly maxBytes: number; readonly late: number },
) => {
  const [row] = await rowsOf<StateRow>(pool, stateStatement, [...keyOf(log), late]);
  if (row === undefined) return { chunks: [], state: noState };
  const state = stateOf(row);
  if (fromOffset >= state.next) return { chunks: [], state };
  const rows = await rowsOf<ChunkRow>(pool, readStatement, [row.logId, fromOffset, state.next, maxBytes]);
  return { chunks: rows.map(chunkOf), state };
};

export interface LogStoreOptions extends PostgresOptions {
  /** Left out: 15 seconds. */
  readonly lateMilliseconds?: number;
}

export const openPostgresLogStore = (options: LogStoreOptions): LogStore => {
  const { lateMilliseconds: late = defaultLateMilliseconds, ...connection } = options;
  const pool = openDurablePool({ connections: 8, name: 'septet-logs', ...connection });
  const wakeUps = openLogWakeUps(pool);
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
    find: ({ tenantId, jobId, attempt: number = null as number | null }) =>
      attempt(async () => (await rowsOf<LogLocation>(pool, findStatement, [tenantId, jobId, number]))[0]),
    append,
    read: (log, fromOffset, maxBytes) => attempt(() => readFrom(pool, log, { fromOffset, maxBytes, late })),
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
      await pool.end();
    },
  };
};
