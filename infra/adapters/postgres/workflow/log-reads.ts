/** Reads chunks of a log in pages, in either direction. Readers take no locks. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { QueryResultRow } from 'pg';
import { fault, reject } from '../../../../domain/kernel/rejection';
import type { BlobStore } from '../../../ports/blob-store';
import type {
  FoundLog,
  LogExpired,
  LogLocation,
  LogStore,
  LogStoreFault,
  StoredPage,
} from '../../../ports/workflow/log-store';
import { attempted } from '../pool';
import { type ChunkSpan, findInLogObject, readLogObject } from './log-objects';
import {
  type ChunkRow,
  chunkColumns,
  chunkOf,
  keyOf,
  noState,
  ofLog,
  type StateRow,
  stateColumns,
  stateOf,
} from './log-rows';

/** No log has so many chunks. */
const longest = 2 ** 31 - 1;

/** Tables, or what the query API sees of them. */
interface LogRelations {
  readonly logs: string;
  readonly chunks: string;
}

const statementsOf = ({ logs, chunks }: LogRelations) => {
  /** The first chunk of `$2 <= chunk < $3` in the order, and as many after it as `$4` bytes of text hold. */
  const pageIn = (order: 'asc' | 'desc'): string => `select * from (
      select ${chunkColumns}, sum(byte_end - byte_start) over (order by chunk ${order}) as total,
        row_number() over (order by chunk ${order}) as number
      from (select * from ${chunks} where log_id = $1 and chunk >= $2 and chunk < $3 order by chunk ${order} limit 256) page
    ) counted where total <= $4 or number = 1 order by "chunkOffset"`;
  return {
    find: {
      name: 'find-workflow-log',
      text: `select tenant as "tenantId", run_id as "runId", job_id as "jobId", attempt,
          storage in ('expiring', 'expired') as "isExpired" from ${logs}
        where ($1::text is null or tenant = $1) and job_id = $2 and ($3::integer is null or attempt = $3) order by attempt desc limit 1`,
    },
    state: {
      name: 'state-of-workflow-log',
      text: `select ${stateColumns('$4')} from ${logs} where ${ofLog}`,
    },
    forward: { name: 'read-workflow-log', text: pageIn('asc') },
    backward: { name: 'read-workflow-log-backwards', text: pageIn('desc') },
    /** The last of the first `$3` chunks that does not begin behind byte `$2`. */
    search: {
      name: 'find-workflow-log-byte',
      text: `with recursive search (low, high) as (
          select 0, $3::integer - 1
          union all
          select case when stored.byte_start <= $2 then stored.chunk else low end,
            case when stored.byte_start <= $2 then high else stored.chunk - 1 end
          from search join ${chunks} stored on stored.log_id = $1 and stored.chunk = (low + high + 1) / 2
          where low < high)
        select low as chunk from search where low >= high limit 1`,
    },
  };
};

export interface LogSource {
  readonly relations: LogRelations;
  /** `tenant` null: of any. */
  readonly query: <Row extends QueryResultRow>(
    tenant: string | null,
    statement: { readonly name: string; readonly text: string },
    values: readonly unknown[],
  ) => Promise<readonly Row[]>;
  /** Has the logs that were moved out of rows. */
  readonly blobs: Pick<BlobStore, 'get'>;
  /** Milliseconds for which late chunks are taken. */
  readonly late: number;
}

interface OpenedSource extends LogSource {
  readonly statements: ReturnType<typeof statementsOf>;
}

const stateRow = async ({ query, statements, late }: OpenedSource, log: LogLocation): Promise<StateRow | undefined> =>
  (await query<StateRow>(log.tenantId, statements.state, [...keyOf(log), late]))[0];

type Read<Value> = Promise<Either<LogStoreFault | LogExpired, Value>>;

/** How often a reader looks where chunks are, which changes twice in the life of a log. */
const looks = 5;

const missing = (): Either<LogStoreFault, never> =>
  left(fault('log-store-unavailable', 'Chunks of the log are missing.'));

const expired = (): Either<LogExpired, never> => reject('log-expired', 'The log is older than logs are retained.');

const readChunks = async (source: OpenedSource, log: LogLocation, span: ChunkSpan): Read<StoredPage> => {
  for (let look = 0; look < looks; look += 1) {
    const row = await stateRow(source, log);
    if (row === undefined) return right({ chunks: [], state: noState });
    if (row.storage === 'expiring' || row.storage === 'expired') return expired();
    const state = stateOf(row);
    const { from, before, maxBytes, end } = { ...span, before: Math.min(span.before, state.next) };
    if (from >= before) return right({ chunks: [], state });
    if (row.storage === 'object') {
      const object = { blobs: source.blobs, log, chunks: state.next };
      const chunks = await readLogObject(object, { from, before, maxBytes, end });
      return isLeft(chunks) ? chunks : right({ chunks: chunks.right, state });
    }
    const statement = end === 'first' ? source.statements.forward : source.statements.backward;
    const rows = await source.query<ChunkRow>(log.tenantId, statement, [row.logId, from, before, maxBytes]);
    // Rows are dropped together, so a page without any was moved to an object, or expired, in between.
    if (rows.length > 0) return right({ chunks: rows.map(chunkOf), state });
  }
  return missing();
};

const findChunkAt = async (source: OpenedSource, log: LogLocation, byte: number): Read<number> => {
  for (let look = 0; look < looks; look += 1) {
    const row = await stateRow(source, log);
    if (row === undefined || row.next === 0) return right(0);
    if (row.storage === 'expiring' || row.storage === 'expired') return expired();
    if (row.storage === 'object') return findInLogObject({ blobs: source.blobs, log, chunks: row.next }, byte);
    const values = [row.logId, byte, row.next];
    const [found] = await source.query<{ chunk: number }>(log.tenantId, source.statements.search, values);
    if (found !== undefined) return right(found.chunk);
  }
  return missing();
};

const reading = async <Refusal, A>(
  work: () => Promise<Either<Refusal, A>>,
): Promise<Either<Refusal | LogStoreFault, A>> => {
  const answer = await attempted('log-store-unavailable', work);
  return isLeft(answer) ? answer : answer.right;
};

export const createLogReader = (of: LogSource): Pick<LogStore, 'find' | 'read' | 'readBefore' | 'chunkAt'> => {
  const source = { ...of, statements: statementsOf(of.relations) };
  return {
    find: ({ tenantId, jobId, attempt = null as number | null }) =>
      reading(async () =>
        right((await source.query<FoundLog>(tenantId, source.statements.find, [tenantId, jobId, attempt]))[0]),
      ),
    read: (log, from, maxBytes) =>
      reading(() => readChunks(source, log, { from, before: longest, maxBytes, end: 'first' })),
    readBefore: (log, before, maxBytes) =>
      reading(() => readChunks(source, log, { from: 0, before, maxBytes, end: 'last' })),
    chunkAt: (log, byte) => reading(() => findChunkAt(source, log, byte)),
  };
};
