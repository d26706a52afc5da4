/** Tables that cannot be rebuilt and what processes publish, from the first version on. Tables of views are made by their generations. */
import { schema } from '../sql';
import type { Migrations } from './apply';

export const migrations: Migrations = {
  schema,
  unrecorded: [
    {
      name: 'generations of views',
      adds: ['view_generations', 'view'],
      statements: [
        `create sequence ${schema}.generation_numbers`,
        `create table ${schema}.view_generations (
           view text not null, number bigint not null, version integer not null, position bigint, active boolean not null,
           held_until timestamptz, touched timestamptz not null default now(), primary key (view, number))`,
        `create unique index view_generations_active on ${schema}.view_generations (view) where active`,
      ],
    },
    {
      name: 'processes, timers and work queues',
      adds: ['work_jobs', 'id'],
      statements: [
        `create table ${schema}.leases (
           name text primary key, token bigint not null, until timestamptz not null)`,
        `create table ${schema}.process_checkpoints (
           process text primary key, position bigint, token bigint not null, saved timestamptz not null default now())`,
        `create table ${schema}.timers (
           id text primary key, process text not null, instance text not null, key text not null,
           position bigint not null, ordinal integer not null, at timestamptz not null, body jsonb not null,
           state text not null check (state in ('pending', 'fired', 'cancelled')), settled timestamptz)`,
        `create index timers_due on ${schema}.timers (process, at) where state = 'pending'`,
        `create index timers_keys on ${schema}.timers (process, instance, key, position)`,
        `create index timers_settled on ${schema}.timers (process, settled) where state <> 'pending'`,
        // Tokens of early releases; their backups set it when they are restored.
        `create sequence ${schema}.work_tokens`,
        `create table ${schema}.work_jobs (
           id bigint generated always as identity primary key, queue text not null, key text not null, tenant text not null,
           payload jsonb not null, cause jsonb not null, priority integer not null, most_attempts integer not null,
           state text not null check (state in ('waiting', 'running', 'done', 'dead', 'dropped')),
           due timestamptz not null, attempts integer not null default 0, token bigint not null default 0,
           until timestamptz, reason text, ended timestamptz, unique (queue, key))`,
        `create index work_jobs_waiting on ${schema}.work_jobs (queue, tenant, priority desc, due, id) where state = 'waiting'`,
        `create index work_jobs_running on ${schema}.work_jobs (queue, tenant) where state = 'running'`,
        `create index work_jobs_dead on ${schema}.work_jobs (id) where state = 'dead'`,
        `create index work_jobs_ended on ${schema}.work_jobs (ended) where state in ('done', 'dropped')`,
      ],
    },
    {
      name: 'key of the reading role',
      adds: ['reader_key', 'key'],
      statements: [
        `create table ${schema}.reader_key (one boolean primary key default true check (one), key bytea not null)`,
      ],
    },
    {
      name: 'when a generation was retired',
      adds: ['view_generations', 'retired'],
      statements: [`alter table ${schema}.view_generations add column retired timestamptz`],
    },
    {
      name: 'status of views and rebuilds',
      adds: ['platform_rebuilds', 'id'],
      statements: [
        `create table ${schema}.platform_views (view text primary key, seen timestamptz not null, state jsonb not null)`,
        `create table ${schema}.platform_rebuilds (
           id uuid primary key, view text not null, outcome text not null, generation bigint, began timestamptz not null,
           ended timestamptz, state jsonb not null)`,
        `create index platform_rebuilds_view on ${schema}.platform_rebuilds (view, began desc)`,
      ],
    },
    {
      name: 'what a generation is made by',
      adds: ['view_generations', 'recipe'],
      statements: [`alter table ${schema}.view_generations add column recipe text`],
    },
    {
      name: 'status of processes',
      adds: ['platform_processes', 'process'],
      statements: [
        `create table ${schema}.platform_processes (
           process text primary key, seen timestamptz not null, owner text not null, state jsonb not null)`,
      ],
    },
    {
      // The newest of a job's failures, up to twenty.
      name: 'failures of jobs',
      adds: ['work_jobs', 'failures'],
      statements: [`alter table ${schema}.work_jobs add column failures jsonb not null default '[]'`],
    },
    {
      // `kind` is null where it is the queue's name; `worker`, `claimed` and `seen` are of the last claim.
      name: 'deadlines, progress and cancellation of jobs',
      adds: ['work_jobs', 'cancel_requested'],
      statements: [
        `alter table ${schema}.work_jobs
           add column kind text, add column enqueued timestamptz not null default now(), add column deadline timestamptz,
           add column worker text, add column claimed timestamptz, add column seen timestamptz,
           add column progress real, add column progress_detail text, add column cancel_requested timestamptz`,
        `alter table ${schema}.work_jobs drop constraint work_jobs_state_check`,
        `alter table ${schema}.work_jobs add constraint work_jobs_states
           check (state in ('waiting', 'running', 'done', 'dead', 'cancelled', 'dropped'))`,
        `create index work_jobs_deadline on ${schema}.work_jobs (queue, deadline) where state = 'waiting' and deadline is not null`,
        `drop index ${schema}.work_jobs_ended`,
        `create index work_jobs_over on ${schema}.work_jobs (ended) where state in ('done', 'dropped', 'cancelled')`,
        `create index work_jobs_tenant on ${schema}.work_jobs (tenant, id)`,
      ],
    },
    {
      name: 'claims of workflow jobs',
      adds: ['workflow_claims', 'job_id'],
      statements: [
        `create sequence ${schema}.workflow_epochs`,
        `create table ${schema}.workflow_claims (
           run_id text not null, job_id text not null, tenant text not null, attempt integer not null, repo_id text not null,
           definition_id text not null, matrix_key text, max_parallel integer, labels text[] not null, isolation smallint not null,
           priority integer not null, enqueued timestamptz not null default clock_timestamp(),
           state text not null default 'waiting' check (state in ('waiting', 'held', 'expired')), epoch bigint not null default 0,
           runner_id text, managed boolean, claimed timestamptz, until timestamptz, primary key (run_id, job_id))`,
        `create index workflow_claims_waiting on ${schema}.workflow_claims (tenant, enqueued) where state = 'waiting'`,
        `create index workflow_claims_until on ${schema}.workflow_claims (until) where state <> 'waiting'`,
        `create table ${schema}.workflow_organization_limits (
           tenant text primary key, concurrent_jobs integer, seconds_per_month bigint, configured text,
           served timestamptz not null default '-infinity')`,
        `create table ${schema}.workflow_usage (
           tenant text not null, month date not null, seconds numeric not null, primary key (tenant, month))`,
        `create table ${schema}.workflow_seen_runners (
           runner_id text primary key, tenant text, labels text[] not null, isolation smallint not null, seen timestamptz not null)`,
        `create table ${schema}.workflow_active_runs (
           run_id text primary key, tenant text not null, begun timestamptz not null default now())`,
      ],
    },
    {
      name: 'logs of workflow jobs',
      adds: ['workflow_logs', 'log_id'],
      statements: [
        `create table ${schema}.workflow_logs (
           log_id bigint generated by default as identity primary key, tenant text not null, run_id text not null, job_id text not null,
           attempt integer not null, next_chunk integer not null default 0, bytes bigint not null default 0, ended timestamptz,
           chunks integer, steps_revision integer not null default 0, unique (job_id, attempt, tenant))`,
        `create table ${schema}.workflow_log_chunks (
           log_id bigint not null, chunk integer not null, byte_start bigint not null, byte_end bigint not null, checksum text not null,
           is_gzip boolean not null, payload bytea not null, emitted text not null, primary key (log_id, chunk))`,
        // The payload is compressed already, or short.
        `alter table ${schema}.workflow_log_chunks alter column payload set storage external`,
        `create table ${schema}.workflow_log_steps (
           log_id bigint not null, number integer not null, step json not null, primary key (log_id, number))`,
      ],
    },
    {
      name: 'artifacts of runs',
      adds: ['workflow_run_artifacts', 'artifact_id'],
      statements: [
        `create table ${schema}.workflow_run_artifacts (
           tenant text not null, run_id text not null, artifact_id text not null, added timestamptz not null default clock_timestamp(),
           primary key (tenant, run_id, artifact_id))`,
      ],
    },
    {
      // Line feeds before the text's end, and before each chunk; null while a chunk before it is missing.
      name: 'lines of logs',
      adds: ['workflow_log_chunks', 'line_start'],
      statements: [
        `alter table ${schema}.workflow_logs add column lines bigint not null default 0`,
        `alter table ${schema}.workflow_log_chunks add column line_feeds integer not null default 0, add column line_start bigint`,
      ],
    },
    {
      // Whose list a runner stands in: the platform's for managed runners, which take jobs of every tenant.
      name: 'owners of seen runners',
      adds: ['workflow_seen_runners', 'owner'],
      statements: [`alter table ${schema}.workflow_seen_runners add column owner text`],
    },
    {
      // `storage`: where chunks are: in rows, in one object, about to be removed (expiring), or nowhere (expired). `claimed`: by a process that
      // moves or removes them, or looks whether the attempt has ended.
      name: 'storage of logs',
      adds: ['workflow_logs', 'storage'],
      statements: [
        `alter table ${schema}.workflow_logs add column opened timestamptz not null default clock_timestamp(),
           add column storage text not null default 'rows', add column claimed timestamptz`,
        `create index workflow_logs_by_storage on ${schema}.workflow_logs (storage, ended)`,
      ],
    },
    {
      name: 'concurrency groups',
      adds: ['workflow_concurrency', 'standing'],
      statements: [
        `create table ${schema}.workflow_concurrency (
           tenant text not null, repo_id text not null, name text not null, run_id text not null, job_id text not null,
           attempt integer not null, since bigint not null,
           standing text not null check (standing in ('holder', 'ending', 'pending', 'superseded')), primary key (run_id, job_id))`,
        `create unique index workflow_concurrency_holder on ${schema}.workflow_concurrency (tenant, repo_id, name)
           where standing in ('holder', 'ending')`,
        `create index workflow_concurrency_group on ${schema}.workflow_concurrency (tenant, repo_id, name)`,
      ],
    },
    {
      // `due`: when the service looks at it next, to remove what has expired, was deleted or abandoned.
      name: 'size and expiry of artifacts',
      adds: ['workflow_artifact_usage', 'bytes'],
      statements: [
        `alter table ${schema}.workflow_run_artifacts add column bytes bigint not null default 0,
           add column due timestamptz not null default clock_timestamp() + interval '1 day', add column claimed timestamptz`,
        `create index workflow_run_artifacts_due on ${schema}.workflow_run_artifacts (due)`,
        `create table ${schema}.workflow_artifact_usage (tenant text primary key, bytes bigint not null)`,
      ],
    },
    {
      // Rows of logs that were used before stay: a token without a log is of the first one.
      name: 'logs that positions are of',
      adds: ['logs', 'id'],
      statements: [
        `create table ${schema}.logs (
           id uuid primary key, number bigint generated always as identity, address text not null, anchor_position bigint,
           anchor_event text, active boolean not null, since timestamptz not null default now())`,
        `create unique index logs_active on ${schema}.logs (active) where active`,
      ],
    },
  ],
  recorded: [
    {
      // Times are milliseconds since 1970 of the clock that received heartbeats; `waiting_since` is of this server's.
      name: 'views of videos',
      statements: [
        `create table ${schema}.video_view_partitions (partition integer primary key, epoch text not null, heartbeat text not null)`,
        `create table ${schema}.video_playbacks (session_id text primary key, expires_at bigint not null, count jsonb not null)`,
        `create index video_playbacks_expired on ${schema}.video_playbacks (expires_at)`,
        `create table ${schema}.video_viewers (
           tenant text not null, video_id text not null, viewer_id text not null, subject text not null, viewed_at bigint not null,
           primary key (tenant, video_id, viewer_id))`,
        `create index video_viewers_viewed on ${schema}.video_viewers (viewed_at)`,
        `create index video_viewers_subject on ${schema}.video_viewers (subject)`,
        `create table ${schema}.video_watch_positions (
           tenant text not null, video_id text not null, viewer_id text not null, subject text not null, position_ms bigint not null,
           duration_ms bigint not null, watched_at bigint not null, primary key (tenant, video_id, viewer_id))`,
        `create index video_watch_positions_watched on ${schema}.video_watch_positions (watched_at)`,
        `create index video_watch_positions_subject on ${schema}.video_watch_positions (subject)`,
        `create table ${schema}.video_view_batches (
           number bigint generated by default as identity primary key, batch_id uuid not null unique, partition integer not null,
           tenant text not null, video_id text not null, minute timestamptz not null, sums jsonb not null, closed boolean not null default false,
           waiting_since timestamptz not null default clock_timestamp())`,
        `create unique index video_view_batches_open on ${schema}.video_view_batches (tenant, video_id, minute) where not closed`,
        `create index video_view_batches_waiting on ${schema}.video_view_batches (partition, waiting_since)`,
        `create table ${schema}.video_view_streams (
           tenant text not null, video_id text not null, revision bigint not null, primary key (tenant, video_id))`,
        `create table ${schema}.video_forgotten_to (one boolean primary key default true check (one), position bigint not null)`,
      ],
    },
  ],
};
