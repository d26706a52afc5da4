/** Every place, whole. A removed one keeps its row, so that its readers learn that it is gone. */
import type { TypeOf } from 'io-ts';
import { EntityId } from '../../../domain/geo/ids';
import { Place, SourceName } from '../../../domain/geo/place/place';
import { integer, nullable, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export const PlaceRow = record('PlaceRow', {
  tenantId: TenantId,
  entityId: EntityId,
  /** Null: removed. */
  place: nullable(Place),
  /** The source whose changes count. */
  owner: SourceName,
  revision: integer(0),
});
export type PlaceRow = TypeOf<typeof PlaceRow>;

export const placesView: TableView<PlaceRow> = table({
  name: 'geo_places',
  version: 2,
  row: PlaceRow,
  key: ['tenantId', 'entityId'],
});
