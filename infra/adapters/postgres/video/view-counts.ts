/** Counts of views in Postgres. Consumers of one partition take turns on its row; rows and position change in one transaction. */
import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { Instant } from '../../../../domain/kernel/codec';
import { addViews } from '../../../../domain/video/views/events';
import type { HeartbeatPosition, ReceivedHeartbeat } from '../../../ports/video/heartbeats';
import type {
  AppendedBatch,
  CountedPage,
  CountedViewer,
  KnownCounts,
  KnownPlayback,
  MinuteViews,
  ViewBatch,
  ViewCounts,
  ViewerName,
} from '../../../ports/video/view-counts';
import { attempted, transaction } from '../pool';
import {
  batchesTable,
  forgottenTable,
  partitionsTable,
  playbacksTable,
  positionsTable,
  streamsTable,
  viewersTable,
} from './view-tables';

const purgedRows = 5_000;
const publishedBatches = 500;

interface PartitionRow {
  readonly epoch: string;
  readonly heartbeat: string;
}

/** Undefined: another consumer has the partition. Null: it was never read. */
const lockPartition = async (client: PoolClient, partition: number): Promise<PartitionRow | null | undefined> => {
  const {
    rows: [lock],
  } = await client.query<{ free: boolean }>('select pg_try_advisory_xact_lock(7078, $1) as free', [partition]);
  if (lock?.free !== true) return undefined;
  const text = `select epoch, heartbeat from ${partitionsTable} where partition = $1`;
  const { rows } = await client.query<PartitionRow>({ name: 'video-partition', text, values: [partition] });
  return rows[0] ?? null;
};

const positionIn = (row: PartitionRow | null | undefined): HeartbeatPosition | undefined =>
  row === null || row === undefined ? undefined : { epoch: row.epoch, id: row.heartbeat };

const isAt = (one: HeartbeatPosition | undefined, other: HeartbeatPosition | undefined): boolean =>
  one?.epoch === other?.epoch && one?.id === other?.id;

const loadPlaybacks = async (
  client: PoolClient,
  heartbeats: readonly ReceivedHeartbeat[],
): Promise<readonly KnownPlayback[]> => {
  const ids = [...new Set(heartbeats.map(({ sessionId }) => sessionId))];
  const text = `select session_id as "sessionId", expires_at as "expiresAt", count from ${playbacksTable} where session_id = any($1)`;
  const { rows } = await client.query<{ sessionId: string; expiresAt: string; count: KnownPlayback['count'] }>({
    ...{ name: 'video-playbacks', text, values: [ids] },
  });
  return rows.map((row) => ({ ...row, expiresAt: Number(row.expiresAt) }));
};

const namesOf = (heartbeats: readonly ReceivedHeartbeat[]): readonly ViewerName[] =>
  heartbeats.map(({ tenant, videoId, viewerId }) => ({ tenant, videoId, viewerId }));

const loadViewers = async (
  client: PoolClient,
  heartbeats: readonly ReceivedHeartbeat[],
): Promise<readonly CountedViewer[]> => {
  const text = `select tenant, video_id as "videoId", viewer_id as "viewerId", viewed_at as "viewedAt" from ${viewersTable}
    where (tenant, video_id, viewer_id) in (
      select tenant, "videoId", "viewerId" from json_to_recordset($1::json) as named(tenant text, "videoId" text, "viewerId" text))`;
  const { rows } = await client.query<ViewerName & { viewedAt: string }>({
    ...{ name: 'video-viewers', text, values: [JSON.stringify(namesOf(heartbeats))] },
  });
  return rows.map((row) => ({ ...row, viewedAt: Number(row.viewedAt) }));
};

const savePlaybacks = `insert into ${playbacksTable} (session_id, expires_at, count)
  select "sessionId", "expiresAt", count from json_to_recordset($1::json) as row("sessionId" text, "expiresAt" bigint, count jsonb)
  on conflict (session_id) do update set count = excluded.count`;
const viewer = 'tenant text, "videoId" text, "viewerId" text, subject text';
const saveViewers = `insert into ${viewersTable} (tenant, video_id, viewer_id, subject, viewed_at)
  select tenant, "videoId", "viewerId", subject, "viewedAt" from json_to_recordset($1::json) as row(${viewer}, "viewedAt" bigint)
  on conflict (tenant, video_id, viewer_id) do update set viewed_at = excluded.viewed_at`;
