/** Reads chunks of a log in pages, in either direction. Readers take no locks. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import { fault, reject } from '../../../../domain/kernel/rejection';
import type { BlobStore } from '../../../ports/blob-store';
import type { LogExpired, LogLocation, LogStoreFault, StoredPage } from '../../../ports/workflow/log-store';
import { rowsOf } from '../pool';
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
import { chunksTable, logsTable } from './log-schema';

const stateStatement = {
  name: 'state-of-workflow-log',
  text: `select ${stateColumns('$4')} from ${logsTable} where ${ofLog}`,
};
/** The first chunk of `$2 <= chunk < $3` in the order, and as many after it as `$4` bytes of text hold. */
const pageIn = (order: 'asc' | 'desc'): string => `select * from (
    select ${chunkColumns}, sum(byte_end - byte_start) over (order by chunk ${order}) as total,
      row_number() over (order by chunk ${order}) as number
    from (select * from ${chunksTable} where log_id = $1 and chunk >= $2 and chunk < $3 order by chunk ${order} limit 256) page
  ) counted where total <= $4 or number = 1 order by "chunkOffset"`;
const forwardStatement = { name: 'read-workflow-log', text: pageIn('asc') };
const backwardStatement = { name: 'read-workflow-log-backwards', text: pageIn('desc') };
/** The last of the first `$3` chunks that does not begin behind byte `$2`. */
const searchStatement = {
  name: 'find-workflow-log-byte',
  text: `with recursive search (low, high) as (
      select 0, $3::integer - 1
      union all
      select case when stored.byte_start <= $2 then stored.chunk else low end,
        case when stored.byte_start <= $2 then high else stored.chunk - 1 end
      from search join ${chunksTable} stored on stored.log_id = $1 and stored.chunk = (low + high + 1) / 2
      where low < high)
    select low as chunk from search where low >= high limit 1`,
};

interface LogReader {
  readonly pool: Pool;
  readonly blobs: Pick<BlobStore, 'get'>;
  /** Milliseconds for which late chunks are taken. */
  readonly late: number;
}

const stateRow = async ({ pool, late }: LogReader, log: LogLocation): Promise<StateRow | undefined> =>
  (await rowsOf<StateRow>(pool, stateStatement, [...keyOf(log), late]))[0];

type Read<Value> = Promise<Either<LogStoreFault | LogExpired, Value>>;

/** How often a reader looks where chunks are, which changes twice in the life of a log. */
const looks = 5;

const missing = (): Either<LogStoreFault, never> =>
  left(fault('log-store-unavailable', 'Chunks of the log are missing.'));

const expired = (): Either<LogExpired, never> => reject('log-expired', 'The log is older than logs are retained.');

export const readChunks = async (reader: LogReader, log: LogLocation, span: ChunkSpan): Read<StoredPage> => {
  for (let look = 0; look < looks; look += 1) {
    const row = await stateRow(reader, log);
    if (row === undefined) return right({ chunks: [], state: noState });
    if (row.storage === 'expiring' || row.storage === 'expired') return expired();
    const state = stateOf(row);
    const { from, before, maxBytes, end } = { ...span, before: Math.min(span.before, state.next) };
    if (from >= before) return right({ chunks: [], state });
    if (row.storage === 'object') {
      const object = { blobs: reader.blobs, log, chunks: state.next };
      const chunks = await readLogObject(object, { from, before, maxBytes, end });
      return isLeft(chunks) ? chunks : right({ chunks: chunks.right, state });
    }
    const statement = end === 'first' ? forwardStatement : backwardStatement;
    const rows = await rowsOf<ChunkRow>(reader.pool, statement, [row.logId, from, before, maxBytes]);
    // Rows are dropped together, so a page without any was moved to an object, or expired, in between.
    if (rows.length > 0) return right({ chunks: rows.map(chunkOf), state });
  }
  return missing();
};

export const findChunkAt = async (reader: LogReader, log: LogLocation, byte: number): Read<number> => {
  for (let look = 0; look < looks; look += 1) {
    const row = await stateRow(reader, log);
    if (row === undefined || row.next === 0) return right(0);
    if (row.storage === 'expiring' || row.storage === 'expired') return expired();
    if (row.storage === 'object') return findInLogObject({ blobs: reader.blobs, log, chunks: row.next }, byte);
    const [found] = await rowsOf<{ chunk: number }>(reader.pool, searchStatement, [row.logId, byte, row.next]);
    if (found !== undefined) return right(found.chunk);
  }
  return missing();
};
