/** The route by which people and programs delete an artifact. */
import { isLeft, right } from 'fp-ts/Either';
import { type Instant, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { artifact } from '../../../domain/workflow/artifact/decider';
import { artifactStream } from '../../../domain/workflow/artifact/events';
import { ArtifactId } from '../../../domain/workflow/ids';
import { type BoundRoute, bind } from '../../../infra/server/http/routing/route';
import { artifactProblems } from '../../../infra/server/workflow/problems';
import { commandRoute } from '../../kernel/command-route';
import type { WorkflowAdapters } from '../adapters';
import { loadArtifact } from './artifact-command';

const deleteArtifact = commandRoute<WorkflowAdapters>()({
  method: 'delete',
  path: '/actions/artifacts/:artifactId',
  operation: 'deleteArtifact',
  summary: 'Delete an artifact',
  description:
    'It is no longer listed or served, and its bytes are removed within a minute. Its name stays taken in that attempt. If its upload is not complete, the answer is 409.',
  scopes: ['workflows:write'],
  sensitive: true,
  params: record('DownloadPath', { artifactId: ArtifactId }),
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
export const deleteRoute = (adapters: WorkflowAdapters): BoundRoute => {
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
