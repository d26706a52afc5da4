/** Names of the tables of jobs that wait for a runner or have one, of organizations' limits and usage, and of runners that were seen. */
import { schema } from '../sql';

export const claimsTable = `${schema}.workflow_claims`;
export const organizationsTable = `${schema}.workflow_organization_limits`;
export const usageTable = `${schema}.workflow_usage`;
export const runnersTable = `${schema}.workflow_seen_runners`;
export const activeRunsTable = `${schema}.workflow_active_runs`;
export const groupsTable = `${schema}.workflow_concurrency`;
export const epochs = `${schema}.workflow_epochs`;
/** A job became claimable, or a slot free. */
export const claimsChannel = 'septet_workflow_claims';
