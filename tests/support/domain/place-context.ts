/** An index that has every kind of field which queries use: places with names, points, numbers, dates and vectors. */
import * as t from 'io-ts';
import { finite, Instant, integer, nullable, record, text } from '../../../domain/kernel/codec';
import type { IndexSettings } from '../../../infra/ports/views/index-definition';
import type { Change, IndexView } from '../../../infra/ports/views/view-store';
import { index } from '../../../projections/kernel/view';

const Point = record('Point', { lat: finite, lon: finite });

const PlaceRow = record('PlaceRow', {
  tenantId: text('TenantId', { maxLength: 63 }),
  placeId: text('PlaceId', { maxLength: 64 }),
  name: t.string,
  notes: t.string,
  category: t.string,
  tags: t.array(t.string),
  popularity: finite,
  rating: nullable(finite),
  visits: integer(0),
  open: t.boolean,
  openedAt: Instant,
  location: Point,
  vector: t.array(finite),
  revision: integer(0),
});
export type PlaceRow = t.TypeOf<typeof PlaceRow>;

const analysis = {
  filter: { begins: { type: 'edge_ngram', min_gram: 1, max_gram: 12 } },
  analyzer: {
    folded: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'asciifolding'] },
    begins: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'asciifolding', 'begins'] },
    stemmed: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'asciifolding', 'porter_stem'] },
  },
  normalizer: { plain: { type: 'custom', filter: ['lowercase', 'asciifolding'] } },
} as const satisfies IndexSettings['analysis'];

export const placesView = (name: string, shards = 1): IndexView<PlaceRow> =>
  index({
    name,
    version: 1,
    row: PlaceRow,
    key: ['tenantId', 'placeId'],
    settings: { shards, analysis },
    mappings: {
      name: {
        type: 'text',
        analyzer: 'folded',
        fields: {
          begins: { type: 'text', analyzer: 'begins', search_analyzer: 'folded' },
          exact: { type: 'keyword', normalizer: 'plain' },
        },
      },
      notes: { type: 'text', analyzer: 'stemmed' },
      location: { type: 'geo_point' },
      vector: { type: 'dense_vector', dims: 3, similarity: 'cosine' },
    },
  });

export const place = (placeId: string, fields: Partial<PlaceRow> = {}): PlaceRow => ({
  tenantId: 'acme',
  placeId,
  name: `Place ${placeId}`,
  notes: '',
  category: 'cafe',
  tags: [],
  popularity: 1,
  rating: null,
  visits: 0,
  open: true,
  openedAt: '2026-01-31T12:00:00.000Z' as Instant,
  location: { lat: 0, lon: 0 },
  vector: [1, 0, 0],
  revision: 0,
  ...fields,
});

export const putPlace = (row: PlaceRow): Change => ({ kind: 'put', row });
