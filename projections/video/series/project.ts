import { isForgotten } from '../../../domain/kernel/secret';
import { videoAccess } from '../../../domain/video/access/events';
import { patchRow, projection, putRow, removeRow, streamsOf } from '../../kernel/projection';
import { type SeriesRow, seriesView } from './view';

export const seriesProjection = projection(seriesView, [
  streamsOf(videoAccess, {
    SeriesCreated: ({ data: { title, ...data }, at, event }) =>
      putRow<SeriesRow>({ ...data, title: isForgotten(title) ? null : title, createdAt: event.occurredAt, ...at }),
    SeriesRenamed: ({ data: { seriesId, title }, at: { tenantId, revision } }) =>
      patchRow<SeriesRow>({ tenantId, seriesId }, { title: isForgotten(title) ? null : title, revision }),
    SeriesDeleted: ({ data: { seriesId }, at: { tenantId } }) => removeRow<SeriesRow>({ tenantId, seriesId }),
    ignored: [
      'VideoVisibilityChanged',
      'VideoShared',
      'VideoUnshared',
      'VideoRequirementChanged',
      'EntitlementGranted',
      'EntitlementRevoked',
      'VideoProtectionChanged',
      'GenerationProtectionFixed',
      'ContentKeysDestroyed',
      'SeriesEpisodesChanged',
    ],
  }),
]);
