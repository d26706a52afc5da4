/** Finds the best chunks for a question: by words and by vectors, fused by rank, reranked, and authorized from the best on until there are enough. */

import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { IndexQuery } from '../../../infra/ports/views/index-query';
import type { FileSource } from '../../../infra/server/files/file-access';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { ChunkRow } from '../../../projections/files/chunks/view';
import type { AccessFilter } from './access-filter';
import { type AuthorizedChunk, authorizeChunks, type FoundChunk, type Principal } from './authorize-chunks';
import { keywordQuery, operatorFilter, type QueryVector, semanticQuery } from './chunk-queries';
import type { FusedItem, RankedList } from './ranking/fuse';
import { keyOf, rankLists } from './ranking/rank-lists';
import { hasPhrases, type SearchQuery } from './search-query';

export interface ChunkSearch {
  readonly principal: Principal;
  readonly access: AccessFilter;
  readonly query: SearchQuery;
  readonly isByWords: boolean;
  /** Undefined: not by meaning. */
  readonly vector: QueryVector | undefined;
  readonly topK: number;
}

export interface RankedChunk {
  readonly chunk: AuthorizedChunk;
  /** Comparable within one answer. */
  readonly score: number;
}

export type QueryChunks = (
  query: IndexQuery<ChunkRow, 'embedding'>,
) => Promise<Either<Problem, { readonly hits: readonly { readonly row: FoundChunk }[] }>>;

/** So many of each list are read first. */
export const firstDepth = (topK: number): number => Math.max(100, 3 * topK);

/** Of one list; the next ones where too many of the chunks are not the caller's or not of the version that answers. */
const depthsFor = (topK: number): readonly number[] => {
  const first = firstDepth(topK);
  return [first, 4 * first, 1_000].filter((depth, at, all) => depth <= 1_000 && all.indexOf(depth) === at);
};

interface Lists {
  readonly lists: readonly RankedList<FoundChunk>[];
  /** There may be more. */
  readonly isCut: boolean;
}

const findLists = async (
  search: ChunkSearch,
  queryIndex: QueryChunks,
  depth: number,
): Promise<Either<Problem, Lists>> => {
  const { query, isByWords, vector } = search;
  const access = { filter: operatorFilter(search.access.filter, query) };
  const keyword = isByWords && query.text !== '' ? [{ query: keywordQuery(access, query, depth), weight: 1 }] : [];
  const semantic = vector === undefined ? [] : [{ query: semanticQuery(access, vector, depth), weight: vector.weight }];
  const queries = [...keyword, ...semantic];
  const answers = await Promise.all(queries.map((one) => queryIndex(one.query)));
  const lists: RankedList<FoundChunk>[] = [];
  let isCut = false;
  for (const [at, answer] of answers.entries()) {
    if (isLeft(answer)) return answer;
    const { hits } = answer.right;
    isCut ||= hits.length >= depth;
    // Ranks count only what the caller may see: what is left out leaves no trace in a score.
    const items = hits
      .map(({ row }) => row)
      .filter((row) => search.access.admits(row) && hasPhrases(row.content, query.phrases));
    lists.push({ items, weight: queries[at]?.weight ?? 1 });
  }
  return right({ lists, isCut });
};

const authorizedOf = async (
  source: FileSource,
  { principal, topK }: ChunkSearch,
  ranked: readonly FusedItem<FoundChunk>[],
): Promise<Either<Problem, readonly RankedChunk[]>> => {
  const scores = new Map(ranked.map(({ item, score }) => [keyOf(item), score]));
  const chunks: RankedChunk[] = [];
  for (let from = 0; from < ranked.length && chunks.length < topK; from += topK) {
    const some = ranked.slice(from, from + topK).map(({ item }) => item);
    const passed = await authorizeChunks(source, principal, some);
    if (isLeft(passed)) return left(problemOf(passed.left, {}));
    for (const chunk of passed.right) chunks.push({ chunk, score: scores.get(keyOf(chunk)) ?? 0 });
  }
  return right(chunks.slice(0, topK));
};

export const findChunks = async (
  source: FileSource,
  queryIndex: QueryChunks,
  search: ChunkSearch,
): Promise<Either<Problem, readonly RankedChunk[]>> => {
  let found: readonly RankedChunk[] = [];
  for (const depth of depthsFor(search.topK)) {
    const lists = await findLists(search, queryIndex, depth);
    if (isLeft(lists)) return lists;
    const ranked = rankLists(lists.right.lists, search.query, search.topK);
    const authorized = await authorizedOf(source, search, ranked);
    if (isLeft(authorized)) return authorized;
    found = authorized.right;
    if (found.length >= search.topK || !lists.right.isCut) break;
  }
  return right(found);
};
