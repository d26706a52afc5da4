/** Retention of logs: out of rows into objects, and out of objects when they expire. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type { Instant } from '../../../../domain/kernel/codec';
import { fault } from '../../../../domain/kernel/rejection';
import type { BlobStore } from '../../../ports/blob-store';
import type { LogRetention } from '../../../ports/workflow/log-retention';
import type { LogLocation, LogStoreFault, StoredChunk } from '../../../ports/workflow/log-store';
import { attempted, rowsOf, transaction } from '../pool';
import { type ChunkRecord, encodeRecords, logObjectKey } from './log-objects';
import { chunksTable, logsTable, stepsTable } from './log-schema';
import { defaultLateMilliseconds } from './log-store';

const minute = 60_000;

const before = (parameter: string): string => `clock_timestamp() - ${parameter} * interval '1 millisecond'`;

/** Claims the oldest log for which `condition` holds. `$1`: milliseconds of a claim. */
const claim = (set: string, condition: string): string => `update ${logsTable} set claimed = clock_timestamp()${set}
  where log_id = (
    select log_id from ${logsTable} where (${condition}) and (claimed is null or claimed < ${before('$1')})
    order by ended, log_id limit 1 for update skip locked)
  returning log_id as "logId", tenant as "tenantId", run_id as "runId", job_id as "jobId", attempt, next_chunk as next`;

const claimEndedStatement = {
  name: 'claim-ended-workflow-log',
  text: claim('', `storage = 'rows' and ended < ${before('$2')} and ended > ${before('$3')}`),
};
const claimExpiredStatement = {
  name: 'claim-expired-workflow-log',
  text: claim(
    `, storage = 'expiring'`,
    `storage = 'expiring' or (storage in ('rows', 'object') and ended < ${before('$2')})`,
  ),
};
const claimOpenStatement = {
  name: 'claim-open-workflow-log',
  text: claim('', `storage = 'rows' and ended is null and opened < ${before('$2')}`),
};
const recordsStatement = {
  name: 'list-workflow-log-chunks',
  text: `select chunk, byte_end as "byteEnd", octet_length(payload) as "payloadBytes", line_start + line_feeds as "lineEnd", emitted,
      is_gzip as "isGzip", checksum
    from ${chunksTable} where log_id = $1 and chunk >= $2 and chunk < $3 order by chunk limit 4096`,
};
const payloadsStatement = {
  name: 'read-workflow-log-payloads',
  text: `select payload from ${chunksTable} where log_id = $1 and chunk >= $2 and chunk < $3 order by chunk limit 64`,
};
const moveStatement = `update ${logsTable} set storage = 'object', claimed = null where log_id = $1 and storage = 'rows'`;
const dropChunksStatement = `delete from ${chunksTable} where log_id = $1`;
const dropStepsStatement = `delete from ${stepsTable} where log_id = $1`;
const forgetStatement = `update ${logsTable} set storage = 'expired', claimed = null where log_id = $1 and storage = 'expiring'`;

interface ClaimedLog extends LogLocation {
  readonly logId: string;
  readonly next: number;
}
/** `bigint` arrives as text. */
interface RecordRow {
  readonly chunk: number;
  readonly byteEnd: string;
  readonly payloadBytes: number;
  readonly lineEnd: string;
  readonly emitted: Instant;
  readonly isGzip: boolean;
  readonly checksum: StoredChunk['checksum'];
}

/** Undefined where rows are missing: another process has moved them. */
const recordsOf = async (pool: Pool, { logId, next }: ClaimedLog): Promise<readonly ChunkRecord[] | undefined> => {
  const records: ChunkRecord[] = [];
  let payloadEnd = 0;
  while (records.length < next) {
    const rows = await rowsOf<RecordRow>(pool, recordsStatement, [logId, records.length, next]);
    if (rows.length === 0) return undefined;
    for (const { chunk, byteEnd, payloadBytes, lineEnd, emitted, isGzip, checksum } of rows) {
      if (chunk !== records.length) return undefined;
      payloadEnd += payloadBytes;
      const ends = { byteEnd: Number(byteEnd), payloadEnd, lineEnd: Number(lineEnd) };
      records.push({ ...ends, emittedAt: emitted, encoding: isGzip ? 'gzip' : 'plain', checksum });
    }
  }
  return records;
};

