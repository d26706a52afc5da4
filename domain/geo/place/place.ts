/** A place, whole: each change of a source brings all of it. Every field is bounded. */
import * as t from 'io-ts';
import { decimal, Instant, integer, listOf, mapOf, nameText, nullable, oneOf, record, text } from '../../kernel/codec';
import { storedForm } from '../../kernel/readable-text';
import { EntityId } from '../ids';
import { OpeningHours } from './opening-hours';

/** Degrees, WGS 84. */
export const Latitude = decimal(-90, 90);
export const Longitude = decimal(-180, 180);

export const PlaceName = nameText('PlaceName', { maxLength: 200, examples: ['Café de Flore'] });

/** BCP 47; `und` where it is not known. */
export const LanguageTag = text('LanguageTag', {
  maxLength: 35,
  pattern: '[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*',
  examples: ['fr'],
});

export const AlternativeName = record('AlternativeName', { name: PlaceName, language: LanguageTag });

export const Category = text('Category', {
  maxLength: 64,
  pattern: '[a-z0-9]+(?:[_.-][a-z0-9]+)*',
  examples: ['cafe'],
});

export const CountryCode = text('CountryCode', { maxLength: 2, pattern: '[A-Z]{2}', examples: ['FR'] });

const AddressPart = nameText('AddressPart', { maxLength: 200 });
export const Address = record('Address', {
  street: nullable(AddressPart),
  locality: nullable(AddressPart),
  region: nullable(AddressPart),
  postalCode: nullable(nameText('PostalCode', { maxLength: 16 })),
  /** ISO 3166-1 alpha-2. */
  country: nullable(CountryCode),
});
export type Address = t.TypeOf<typeof Address>;

export const Rating = record('Rating', {
  /** 0 to 5. */
  average: decimal(0, 5),
  count: integer(0, 1_000_000_000),
});
export type Rating = t.TypeOf<typeof Rating>;

/** What many people know: inhabitants, visitors, reviews. 0 where nothing is known. Search takes its logarithm. */
export const Popularity = decimal(0, 10_000_000_000);

const AttributeName = text('AttributeName', {
  maxLength: 64,
  pattern: '[a-z][a-z0-9_]*',
  examples: ['wheelchair'],
});
const AttributeValue = t.union(
  [text('AttributeText', { content: 'lines', maxLength: 500 }), decimal(-1e15, 1e15), t.boolean],
  'AttributeValue',
);
export const Attributes = mapOf('Attributes', { key: AttributeName, value: AttributeValue, most: 50 });
export type Attributes = t.TypeOf<typeof Attributes>;

/** Removed places have no status: their record is gone. */
export const PlaceStatus = oneOf('PlaceStatus', ['active', 'temporarily_closed', 'permanently_closed']);
export type PlaceStatus = t.TypeOf<typeof PlaceStatus>;

export const SourceName = text('SourceName', {
  maxLength: 64,
  pattern: '[a-z0-9]+(?:[_.-][a-z0-9]+)*',
  examples: ['geonames'],
});

/** Rises with each change of a place at its source, whichever the unit: a counter, a log position, milliseconds. */
export const SourceVersion = integer(0);

/** The name and licence to display with the place. */
export const Attribution = nameText('Attribution', { maxLength: 300, examples: ['GeoNames, CC BY 4.0'] });

const fields = {
  entityId: EntityId,
  name: PlaceName,
  alternativeNames: listOf('AlternativeNames', AlternativeName, 100),
  category: Category,
  lat: Latitude,
  lng: Longitude,
  address: nullable(Address),
  /** Null: not known, which is not the same as closed. */
  hours: nullable(OpeningHours),
  rating: nullable(Rating),
  popularity: Popularity,
  attributes: Attributes,
  status: PlaceStatus,
  source: SourceName,
  sourceVersion: SourceVersion,
  /** At the source, if it sends the time. */
  occurredAt: nullable(Instant),
  /** Made up, for tests and demonstrations: no such place exists. */
  synthetic: t.boolean,
  attribution: nullable(Attribution),
};

/** Fields of the events and views that hold whole places. */
export const placeFields = fields;
export const Place = record('Place', fields);
export type Place = t.TypeOf<typeof Place>;

/** JSON with the keys of every object in order, and texts as input is normalised: versions of before may have other blanks. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, field: unknown) => {
    if (typeof field === 'string') return storedForm(field, 'name');
    return typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : field;
  });

export const isSamePlace = (one: Place, other: Place): boolean => canonicalJson(one) === canonicalJson(other);
