/** GET /actions/runs/:runId/artifacts: what the jobs of a run stored, by name. Fields are named as in the specification. */
import { isLeft } from 'fp-ts/Either';
import { record, text } from '../../domain/kernel/codec';
import { route } from '../../infra/server/http/routing/route';
import { ArtifactRow, artifactsView } from '../../projections/workflow/artifacts/view';
import { runsView } from '../../projections/workflow/runs/view';
import { pageAnswers, pageQuery } from '../kernel/pagination';
import { minPosition } from '../kernel/query-routes';
import { answerFields } from '../kernel/row-answer';
import { type QueryDeps, queryPage } from '../kernel/row-queries';
import { listProblems, noRun, RunPath } from './jobs';
import { requireParent } from './parent';

const { artifactId, runId, jobId, attempt, name, sizeBytes, checksum, createdAt, expiresAt } =
  answerFields(ArtifactRow);

const Artifact = record('WorkflowArtifact', {
  id: artifactId,
  run_id: runId,
  job_id: jobId,
  attempt,
  name,
  /** Below the address of this API; answers with a redirect to a signed address. */
  storage_uri: text('ArtifactPath', { maxLength: 300, examples: ['/actions/artifacts/…/download'] }),
  size_bytes: sizeBytes,
  checksum,
  created_at: createdAt,
  expires_at: expiresAt,
});

const show = (row: ArtifactRow) => ({
  id: row.artifactId,
  run_id: row.runId,
  job_id: row.jobId,
  attempt: row.attempt,
  name: row.name,
  storage_uri: `/actions/artifacts/${row.artifactId}/download`,
  size_bytes: row.sizeBytes,
  checksum: row.checksum,
  created_at: row.createdAt,
  expires_at: row.expiresAt,
});

export const listArtifacts = route<QueryDeps>()({
  method: 'get',
  path: '/actions/runs/:runId/artifacts',
  operation: 'listWorkflowArtifacts',
  summary: 'List the artifacts of a run by name',
  description: 'Only those whose upload is complete.',
  access: { scopes: ['workflows:read'] },
  params: RunPath,
  query: pageQuery('ListWorkflowArtifactsQuery', {}),
  headers: [minPosition],
  answers: pageAnswers('ListWorkflowArtifactsPage', Artifact),
  problems: listProblems,
  handle: async (reading, { params, query: { limit, cursor }, ...rest }) => {
    const run = await requireParent(reading, { view: runsView, key: { runId: params.runId }, missing: noRun }, rest);
    if (isLeft(run)) return run.left;
    const request = {
      where: { runId: params.runId, state: 'committed' },
      order: [
        { field: 'name', direction: 'asc' },
        { field: 'artifactId', direction: 'asc' },
      ],
    } as const;
    return queryPage(
      reading,
      { operation: 'listWorkflowArtifacts', view: artifactsView, request, limit, cursor, show },
      rest,
    );
  },
});