const savePositions = `insert into ${positionsTable} (tenant, video_id, viewer_id, subject, position_ms, duration_ms, watched_at)
  select tenant, "videoId", "viewerId", subject, "positionMilliseconds", "durationMilliseconds", "watchedAt"
  from json_to_recordset($1::json) as row(${viewer}, "positionMilliseconds" bigint, "durationMilliseconds" bigint, "watchedAt" bigint)
  on conflict (tenant, video_id, viewer_id) do update
    set position_ms = excluded.position_ms, duration_ms = excluded.duration_ms, watched_at = excluded.watched_at`;
const savePartition = `insert into ${partitionsTable} (partition, epoch, heartbeat) values ($1, $2, $3)
  on conflict (partition) do update set epoch = excluded.epoch, heartbeat = excluded.heartbeat`;
const minute = 'tenant text, "videoId" text, minute timestamptz';
const loadOpen = `select batch_id as "batchId", tenant, video_id as "videoId", minute, sums from ${batchesTable}
  where not closed and (tenant, video_id, minute) in (
    select tenant, "videoId", minute from json_to_recordset($1::json) as named(${minute}))`;
const saveBatches = `insert into ${batchesTable} (batch_id, partition, tenant, video_id, minute, sums)
  select "batchId", $2, tenant, "videoId", minute, sums from json_to_recordset($1::json) as row("batchId" uuid, ${minute}, sums jsonb)
  on conflict (batch_id) do update set sums = excluded.sums`;

const minuteKey = ({ tenant, videoId, minute: at }: Omit<MinuteViews, 'sums'>): string => `${tenant} ${videoId} ${at}`;

const saveMinutes = async (client: PoolClient, partition: number, minutes: readonly MinuteViews[]): Promise<void> => {
  if (minutes.length === 0) return;
  type Row = Omit<MinuteViews, 'minute'> & { readonly batchId: string; readonly minute: Date };
  const { rows } = await client.query<Row>(loadOpen, [JSON.stringify(minutes)]);
  const open = new Map(
    rows.map((row) => [minuteKey({ ...row, minute: row.minute.toISOString() as Instant }), row] as const),
  );
  const batches = minutes.map((one) => {
    const before = open.get(minuteKey(one));
    return before === undefined
      ? { ...one, batchId: randomUUID() }
      : { ...one, batchId: before.batchId, sums: addViews(before.sums, one.sums) };
  });
  await client.query(saveBatches, [JSON.stringify(batches), partition]);
};

interface ViewCountOptions {
  /** The hash by which a person is known where people are forgotten. */
  readonly subjectOf: (tenant: string, viewerId: string) => string;
}

const saveCounts = async (
  client: PoolClient,
  { playbacks, viewers, positions }: CountedPage,
  { subjectOf }: ViewCountOptions,
): Promise<void> => {
  const withSubject = <Named extends ViewerName>(named: Named) => ({
    ...named,
    subject: subjectOf(named.tenant, named.viewerId),
  });
  await client.query(savePlaybacks, [JSON.stringify(playbacks)]);
  await client.query(saveViewers, [JSON.stringify(viewers.map(withSubject))]);
  await client.query(savePositions, [JSON.stringify(positions.map(withSubject))]);
};

const closeBatches = `update ${batchesTable} set closed = true
  where partition = $1 and not closed and waiting_since <= clock_timestamp() - $2 * interval '1 millisecond'`;
const closedBatches = `select batch_id as "batchId", batch.tenant, batch.video_id as "videoId", minute, sums, coalesce(revision, 0) as revision
  from ${batchesTable} batch left join ${streamsTable} stream using (tenant, video_id)
  where partition = $1 and closed order by number limit ${publishedBatches}`;
const saveRevisions = `insert into ${streamsTable} as known (tenant, video_id, revision)
  select tenant, video_id, max(row.revision) from json_to_recordset($1::json) as row("batchId" uuid, revision bigint)
  join ${batchesTable} batch on batch.batch_id = row."batchId" group by tenant, video_id
  on conflict (tenant, video_id) do update set revision = greatest(known.revision, excluded.revision)`;
const removeBatches = `delete from ${batchesTable} where batch_id in (
  select "batchId" from json_to_recordset($1::json) as row("batchId" uuid))`;

