/** A place as the query side answers with it: the specification's entity. */
import * as t from 'io-ts';
import { fieldsOf, listOf, nameText, nullable, record } from '../../kernel/codec';
import { EntityId } from '../ids';
import { OpeningHours } from '../place/opening-hours';
import {
  type Address,
  AlternativeName,
  Attributes,
  Attribution,
  Category,
  CountryCode,
  Latitude,
  Longitude,
  type Place,
  PlaceName,
  PlaceStatus,
  Popularity,
  placeFields,
  Rating,
  SourceName,
  SourceVersion,
} from '../place/place';

export const { average: RatingAverage, count: RatingCount } = fieldsOf(Rating);

const AddressText = nameText('AddressText', { maxLength: 200 });
export const addressFields = {
  street: nullable(AddressText),
  locality: nullable(AddressText),
  region: nullable(AddressText),
  postal_code: nullable(nameText('PostalCode', { maxLength: 16 })),
  /** ISO 3166-1 alpha-2. */
  country: nullable(CountryCode),
};

export const Entity = record('Entity', {
  entity_id: EntityId,
  name: PlaceName,
  alternative_names: listOf('EntityNames', AlternativeName, 100),
  category: Category,
  lat: Latitude,
  lng: Longitude,
  address: nullable(record('EntityAddress', addressFields)),
  /** Null: not known. */
  hours: nullable(OpeningHours),
  /** The average, 0 to 5. */
  rating: nullable(RatingAverage),
  rating_count: RatingCount,
  popularity: Popularity,
  attributes: Attributes,
  status: PlaceStatus,
  source: SourceName,
  /** The source's. */
  version: SourceVersion,
  occurred_at: placeFields.occurredAt,
  /** No such place exists: it is made up. */
  synthetic: t.boolean,
  /** To be shown with the place. */
  attribution: nullable(Attribution),
});
export type Entity = t.TypeOf<typeof Entity>;

const addressOf = (address: Address | null): Entity['address'] => {
  if (address === null) return null;
  const { postalCode: postal_code, ...rest } = address;
  return { ...rest, postal_code };
};

export const toEntity = (place: Place): Entity => ({
  entity_id: place.entityId,
  name: place.name,
  alternative_names: place.alternativeNames,
  category: place.category,
  lat: place.lat,
  lng: place.lng,
  address: addressOf(place.address),
  hours: place.hours,
  rating: place.rating?.average ?? null,
  rating_count: place.rating?.count ?? 0,
  popularity: place.popularity,
  attributes: place.attributes,
  status: place.status,
  source: place.source,
  version: place.sourceVersion,
  occurred_at: place.occurredAt,
  synthetic: place.synthetic,
  attribution: place.attribution,
});
