/** What operators see of views; no tenant is named in it. */
import { readerRole, schema } from './sql';

export const viewsTable = `${schema}.platform_views`;
export const rebuildsTable = `${schema}.platform_rebuilds`;

export const platformTables: readonly string[] = [
  `create table if not exists ${viewsTable} (view text primary key, seen timestamptz not null, state jsonb not null)`,
  `create table if not exists ${rebuildsTable} (
     id uuid primary key, view text not null, outcome text not null, generation bigint, began timestamptz not null,
     ended timestamptz, state jsonb not null)`,
  `create index if not exists platform_rebuilds_view on ${rebuildsTable} (view, began desc)`,
  `grant select on ${viewsTable}, ${rebuildsTable} to ${readerRole}`,
];