async function* objectOf(pool: Pool, { logId, next }: ClaimedLog, index: Buffer): AsyncGenerator<Uint8Array> {
  yield index;
  for (let from = 0; from < next; ) {
    const rows = await rowsOf<{ payload: Buffer }>(pool, payloadsStatement, [logId, from, next]);
    // Too short a body is refused by the store.
    if (rows.length === 0) return;
    for (const { payload } of rows) if (payload.length > 0) yield payload;
    from += rows.length;
  }
}

export interface LogRetentionOptions {
  readonly pool: Pool;
  readonly blobs: Pick<BlobStore, 'put' | 'remove'>;
  /** Of logs, from the end of their attempt. */
  readonly keepMilliseconds: number;
  /** From the end of an attempt until its log is moved: longer than late chunks are taken. Left out: ten minutes. */
  readonly compactAfterMilliseconds?: number;
  /** Left out: ten minutes. */
  readonly claimMilliseconds?: number;
  /** Until a log that has not ended is looked at. Left out: an hour. */
  readonly openMilliseconds?: number;
}

export const createPostgresLogRetention = (options: LogRetentionOptions): LogRetention => {
  const { pool, blobs, keepMilliseconds } = options;
  const { compactAfterMilliseconds = 10 * minute, claimMilliseconds = 10 * minute } = options;
  const { openMilliseconds = 60 * minute } = options;
  const compactAfter = Math.max(compactAfterMilliseconds, 2 * defaultLateMilliseconds);

  type Work = (log: ClaimedLog) => Promise<Either<LogStoreFault, void>>;
  const handleOne = async (statement: { name: string; text: string }, values: readonly number[], work: Work) => {
    const done = await attempted(
      'log-store-unavailable',
      async (): Promise<Either<LogStoreFault, LogLocation | undefined>> => {
        const [log] = await rowsOf<ClaimedLog>(pool, statement, [claimMilliseconds, ...values]);
        if (log === undefined) return right(undefined);
        const worked = await work(log);
        const { tenantId, runId, jobId, attempt } = log;
        return isLeft(worked) ? worked : right({ tenantId, runId, jobId, attempt });
      },
    );
    return isLeft(done) ? done : done.right;
  };

  /** The same rows make the same object, so it does no harm when several do it, or one that died had done it. */
  const moveToObject: Work = async (log) => {
    const records = await recordsOf(pool, log);
    if (records === undefined) return right(undefined);
    if (records.length > 0) {
      const index = encodeRecords(records);
      const put = await blobs.put({
        key: logObjectKey(log),
        body: objectOf(pool, log, index),
        size: index.length + (records.at(-1)?.payloadEnd ?? 0),
        contentType: 'application/octet-stream',
      });
      if (isLeft(put)) return left(fault('log-store-unavailable', put.left.detail));
    }
    await transaction(pool, async (client) => {
      const moved = await client.query(moveStatement, [log.logId]);
      if (moved.rowCount === 1) await client.query(dropChunksStatement, [log.logId]);
    });
    return right(undefined);
  };

  const removeExpired: Work = async (log) => {
    const removed = await blobs.remove(logObjectKey(log));
    if (isLeft(removed)) return left(fault('log-store-unavailable', removed.left.detail));
    await transaction(pool, async (client) => {
      await client.query(dropChunksStatement, [log.logId]);
      await client.query(dropStepsStatement, [log.logId]);
      await client.query(forgetStatement, [log.logId]);
    });
    return right(undefined);
  };

  return {
    compact: () => handleOne(claimEndedStatement, [compactAfter, keepMilliseconds], moveToObject),
    expire: () => handleOne(claimExpiredStatement, [keepMilliseconds], removeExpired),
    findOpen: () => handleOne(claimOpenStatement, [openMilliseconds], async () => right(undefined)),
  };
};
