import { artifacts } from '../../../domain/workflow/artifact/events';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import { type ArtifactRow, artifactsView } from './view';

export const artifactsProjection = projection(artifactsView, [
  streamsOf(artifacts, {
    ArtifactCreated: ({ data: { storageKey: _, ...artifact }, at, event }) =>
      putRow<ArtifactRow>({ ...artifact, state: 'created', createdAt: event.occurredAt, ...at }),
    ArtifactCommitted: ({ data: { artifactId }, at: { tenantId, revision } }) =>
      patchRow<ArtifactRow>({ tenantId, artifactId }, { state: 'committed', revision }),
    ArtifactDeleted: ({ data: { artifactId }, at: { tenantId, revision } }) =>
      patchRow<ArtifactRow>({ tenantId, artifactId }, { state: 'deleted', revision }),
  }),
]);
