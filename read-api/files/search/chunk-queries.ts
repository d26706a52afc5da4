/** The queries of the index that find chunks: by words, and by a vector. Both have the filter of access inside. */
import type { Filter, IndexQuery } from '../../../infra/ports/views/index-query';
import type { ChunkRow } from '../../../projections/files/chunks/view';
import type { AccessFilter } from './access-filter';
import type { SearchQuery } from './search-query';
import type { SearchWords } from './words';

export interface QueryVector {
  readonly model: string;
  readonly vector: readonly number[];
  /** In the order of results, beside words, which have 1. */
  readonly weight: number;
}

type ChunkQuery = IndexQuery<ChunkRow, 'embedding'>;

/** Of words in a row, by their stems. */
const inContent = (text: string): Filter<ChunkRow> => ({
  kind: 'text',
  match: { text, fields: [{ field: 'content' }], mode: 'phrase' },
});

/** With the phrases of the query, and without what it excludes. */
export const operatorFilter = (
  filter: Filter<ChunkRow>,
  { phrases, excluded }: Pick<SearchQuery, 'phrases' | 'excluded'>,
): Filter<ChunkRow> => {
  if (phrases.length + excluded.length === 0) return filter;
  const none: readonly Filter<ChunkRow>[] =
    excluded.length === 0 ? [] : [{ kind: 'none', of: excluded.map(inContent) }];
  return { kind: 'all', of: [filter, ...phrases.map(inContent), ...none] };
};

const fieldBoosts = { headings: 0.3, filenameWords: 0.2 } as const;

export const keywordQuery = (
  { filter }: Pick<AccessFilter, 'filter'>,
  { text }: Pick<SearchWords, 'text'>,
  limit: number,
): ChunkQuery => ({
  filter,
  score: {
    kind: 'sum',
    of: [
      { kind: 'text', match: { text, fields: [{ field: 'content' }] } },
      { kind: 'text', match: { text, fields: [{ field: 'headings' }] }, boost: fieldBoosts.headings },
      { kind: 'text', match: { text, fields: [{ field: 'filenameWords' }] }, boost: fieldBoosts.filenameWords },
    ],
  },
  omit: ['embedding'],
  limit,
});

/** Vectors of another model are never compared with that of the question. */
export const semanticQuery = (
  { filter }: Pick<AccessFilter, 'filter'>,
  { model, vector }: Pick<QueryVector, 'model' | 'vector'>,
  limit: number,
): ChunkQuery => ({
  filter: { kind: 'all', of: [filter, { kind: 'equals', field: 'embeddingModel', value: model }] },
  nearest: { field: 'embedding', vector, nearest: limit },
  omit: ['embedding'],
  limit,
});
