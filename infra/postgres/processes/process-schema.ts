/** Tables of processes: leases, checkpoints, timers and work queues. */
import { schema } from '../sql';

export const processTables: readonly string[] = [
  `create table if not exists ${schema}.leases (
     name text primary key, token bigint not null, until timestamptz not null)`,
  `create table if not exists ${schema}.process_checkpoints (
     process text primary key, position bigint, token bigint not null, saved timestamptz not null default now())`,
  `create table if not exists ${schema}.timers (
     id text primary key, process text not null, instance text not null, key text not null,
     position bigint not null, ordinal integer not null, at timestamptz not null, body jsonb not null,
     state text not null check (state in ('pending', 'fired', 'cancelled')), settled timestamptz)`,
  `create index if not exists timers_due on ${schema}.timers (process, at) where state = 'pending'`,
  `create index if not exists timers_keys on ${schema}.timers (process, instance, key, position)`,
  `create index if not exists timers_settled on ${schema}.timers (process, settled) where state <> 'pending'`,
  `create sequence if not exists ${schema}.work_tokens`,
  `create table if not exists ${schema}.work_jobs (
     id bigint generated always as identity primary key, queue text not null, key text not null, tenant text not null,
     payload jsonb not null, cause jsonb not null, priority integer not null, most_attempts integer not null,
     state text not null check (state in ('waiting', 'running', 'done', 'dead', 'dropped')),
     due timestamptz not null, attempts integer not null default 0, token bigint not null default 0,
     until timestamptz, reason text, ended timestamptz, unique (queue, key))`,
  // The newest of its failures, up to twenty.
  `alter table ${schema}.work_jobs add column if not exists failures jsonb not null default '[]'`,
  `create index if not exists work_jobs_waiting on ${schema}.work_jobs (queue, tenant, priority desc, due, id)
     where state = 'waiting'`,
  `create index if not exists work_jobs_running on ${schema}.work_jobs (queue, tenant) where state = 'running'`,
  `create index if not exists work_jobs_dead on ${schema}.work_jobs (id) where state = 'dead'`,
  `create index if not exists work_jobs_ended on ${schema}.work_jobs (ended) where state in ('done', 'dropped')`,
];
