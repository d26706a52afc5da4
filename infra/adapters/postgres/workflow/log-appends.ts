/** Stores chunks of a log: appends to one log take turns on its row. */
import type { PoolClient } from 'pg';
import type { Rejection } from '../../../../domain/kernel/rejection';
import type { LogLocation, LogState, ReceivedChunk } from '../../../ports/workflow/log-store';
import { keyOf, ofLog, type StateRow, stateColumns, stateOf } from './log-rows';
import { chunksTable, logsTable } from './log-schema';

const lockStatement = {
  name: 'lock-workflow-log',
  text: `select ${stateColumns('$4')} from ${logsTable} where ${ofLog} for update`,
};
const insertStatement = {
  name: 'insert-workflow-log-chunks',
  text: `insert into ${chunksTable}
      (log_id, chunk, byte_start, byte_end, checksum, is_gzip, payload, emitted, line_feeds, line_start)
    select $1, * from unnest($2::integer[], $3::bigint[], $4::bigint[], $5::text[], $6::boolean[], $7::bytea[], $8::text[],
      $9::integer[], $10::bigint[])
    on conflict do nothing returning chunk`,
};
const sameStatement = {
  name: 'compare-workflow-log-chunks',
  text: `select count(*)::integer as same from ${chunksTable} stored
    join unnest($2::integer[], $3::bigint[], $4::bigint[], $5::text[]) as sent (chunk, byte_start, byte_end, checksum)
      using (chunk, byte_start, byte_end, checksum)
    where log_id = $1`,
};
/** Walks over the chunks that are now contiguous. Chunks that arrived early get their line here. */
const advanceStatement = {
  name: 'advance-workflow-log',
  text: `with recursive walk (chunk, byte_end, line_start, line_end) as (
      select next_chunk - 1, bytes, lines, lines from ${logsTable} where log_id = $1
      union all
      select stored.chunk, stored.byte_end, walk.line_end, walk.line_end + stored.line_feeds from walk join ${chunksTable} stored
        on stored.log_id = $1 and stored.chunk = walk.chunk + 1 and stored.byte_start = walk.byte_end),
    numbered as (
      update ${chunksTable} stored set line_start = walk.line_start from walk
        where stored.log_id = $1 and stored.chunk = walk.chunk and stored.line_start is null),
    last as (select chunk, byte_end, line_end from walk order by chunk desc limit 1)
    update ${logsTable} set next_chunk = last.chunk + 1, bytes = last.byte_end, lines = last.line_end from last
    where log_id = $1 returning next_chunk as next, bytes, lines`,
};

type AppendRefusal = Rejection<'chunk-differs' | 'log-ended' | 'log-unknown'>;

export const differs = 'Another chunk is stored under the same number.';

/** In order, each once. Chunks of one number must be one chunk, also within a request. */
export const distinct = (chunks: readonly ReceivedChunk[]): readonly ReceivedChunk[] | undefined => {
  const byOffset = new Map<number, ReceivedChunk>();
  for (const chunk of chunks) {
    const other = byOffset.get(chunk.chunkOffset);
    const isSame = other?.checksum === chunk.checksum && other.byteStart === chunk.byteStart;
    if (other !== undefined && !isSame) return undefined;
    byOffset.set(chunk.chunkOffset, chunk);
  }
  return [...byOffset.values()].sort((one, other) => one.chunkOffset - other.chunkOffset);
};

/** Thrown to roll the transaction back. */
export class Refused extends Error {
  readonly refusal: AppendRefusal;
  constructor(refusal: AppendRefusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

const refuse = (code: AppendRefusal['code'], detail: string): never => {
  throw new Refused({ kind: 'rejection', code, detail });
};

/** Of the chunks that go on where the log is; null for others, whose line is not known yet. */
const lineStarts = (chunks: readonly ReceivedChunk[], row: StateRow): readonly (number | null)[] => {
  let [next, byte, line] = [row.next, Number(row.bytes), Number(row.lines)];
  return chunks.map(({ chunkOffset, byteStart, byteEnd, lineFeeds }) => {
    if (chunkOffset !== next) return null;
    if (byteStart !== byte) refuse('chunk-differs', `Chunk ${chunkOffset} does not begin at byte ${byte}.`);
    const start = line;
    [next, byte, line] = [next + 1, byteEnd, line + lineFeeds];
    return start;
  });
};

export const appendTo = async (
  client: PoolClient,
  log: LogLocation,
  { chunks, late }: { readonly chunks: readonly ReceivedChunk[]; readonly late: number },
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
    chunks.map(({ lineFeeds }) => lineFeeds),
    lineStarts(chunks, row),
  ]);
  if (inserted.rows.length < chunks.length) {
    const { rows } = await query<{ same: number }>(sameStatement, [row.logId, ...known]);
    if (rows[0]?.same !== chunks.length) refuse('chunk-differs', differs);
  }
  if (inserted.rows.length === 0) return stateOf(row);
  const advanced = await query<Pick<StateRow, 'next' | 'bytes' | 'lines'>>(advanceStatement, [row.logId]);
  return stateOf({ ...row, ...advanced.rows[0] });
};
