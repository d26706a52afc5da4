/** A change of a place as sources send it: the envelope of feeds, and the lines of files. */
import * as t from 'io-ts';
import { Instant, listOf, nullable, oneOf, record } from '../../kernel/codec';
import { EntityId } from '../ids';
import type { PlaceChangeCommand } from '../place/decider';
import { ExceptionalDay, TimeZone, WeeklyInterval } from '../place/opening-hours';
import {
  Attributes,
  Attribution,
  Category,
  LanguageTag,
  Latitude,
  Longitude,
  type Place,
  PlaceName,
  PlaceStatus,
  Popularity,
  SourceName,
  SourceVersion,
} from '../place/place';
import { addressFields, RatingAverage, RatingCount } from './entity';

/** All of a place; what is left out is null, empty or 0. There are no partial updates: they could not arrive in any order. */
const PlaceData = record(
  'PlaceData',
  { name: PlaceName, category: Category, lat: Latitude, lng: Longitude },
  {
    alternative_names: nullable(
      listOf('PlaceDataNames', record('PlaceDataName', { name: PlaceName }, { language: LanguageTag }), 100),
    ),
    address: nullable(record('PlaceDataAddress', {}, addressFields)),
    hours: nullable(
      record(
        'PlaceDataHours',
        { tz: TimeZone },
        {
          weekly: listOf('PlaceDataWeekly', WeeklyInterval, 56),
          exceptions: listOf('PlaceDataExceptions', ExceptionalDay, 128),
        },
      ),
    ),
    rating: nullable(RatingAverage),
    /** 1 where there is a rating without it. */
    rating_count: nullable(RatingCount),
    popularity: nullable(Popularity),
    attributes: nullable(Attributes),
    status: nullable(PlaceStatus),
    synthetic: nullable(t.boolean),
    attribution: nullable(Attribution),
  },
);
type PlaceData = t.TypeOf<typeof PlaceData>;

const envelope = { entity_id: EntityId, version: SourceVersion, source: SourceName };
const occurredAt = { occurred_at: nullable(Instant) };

/** `create` and `update` are the same: an update may arrive before the creation. */
const RecordChange = record(
  'PlaceRecordChange',
  { ...envelope, op: oneOf('RecordOperation', ['create', 'update']), data: PlaceData },
  occurredAt,
);
/** Change data capture sends the last content with a delete, or null; it is not read. */
const DeleteChange = record(
  'PlaceDeleteChange',
  { ...envelope, op: oneOf('DeleteOperation', ['delete']) },
  { ...occurredAt, data: t.unknown },
);

const isDelete = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'op' in value && value.op === 'delete';

const Either = t.union([RecordChange, DeleteChange], 'PlaceChange');
export type PlaceChange = t.TypeOf<typeof Either>;
/** A union whose faults are those of the member that `op` names. */
export const PlaceChange = new t.UnionType<[typeof RecordChange, typeof DeleteChange], PlaceChange, unknown, unknown>(
  'PlaceChange',
  Either.is,
  (value, context) => (isDelete(value) ? DeleteChange : RecordChange).validate(value, context),
  Either.encode,
  [RecordChange, DeleteChange],
);

const addressOf = ({ address }: PlaceData): Place['address'] =>
  address === undefined || address === null
    ? null
    : {
        street: address.street ?? null,
        locality: address.locality ?? null,
        region: address.region ?? null,
        postalCode: address.postal_code ?? null,
        country: address.country ?? null,
      };

const hoursOf = ({ hours }: PlaceData): Place['hours'] =>
  hours === undefined || hours === null
    ? null
    : { tz: hours.tz, weekly: hours.weekly ?? [], exceptions: hours.exceptions ?? [] };

const ratingOf = ({ rating, rating_count: count }: PlaceData): Place['rating'] =>
  rating === undefined || rating === null ? null : { average: rating, count: count ?? 1 };

export const commandOf = (change: PlaceChange): PlaceChangeCommand => {
  const { entity_id: entityId, source, version: sourceVersion, occurred_at: occurredAt = null } = change;
  const about = { entityId, source, sourceVersion, occurredAt };
  if (change.op === 'delete') return { type: 'RemovePlace', ...about };
  const { data } = change;
  const place: Place = {
    ...about,
    name: data.name,
    alternativeNames: (data.alternative_names ?? []).map(({ name, language = 'und' }) => ({ name, language })),
    category: data.category,
    lat: data.lat,
    lng: data.lng,
    address: addressOf(data),
    hours: hoursOf(data),
    rating: ratingOf(data),
    popularity: data.popularity ?? 0,
    attributes: data.attributes ?? {},
    status: data.status ?? 'active',
    synthetic: data.synthetic ?? false,
    attribution: data.attribution ?? null,
  };
  return { type: 'RecordPlace', place };
};
