/** Names of the tables of what runners send: one row per attempt, per chunk of its log, per step, and per artifact. */
import { schema } from '../sql';

export const logsTable = `${schema}.workflow_logs`;
export const chunksTable = `${schema}.workflow_log_chunks`;
export const stepsTable = `${schema}.workflow_log_steps`;
export const artifactsTable = `${schema}.workflow_run_artifacts`;
/** Bytes of all artifacts in that table, by tenant. */
export const artifactUsageTable = `${schema}.workflow_artifact_usage`;
/** Keys of logs that have grown, separated by spaces. */
export const logsChannel = 'septet_workflow_logs';
