/** Routes of people and programs: download an artifact, and delete one. */
import { isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Instant, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { artifact } from '../../../domain/workflow/artifact/decider';
import { artifactStream } from '../../../domain/workflow/artifact/events';
import { ArtifactId } from '../../../domain/workflow/ids';
import { problem, problemOf } from '../../../infra/server/http/problem';
import { type BoundRoute, bind, route } from '../../../infra/server/http/routing/route';
import { commandRoute } from '../../kernel/command-route';
import type { WorkflowAdapters } from '../adapters';
import { artifactProblem, loadArtifact } from './artifact-command';
import { downloadSeconds, isAvailable } from './job-routes';
import { artifactProblems } from './problems';

const ArtifactPath = record('DownloadPath', { artifactId: ArtifactId });

const downloadArtifact = route<WorkflowAdapters>()({
  method: 'get',
  path: '/actions/artifacts/:artifactId/download',
  operation: 'downloadArtifact',
  summary: 'Download an artifact',
  description:
    'Leads to a signed address that serves the bytes (`.tar.gz`) for five minutes. With `Accept: application/json`, the address is the answer.',
  access: { scopes: ['workflows:read'] },
  params: ArtifactPath,
  answers: {
    200: { description: 'Where the bytes are.', body: record('ArtifactAddress', { url: t.string }) },
    302: { description: 'To the bytes.', headers: ['Location'] },
  },
  problems: artifactProblems,
  handle: async (adapters, { params: { artifactId }, identity: { tenantId }, headers }) => {
    if (!TenantId.is(tenantId)) return problem('forbidden', 'The token is of no known tenant.');
    const state = await loadArtifact(adapters, tenantId, artifactId);
    if (isLeft(state)) return state.left;
    if (state.right.kind === 'none' || state.right.kind === 'created')
      return artifactProblem('artifact-unknown', 'There is no such artifact, or it is not committed.');
    if (state.right.kind === 'deleted') return artifactProblem('artifact-deleted', 'The artifact was deleted.');
    const { storageKey, name } = state.right.definition;
    if (!isAvailable(state.right, adapters.clock.now()))
      return artifactProblem('artifact-expired', 'The artifact has expired.');
    const contentDisposition = `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.tar.gz`)}`;
    const signed = await adapters.blobs.signGet({ key: storageKey, seconds: downloadSeconds, contentDisposition });
    if (isLeft(signed)) return problemOf(signed.left, artifactProblems);
    const { url } = signed.right;
    const wantsJson = /\bapplication\/json\b/.test(headers.accept ?? '');
    return wantsJson ? { status: 200, body: { url } } : { status: 302, headers: { Location: url } };
  },
});

const deleteArtifact = commandRoute<WorkflowAdapters>()({
  method: 'delete',
  path: '/actions/artifacts/:artifactId',
  operation: 'deleteArtifact',
  summary: 'Delete an artifact',
  description:
    'It is no longer listed or served, and its bytes are removed within a minute. Its name stays taken in that attempt. One whose upload is not complete is 409.',
  scopes: ['workflows:write'],
  sensitive: true,
  params: ArtifactPath,
  answer: record('DeletedArtifact', { artifactId: ArtifactId }),
  decider: artifact,
  problems: artifactProblems,
  prepare: ({ params: { artifactId }, tenantId }) =>
    right({
      stream: artifactStream(tenantId, artifactId),
      command: { type: 'DeleteArtifact' as const, artifactId },
      answer: { artifactId },
    }),
});

/** The service looks at the artifact soon, also if this process dies in between. */
const deleteThenRemove = (adapters: WorkflowAdapters): BoundRoute => {
  const bound = bind(adapters, deleteArtifact);
  return {
    ...bound,
    handle: async (request) => {
      const { artifactId } = request.params as { readonly artifactId: ArtifactId };
      const { tenantId } = request.identity;
      const state = TenantId.is(tenantId) ? await loadArtifact(adapters, tenantId, artifactId) : undefined;
      const known = state !== undefined && !isLeft(state) && state.right.kind !== 'none' ? state.right : undefined;
      const lookAt = async (milliseconds: number): Promise<void> => {
        if (known === undefined || !TenantId.is(tenantId) || known.kind === 'created') return;
        const due = new Date(Date.parse(adapters.clock.now()) + milliseconds).toISOString() as Instant;
        await adapters.artifacts.setDue({ tenantId, runId: known.definition.runId, artifactId }, due);
      };
      await lookAt(60_000);
      const answer = await bound.handle(request);
      await lookAt(0);
      return answer;
    },
  };
};

export const artifactViewerRoutes = (adapters: WorkflowAdapters): readonly BoundRoute[] => [
  bind(adapters, downloadArtifact),
  deleteThenRemove(adapters),
];
