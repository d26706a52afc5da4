/** Artifacts of runs in Postgres. */
import type { Pool } from 'pg';
import type { ArtifactIndex } from '../../ports/workflow/artifact-index';
import { attempted, rowsOf } from '../pool';
import { artifactsTable } from './log-schema';

type ArtifactId = Parameters<ArtifactIndex['add']>[1];

const addStatement = {
  name: 'add-workflow-artifact',
  text: `insert into ${artifactsTable} (tenant, run_id, artifact_id) values ($1, $2, $3) on conflict do nothing`,
};
const listStatement = {
  name: 'list-workflow-artifacts',
  text: `select artifact_id as "artifactId" from ${artifactsTable} where tenant = $1 and run_id = $2
    order by added, artifact_id limit 1000`,
};

export const createPostgresArtifactIndex = (pool: Pool): ArtifactIndex => ({
  add: ({ tenantId, runId }, artifactId) =>
    attempted(
      'artifact-index-unavailable',
      async () => void (await rowsOf(pool, addStatement, [tenantId, runId, artifactId])),
    ),
  of: ({ tenantId, runId }) =>
    attempted('artifact-index-unavailable', async () => {
      const rows = await rowsOf<{ artifactId: ArtifactId }>(pool, listStatement, [tenantId, runId]);
      return rows.map(({ artifactId }) => artifactId);
    }),
});
