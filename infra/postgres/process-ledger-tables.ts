/** What the reading role may see of processes, timers and jobs: one tenant's, or all as `*`, and never what they carry. */
import { everyTenant, readerRole, schema } from './sql';

export const processesTable = `${schema}.platform_processes`;
export const timersView = `${schema}.platform_timers`;
export const jobsView = `${schema}.platform_jobs`;
export const checkpointsView = `${schema}.platform_checkpoints`;
export const leasesView = `${schema}.platform_leases`;

const asked = `(select ${schema}.tenant())`;
/** Of the stream of a process's instance. */
const tenantOfInstance = `substring(instance from '^[^-]*-([a-z0-9][a-z0-9-]*)\\.')`;
const allowed = (tenant: string): string => `(${asked} = '${everyTenant}' or ${tenant} = ${asked})`;

/** They run with their owner's rights, so what they leave out is out of reach. */
const view = (name: string, select: string): readonly string[] => [
  `create or replace view ${name} with (security_barrier = true) as ${select}`,
  `grant select on ${name} to ${readerRole}`,
];

export const processLedgerTables: readonly string[] = [
  `create table if not exists ${processesTable} (
     process text primary key, seen timestamptz not null, owner text not null, state jsonb not null)`,
  `grant select on ${processesTable} to ${readerRole}`,
  ...view(checkpointsView, `select process, position from ${schema}.process_checkpoints`),
  ...view(leasesView, `select name, until from ${schema}.leases where name like 'process.%'`),
  ...view(
    timersView,
    `select id, process, instance, key, at from ${schema}.timers
     where state = 'pending' and ${allowed(tenantOfInstance)}`,
  ),
  ...view(
    jobsView,
    `select queue, tenant, state, due, ended from ${schema}.work_jobs
     where state in ('waiting', 'running', 'dead') and ${allowed('tenant')}`,
  ),
];
