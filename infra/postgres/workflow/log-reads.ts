/** Reads chunks of a log in pages, in either direction. Readers take no locks. */
import type { Pool } from 'pg';
import type { LogLocation, StoredPage } from '../../ports/workflow/log-store';
import { rowsOf } from '../pool';
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

export interface ChunkSpan {
  readonly from: number;
  /** Exclusive. */
  readonly before: number;
  readonly maxBytes: number;
  /** Where the page begins if it cannot hold all. */
  readonly end: 'first' | 'last';
}

interface LogReader {
  readonly pool: Pool;
  /** Milliseconds for which late chunks are taken. */
  readonly late: number;
}

const stateRow = async ({ pool, late }: LogReader, log: LogLocation): Promise<StateRow | undefined> =>
  (await rowsOf<StateRow>(pool, stateStatement, [...keyOf(log), late]))[0];

export const readChunks = async (
  reader: LogReader,
  log: LogLocation,
  { from, before, maxBytes, end }: ChunkSpan,
): Promise<StoredPage> => {
  const row = await stateRow(reader, log);
  if (row === undefined) return { chunks: [], state: noState };
  const state = stateOf(row);
  const until = Math.min(before, state.next);
  if (from >= until) return { chunks: [], state };
  const statement = end === 'first' ? forwardStatement : backwardStatement;
  const rows = await rowsOf<ChunkRow>(reader.pool, statement, [row.logId, from, until, maxBytes]);
  return { chunks: rows.map(chunkOf), state };
};

export const findChunkAt = async (reader: LogReader, log: LogLocation, byte: number): Promise<number> => {
  const row = await stateRow(reader, log);
  if (row === undefined || row.next === 0) return 0;
  const [found] = await rowsOf<{ chunk: number }>(reader.pool, searchStatement, [row.logId, byte, row.next]);
  return found?.chunk ?? 0;
};
