import { places } from '../../../domain/geo/place/events';
import { projection, putRow, streamsOf } from '../../kernel/projection';
import { type PlaceRow, placesView } from './view';

export const placesProjection = projection(placesView, [
  streamsOf(places, 'place', {
    PlaceRecorded: ({ data, at }) => putRow<PlaceRow>({ entityId: data.entityId, place: data, ...at }),
    PlaceRemoved: ({ data: { entityId }, at }) => putRow<PlaceRow>({ entityId, place: null, ...at }),
  }),
]);
