/** GET /v1/entities/:entity_id: one place, whole. */
import { EntityId } from '../../domain/geo/ids';
import { SourceName } from '../../domain/geo/place/place';
import { Entity, toEntity } from '../../domain/geo/protocol/entity';
import { fieldsOf, record } from '../../domain/kernel/codec';
import { type PlaceRow, placesView } from '../../projections/geo/places/view';
import { oneRoute } from '../kernel/query-routes';

const AnsweredEntity = record('Entity', {
  ...fieldsOf(Entity),
  /** The source whose changes count: `source`, until the place is handed over. */
  owner: SourceName,
});

export const getEntity = oneRoute({
  path: '/v1/entities/:entity_id',
  operation: 'getEntity',
  summary: 'Get a place',
  description: '404 if no source ever named the place, 410 after its source removed it.',
  scopes: ['places:read'],
  params: record('EntityPath', { entity_id: EntityId }),
  item: AnsweredEntity,
  gone: ({ place }: PlaceRow) => (place === null ? 'Its source removed this place.' : undefined),
  query: ({ entity_id: entityId }) => ({
    view: placesView,
    key: { entityId },
    missing: 'There is no such place.',
    show: ({ place, owner }) => (place === null ? null : { ...toEntity(place), owner }),
  }),
});
