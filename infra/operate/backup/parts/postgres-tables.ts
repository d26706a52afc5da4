/** Tables that a backup needs, and tables that are rebuilt from the log. */
import { schema } from '../../../adapters/postgres/sql';
import { schema as vaultSchema } from '../../../adapters/vault/postgres-schema';

export interface BackedUpTable {
  readonly table: string;
  /** SQL in place of a column: what must not be taken over as it is. */
  readonly instead?: { readonly [column: string]: string };
}

/**
 * Dumped before the log is copied, so that none of them is ahead of it: what came later stands in the log and is carried out
 * again, under the same ids. Leases are over, but their tokens count on: checkpoints are compared by them.
 */
export const processTables: readonly BackedUpTable[] = [
  { table: `${schema}.leases`, instead: { until: `'-infinity'::timestamptz` } },
  { table: `${schema}.process_checkpoints` },
  { table: `${schema}.timers` },
  { table: `${schema}.work_jobs` },
  // Runners' leases go on where the restored copy serves the same runners; others expire, and their jobs are tried again.
  { table: `${schema}.workflow_claims` },
  { table: `${schema}.workflow_organization_limits` },
  { table: `${schema}.workflow_usage` },
  { table: `${schema}.workflow_active_runs` },
  // Members enter again with the same result; one whose run has ended leaves when its run is checked.
  { table: `${schema}.workflow_concurrency` },
  { table: `${schema}.workflow_logs` },
  { table: `${schema}.workflow_log_chunks` },
  { table: `${schema}.workflow_log_steps` },
  { table: `${schema}.workflow_run_artifacts` },
  { table: `${schema}.workflow_artifact_usage` },
  // Batches that the log has by now are found there, and are not appended again.
  { table: `${schema}.video_view_partitions` },
  { table: `${schema}.video_playbacks` },
  { table: `${schema}.video_viewers` },
  { table: `${schema}.video_watch_positions` },
  { table: `${schema}.video_view_batches` },
  { table: `${schema}.video_view_streams` },
];

/** Dumped after the log is copied, so that there is a key for everything sealed in it. */
export const vaultTables: readonly BackedUpTable[] = [
  { table: `${vaultSchema}.masters` },
  { table: `${vaultSchema}.keys` },
];

/** They name positions: without the log that these are of, they are left out, and processes go through the log from its beginning. */
export const boundToPositions: readonly string[] = [`${schema}.process_checkpoints`, `${schema}.timers`];

/** Sequences must not reuse numbers: indexes, fencing tokens and the order of keys contain them. */
export const sequences: readonly string[] = [
  `${schema}.generation_numbers`,
  `${schema}.work_tokens`,
  `${schema}.work_jobs_id_seq`,
  `${schema}.workflow_epochs`,
  `${schema}.workflow_logs_log_id_seq`,
  `${schema}.video_view_batches_number_seq`,
  `${vaultSchema}.keys_number_seq`,
];

/** Of read models. `erasure_progress` would promise that the restored vault has no key that was erased after its backup. */
const derivedTables: readonly string[] = [
  // A restore goes into tables of this version.
  `${schema}.migrations`,
  `${vaultSchema}.migrations`,
  `${schema}.view_generations`,
  `${schema}.reader_key`,
  // A restored log has positions of its own; the first start records it.
  `${schema}.logs`,
  // Runners show themselves again.
  `${schema}.workflow_seen_runners`,
  // Left out, so that persons that were forgotten after the backup are forgotten again.
  `${schema}.video_forgotten_to`,
  `${vaultSchema}.erasure_progress`,
];

/** Must be empty at the target, including rebuilt tables, which would have positions of another log. */
export const mustBeEmpty: readonly string[] = [
  ...[...processTables, ...vaultTables].map(({ table }) => table),
  `${schema}.view_generations`,
];

export const schemas: readonly string[] = [schema, vaultSchema];

const isGeneration = (table: string): boolean => /_v\d+$/.test(table);
/** Status that processes publish for operators. */
const isPublished = (table: string): boolean => table.startsWith(`${schema}.platform_`);
const isDerived = (table: string): boolean =>
  derivedTables.includes(table) || isGeneration(table) || isPublished(table);

/** An unclassified table makes a backup fail, so that none is left out by mistake. */
export const unclassifiedTables = (tables: readonly string[]): readonly string[] => {
  const backedUp = [...processTables, ...vaultTables].map(({ table }) => table);
  return tables.filter((table) => !backedUp.includes(table) && !isDerived(table));
};
