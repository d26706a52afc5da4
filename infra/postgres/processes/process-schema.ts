/** Tables of processes: leases, checkpoints, timers and work queues. */
import { schema } from '../sql';
import { workQueueTables } from './work-queue-schema';

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
  ...workQueueTables,
];
