/** Places as they are searched: thin, and folded by the functions that fold queries. Removed places have no row. */
import * as t from 'io-ts';
import { EntityId } from '../../../domain/geo/ids';
import { Category, Latitude, Longitude, PlaceName, PlaceStatus, SourceName } from '../../../domain/geo/place/place';
import { decimal, integer, nullable, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type IndexView, index } from '../../kernel/view';

const Folded = text('FoldedText', { minLength: 0, maxLength: 2_000 });
const Share = decimal(0, 1);
const MinuteRange = record('MinuteRange', { gte: integer(), lt: integer() });
const MinuteRanges = t.array(MinuteRange, 'MinuteRanges');

export const PlaceIndexRow = record('PlaceIndexRow', {
  tenantId: TenantId,
  entityId: EntityId,
  /** Shown where the card is missing. */
  name: PlaceName,
  category: Category,
  location: record('Location', { lat: Latitude, lon: Longitude }),
  /** Geohash cells around the place, from wide to narrow. They group and cache; no search depends on them. */
  cells: t.array(t.string, 'Cells'),
  /** Folded; empty for a name of signs alone. */
  mainName: Folded,
  /** Folded: the name, and other names. */
  names: t.array(Folded, 'FoldedNames'),
  /** Folded: names, category and address, for queries whose words are of several of them. */
  words: t.array(Folded, 'FoldedWords'),
  /** The same for places that other sources record nearby under the same name and category. */
  twinKey: t.string,
  source: SourceName,
  status: PlaceStatus,
  /** Shown where the card is missing. */
  synthetic: t.boolean,
  popularityShare: Share,
  ratingShare: Share,
  rating: nullable(decimal(0, 5)),
  /** Null: the hours are not known. */
  timeZone: nullable(t.string),
  openOnDay: MinuteRanges,
  openFromEvening: MinuteRanges,
  exceptionDates: t.array(t.string, 'ExceptionDates'),
  openByException: MinuteRanges,
  revision: integer(0),
});
export type PlaceIndexRow = t.TypeOf<typeof PlaceIndexRow>;

const ranges = { type: 'integer_range' } as const;
const folded = { type: 'text', analyzer: 'folded', norms: false } as const;

export const placeIndexView: IndexView<PlaceIndexRow> = index({
  name: 'geo_place_index',
  version: 2,
  row: PlaceIndexRow,
  key: ['tenantId', 'entityId'],
  // Index and query are folded before they come here, so that every server has the same words.
  settings: { analysis: { analyzer: { folded: { type: 'custom', tokenizer: 'whitespace', filter: [] } } } },
  mappings: {
    name: { type: 'keyword', index: false },
    location: { type: 'geo_point' },
    names: { type: 'keyword' },
    words: folded,
    openOnDay: ranges,
    openFromEvening: ranges,
    openByException: ranges,
  },
});
