/** Restricts the reading role to views, one tenant at a time, whatever SQL it runs. */
import type { TableView } from '../../ports/views/view-store';
import { everyTenant, literal, name, readerRole, schema } from './sql';

const keyTable = `${schema}.reader_key`;

/** Null unless the setting carries the seal of its tenant; then policies let no row through. */
const tenantFunction = `create or replace function ${schema}.tenant() returns text
  language sql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
    select claim.tenant from ${keyTable},
      (select left(setting, -65) as tenant, right(setting, 64) as seal
       from (select current_setting('septet.tenant', true) as setting) as stated) as claim
    where claim.seal = encode(sha256(key || sha256(key || convert_to(claim.tenant, 'UTF8'))), 'hex') $$`;

const limits = {
  default_transaction_read_only: 'on',
  statement_timeout: '10s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
};
const mostConnections = 64;

/** Set once: an operator's own limits stay, and services that start on other databases do not conflict. */
const loginLimits = (login: string): string => `do $$ begin
  if exists (select from pg_roles where rolname = ${literal(login)} and rolconnlimit = -1) then
    alter role ${name(login)} connection limit ${mostConnections};
  end if;
  ${Object.entries(limits)
    .map(
      ([setting, value]) => `if not exists (select from pg_roles, unnest(rolconfig) as config
    where rolname = ${literal(login)} and config like '${setting}=%') then
    alter role ${name(login)} set ${setting} = '${value}';
  end if;`,
    )
    .join('\n  ')}
end $$`;

/** Revokes defaults of `public` that a reader must not have; only the database's owner can revoke them. */
const nothingElse = `do $$ begin
  execute format('revoke temporary on database %I from public', current_database());
  revoke execute on function lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea), lo_put(oid, bigint, bytea),
    lo_unlink(oid), lowrite(integer, bytea), lo_truncate(integer, integer), lo_truncate64(integer, bigint) from public;
exception when insufficient_privilege then null; end $$`;

/** Policies stand on a generation's tables; the SQL view over them runs with the reader's rights. */
export const protect = (table: string, { operators }: Pick<TableView, 'operators'> = {}): readonly string[] => [
  `alter table ${table} enable row level security`,
  `drop policy if exists tenant on ${table}`,
  // A subquery is evaluated once per statement rather than once per row.
  `create policy tenant on ${table} for select to ${readerRole} using (
     "tenantId" = (select ${schema}.tenant())${operators === true ? ` or (select ${schema}.tenant()) = '${everyTenant}'` : ''})`,
  `grant select on ${table} to ${readerRole}`,
];

export const ownTenant = `(select ${schema}.tenant())`;

/** In views and functions that run with their owner's rights. */
export const allowedTenant = (tenant: string): string =>
  `(${ownTenant} = '${everyTenant}' or ${tenant} = ${ownTenant})`;

/** It runs with its owner's rights, so what it leaves out is out of reach. */
export const readerView = (view: string, select: string): readonly string[] => [
  `create or replace view ${view} with (security_barrier = true) as ${select}`,
  `grant select on ${view} to ${readerRole}`,
];

/** Generations that were built before there were policies. */
const protectOld = `do $$ declare old record; begin
  for old in select c.oid::regclass as relation, g.view, g.active from ${schema}.view_generations g
      join pg_class c on c.relname = g.view || '_v' || g.number and c.relkind = 'r' and not c.relrowsecurity
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = '${schema}' loop
    ${protect('%1$s')
      .map((statement) => `execute format(${literal(statement)}, old.relation);`)
      .join('\n    ')}
    if old.active then execute format('alter view ${schema}.%I set (security_invoker = true)', old.view); end if;
  end loop;
end $$`;

/** `login` is the role under which the database is read. */
export const rowSecurity = (sealingKey: Buffer, login: string): readonly string[] => [
  `insert into ${keyTable} (key) values ('\\x${sealingKey.toString('hex')}')
   on conflict (one) do update set key = excluded.key where reader_key.key <> excluded.key`,
  tenantFunction,
  `revoke execute on function ${schema}.tenant() from public`,
  `grant execute on function ${schema}.tenant() to ${readerRole}`,
  loginLimits(login),
  nothingElse,
  protectOld,
];
