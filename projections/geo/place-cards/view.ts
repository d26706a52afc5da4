/** What a search shows of each place that it finds. */
import { boolean, type TypeOf } from 'io-ts';
import { EntityId } from '../../../domain/geo/ids';
import { Attribution, Category, PlaceName, PlaceStatus } from '../../../domain/geo/place/place';
import { decimal, integer, nullable, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type KeysView, keys } from '../../kernel/view';

export const PlaceCardRow = record('PlaceCardRow', {
  tenantId: TenantId,
  entityId: EntityId,
  name: PlaceName,
  category: Category,
  status: PlaceStatus,
  rating: nullable(decimal(0, 5)),
  /** A short address; null where none is known. */
  snippet: nullable(text('Snippet', { maxLength: 300 })),
  /** No such place exists: it is made up. */
  synthetic: boolean,
  /** To be shown with the place. */
  attribution: nullable(Attribution),
  revision: integer(0),
});
export type PlaceCardRow = TypeOf<typeof PlaceCardRow>;

export const placeCardsView: KeysView<PlaceCardRow> = keys({
  name: 'geo_place_cards',
  version: 2,
  row: PlaceCardRow,
  key: ['tenantId', 'entityId'],
});
