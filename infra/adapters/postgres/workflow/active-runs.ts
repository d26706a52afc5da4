/** Runs that have not ended, as rows. */
import type { Pool } from 'pg';
import type { ActiveRun, ActiveRuns } from '../../../ports/workflow/active-runs';
import { attempted, rowsOf } from '../pool';
import { activeRunsTable } from './job-claims-schema';

const list = {
  name: 'list-active-runs',
  text: `select run_id as "runId", tenant as "tenantId" from ${activeRunsTable} order by begun, run_id`,
};
const add = {
  name: 'add-active-run',
  text: `insert into ${activeRunsTable} (run_id, tenant) values ($1, $2) on conflict do nothing`,
};
const remove = { name: 'remove-active-run', text: `delete from ${activeRunsTable} where run_id = $1` };

export const createPostgresActiveRuns = (pool: Pool): ActiveRuns => {
  const attempt = <A>(work: () => Promise<A>) => attempted('active-runs-unavailable', work);
  return {
    list: () => attempt(() => rowsOf<ActiveRun>(pool, list, [])),
    add: ({ runId, tenantId }) => attempt(async () => void (await rowsOf(pool, add, [runId, tenantId]))),
    remove: (runId) => attempt(async () => void (await rowsOf(pool, remove, [runId]))),
  };
};
