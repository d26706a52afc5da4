/** A twin of the index: filters, matches of words and distances of vectors as far as searches of files use them. */
import { isLeft, right } from 'fp-ts/Either';
import type { Filter, IndexQueries, IndexQuery, Scoring, TextMatch } from '../../../infra/ports/views/index-query';
import type { IndexView, ViewReader, ViewRow } from '../../../infra/ports/views/view-store';
import { wordsIn } from '../../../read-api/files/search/words';

type Fields = { readonly [field: string]: unknown };

const stemsOf = (value: unknown): readonly string[] => wordsIn([value].flat().join(' ')).map(({ stem }) => stem);

const hasInARow = (row: Fields, { text, fields }: TextMatch): boolean => {
  const wanted = ` ${stemsOf(text).join(' ')} `;
  return fields.some(({ field }) => ` ${stemsOf(row[field]).join(' ')} `.includes(wanted));
};

const passes = (row: Fields, filter: Filter): boolean => {
  if (filter.kind === 'all') return filter.of.every((one) => passes(row, one));
  if (filter.kind === 'any') return filter.of.some((one) => passes(row, one));
  if (filter.kind === 'none') return !filter.of.some((one) => passes(row, one));
  if (filter.kind === 'text' && filter.match.mode === 'phrase') return hasInARow(row, filter.match);
  if (filter.kind !== 'equals') throw new Error(`the twin has no filter ${filter.kind}`);
  const wanted = [filter.value].flat();
  return [row[filter.field]].flat().some((value) => wanted.includes(value as never));
};

/** How often the words are in the field; short fields count more. */
const scoreOf = (row: Fields, scoring: Scoring): number => {
  if (scoring.kind === 'sum') return scoring.of.reduce((sum, one) => sum + scoreOf(row, one), 0);
  if (scoring.kind !== 'text') throw new Error(`the twin has no score ${scoring.kind}`);
  const wanted = new Set(wordsIn(scoring.match.text).map(({ stem }) => stem));
  const score = scoring.match.fields.reduce((sum, { field }) => {
    const words = wordsIn([row[field]].flat().join(' '));
    return sum + words.filter(({ stem }) => wanted.has(stem)).length / Math.sqrt(words.length + 1);
  }, 0);
  return score * (scoring.boost ?? 1);
};

const similarity = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

const ranked = (rows: readonly Fields[], { score, nearest }: IndexQuery) => {
  const scored = rows.flatMap((row) => {
    if (nearest !== undefined) {
      const vector = row[nearest.field] as readonly number[] | null;
      return vector === null ? [] : [{ row, score: similarity(vector, nearest.vector) }];
    }
    const value = score === undefined ? 1 : scoreOf(row, score);
    return value === 0 ? [] : [{ row, score: value }];
  });
  return scored.sort((one, other) => other.score - one.score).slice(0, nearest?.nearest);
};

export const openMemoryIndexes = (views: Pick<ViewReader, 'page'>): Pick<IndexQueries, 'search'> => ({
  search: async <Row extends ViewRow, Omitted extends keyof Row & string = never>(
    view: IndexView<Row>,
    tenantId: string,
    query: IndexQuery<Row, Omitted>,
  ) => {
    const order = view.key.map((field) => ({ field, direction: 'asc' as const }));
    const rows = await views.page(view, tenantId, { where: {}, order, limit: 10_000 });
    if (isLeft(rows)) return rows;
    const { filter, omit = [], limit } = query as unknown as IndexQuery;
    const found = (rows.right as unknown as readonly Fields[]).filter(
      (row) => filter === undefined || passes(row, filter),
    );
    const hits = ranked(found, query as unknown as IndexQuery)
      .slice(0, limit)
      .map(({ row, score }) => ({
        row: Object.fromEntries(
          Object.entries(row).filter(([field]) => !(omit as readonly string[]).includes(field)),
        ) as Omit<Row, Omitted>,
        score,
        sort: [score],
        highlights: {},
      }));
    const whole = { timedOut: false, shards: { total: 1, failed: [] }, isPartial: false };
    return right({ hits, total: undefined, aggregations: {}, ...whole });
  },
});