/** In a transaction before that of the first append: what is in the log never grows, also where the process ends right after it. */
const closeWaiting = async (client: PoolClient, partition: number, waited: number): Promise<void> => {
  if ((await lockPartition(client, partition)) === undefined) return;
  await client.query({ name: 'video-close-batches', text: closeBatches, values: [partition, waited] });
};

const publishBatches = async (
  client: PoolClient,
  partition: number,
  append: (batches: readonly ViewBatch[]) => Promise<readonly AppendedBatch[]>,
): Promise<number> => {
  if ((await lockPartition(client, partition)) === undefined) return 0;
  type Row = Omit<ViewBatch, 'minute' | 'revision'> & { readonly minute: Date; readonly revision: string };
  const { rows } = await client.query<Row>({ name: 'video-closed-batches', text: closedBatches, values: [partition] });
  if (rows.length === 0) return 0;
  const batches = rows.map((row) => ({
    ...row,
    minute: row.minute.toISOString() as Instant,
    revision: Number(row.revision),
  }));
  const appended = await append(batches);
  if (appended.length === 0) return 0;
  const values = [JSON.stringify(appended)];
  await client.query(saveRevisions, values);
  await client.query(removeBatches, values);
  return appended.length;
};

const purgeTable = async (pool: Pool, table: string, { key, column, before }: Purge): Promise<number> => {
  const text = `delete from ${table} where (${key}) in (select ${key} from ${table} where ${column} < $1 limit ${purgedRows})`;
  return (await pool.query(text, [before])).rowCount ?? 0;
};

interface Purge {
  readonly key: string;
  readonly column: string;
  readonly before: number;
}

export const createPostgresViewCounts = (pool: Pool, options: ViewCountOptions): ViewCounts => {
  const attempt = <A>(work: () => Promise<A>) => attempted('view-counts-unavailable', work);
  return {
    positionOf: (partition) =>
      attempt(async () => {
        const text = `select epoch, heartbeat from ${partitionsTable} where partition = $1`;
        return positionIn((await pool.query<PartitionRow>(text, [partition])).rows[0]);
      }),
    count: (partition, { after, position, heartbeats }, count) =>
      attempt(() =>
        transaction(pool, async (client) => {
          const locked = await lockPartition(client, partition);
          if (locked === undefined || !isAt(positionIn(locked), after)) return false;
          const known: KnownCounts = {
            playbacks: await loadPlaybacks(client, heartbeats),
            viewers: await loadViewers(client, heartbeats),
          };
          const counted = count(known);
          await saveCounts(client, counted, options);
          await saveMinutes(client, partition, counted.minutes);
          await client.query(savePartition, [partition, position.epoch, position.id]);
          return true;
        }),
      ),
    publish: (partition, waited, append) =>
      attempt(async () => {
        await transaction(pool, (client) => closeWaiting(client, partition, waited));
        return transaction(pool, (client) => publishBatches(client, partition, append));
      }),
    purge: ({ expiredAt, viewedAt, watchedAt }) =>
      attempt(async () => {
        const named = 'tenant, video_id, viewer_id';
        const counts = [
          await purgeTable(pool, playbacksTable, { key: 'session_id', column: 'expires_at', before: expiredAt }),
          await purgeTable(pool, viewersTable, {
            key: named,
            column: 'viewed_at',
            before: viewedAt,
          }),
          await purgeTable(pool, positionsTable, {
            key: named,
            column: 'watched_at',
            before: watchedAt,
          }),
        ];
        return counts.reduce((sum, one) => sum + one, 0);
      }),
    forget: (subjects) =>
      attempt(async () => {
        for (const table of [positionsTable, viewersTable])
          await pool.query(`delete from ${table} where subject = any($1)`, [subjects]);
      }),
    forgottenTo: () =>
      attempt(async () => {
        const { rows } = await pool.query<{ position: string }>(`select position from ${forgottenTable}`);
        return rows[0] === undefined ? null : BigInt(rows[0].position);
      }),
    recordForgottenTo: (position) =>
      attempt(async () => {
        const text = `insert into ${forgottenTable} (position) values ($1) on conflict (one) do update set position = excluded.position`;
        await pool.query(text, [String(position)]);
      }),
  };
};
