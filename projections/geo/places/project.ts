import { places } from '../../../domain/geo/place/events';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import { type PlaceRow, placesView } from './view';

export const placesProjection = projection(placesView, [
  streamsOf(places, {
    PlaceRecorded: ({ data, at }) =>
      putRow<PlaceRow>({ entityId: data.entityId, place: data, owner: data.source, ...at }),
    PlaceRemoved: ({ data: { entityId, source }, at }) =>
      putRow<PlaceRow>({ entityId, place: null, owner: source, ...at }),
    PlaceHandedOver: ({ data: { entityId, toSource }, at: { tenantId, revision } }) =>
      patchRow<PlaceRow>({ tenantId, entityId }, { owner: toSource, revision }),
  }),
]);
