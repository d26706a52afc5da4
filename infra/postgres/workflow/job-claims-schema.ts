/** Tables of jobs that wait for a runner or have one, of organizations' limits and usage, and of runners that were seen. */
import { schema } from '../sql';

export const claimsTable = `${schema}.workflow_claims`;
export const organizationsTable = `${schema}.workflow_organization_limits`;
export const usageTable = `${schema}.workflow_usage`;
export const runnersTable = `${schema}.workflow_seen_runners`;
export const activeRunsTable = `${schema}.workflow_active_runs`;
export const epochs = `${schema}.workflow_epochs`;
/** A job became claimable, or a slot free. */
export const claimsChannel = 'septet_workflow_claims';

export const workflowTables: readonly string[] = [
  `create sequence if not exists ${epochs}`,
  `create table if not exists ${claimsTable} (
     run_id text not null, job_id text not null, tenant text not null, attempt integer not null, repo_id text not null,
     definition_id text not null, matrix_key text, max_parallel integer, labels text[] not null, isolation smallint not null,
     priority integer not null, enqueued timestamptz not null default clock_timestamp(),
     state text not null default 'waiting' check (state in ('waiting', 'held', 'expired')), epoch bigint not null default 0,
     runner_id text, managed boolean, claimed timestamptz, until timestamptz, primary key (run_id, job_id))`,
  `create index if not exists workflow_claims_waiting on ${claimsTable} (tenant, enqueued) where state = 'waiting'`,
  `create index if not exists workflow_claims_until on ${claimsTable} (until) where state <> 'waiting'`,
  `create table if not exists ${organizationsTable} (
     tenant text primary key, concurrent_jobs integer, seconds_per_month bigint, configured text,
     served timestamptz not null default '-infinity')`,
  `create table if not exists ${usageTable} (
     tenant text not null, month date not null, seconds numeric not null, primary key (tenant, month))`,
  `create table if not exists ${runnersTable} (
     runner_id text primary key, tenant text, labels text[] not null, isolation smallint not null, seen timestamptz not null)`,
  // Whose list it stands in: the platform's for managed runners, which take jobs of every tenant.
  `alter table ${runnersTable} add column if not exists owner text`,
  `create table if not exists ${activeRunsTable} (
     run_id text primary key, tenant text not null, begun timestamptz not null default now())`,
];
