/** Finds the best chunks for a question: by words and by vectors, fused by rank, reranked, and authorized from the best on until there are enough. */

import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { IndexQuery, VectorSearch } from '../../../infra/ports/views/index-query';
import type { FileSource } from '../../../infra/server/files/file-access';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { ChunkRow } from '../../../projections/files/chunks/view';
import type { AccessFilter } from './access-filter';
import { type AuthorizedChunk, authorizeChunks, type FoundChunk, type Principal } from './authorize-chunks';
import { diversify } from './ranking/diversify';
import { type FusedItem, fuseRanks } from './ranking/fuse';
import { rerank } from './ranking/rerank';
import type { SearchWords } from './words';

export interface QueryVector {
  readonly model: string;
  readonly vector: readonly number[];
}

export interface ChunkSearch {
  readonly principal: Principal;
  readonly access: AccessFilter;
  /** Undefined: not by words. */
  readonly words: SearchWords | undefined;
  /** Undefined: not by meaning. */
  readonly vector: QueryVector | undefined;
  /** For the order, whatever the chunks were found by. */
  readonly ranking: SearchWords;
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

/** Of one list; the next ones where too many of the chunks are not the caller's or not of the version that answers. */
const depthsFor = (topK: number): readonly number[] => {
  const first = Math.max(50, 3 * topK);
  return [first, 4 * first, 1_000].filter((depth, at, all) => depth <= 1_000 && all.indexOf(depth) === at);
};

const fieldBoosts = { headings: 0.3, filenameWords: 0.2 } as const;

const byWords = ({ access: { filter } }: ChunkSearch, { text }: SearchWords): IndexQuery<ChunkRow, 'embedding'> => ({
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
  limit: 0,
});

/** Vectors of another model are never compared with that of the question. */
const byMeaning = (
  { access: { filter } }: ChunkSearch,
  { model, vector }: QueryVector,
): IndexQuery<ChunkRow, 'embedding'> & { readonly nearest: VectorSearch<ChunkRow> } => ({
  filter: { kind: 'all', of: [filter, { kind: 'equals', field: 'embeddingModel', value: model }] },
  nearest: { field: 'embedding', vector, nearest: 0 },
  omit: ['embedding'],
  limit: 0,
});

interface Lists {
  readonly lists: readonly (readonly FoundChunk[])[];
  /** There may be more. */
  readonly isCut: boolean;
}

const findLists = async (
  search: ChunkSearch,
  queryIndex: QueryChunks,
  depth: number,
): Promise<Either<Problem, Lists>> => {
  const { words, vector, access } = search;
  const keyword = words === undefined || words.text === '' ? [] : [{ ...byWords(search, words), limit: depth }];
  const semantic =
    vector === undefined
      ? []
      : [byMeaning(search, vector)].map((query) => ({
          ...query,
          nearest: { ...query.nearest, nearest: depth },
          limit: depth,
        }));
  const answers = await Promise.all([...keyword, ...semantic].map(queryIndex));
  const lists: FoundChunk[][] = [];
  let isCut = false;
  for (const answer of answers) {
    if (isLeft(answer)) return answer;
    const { hits } = answer.right;
    isCut ||= hits.length >= depth;
    // Ranks count only what the caller may see: what is left out leaves no trace in a score.
    lists.push(hits.map(({ row }) => row).filter(access.admits));
  }
  return right({ lists, isCut });
};

const keyOf = ({ chunkId, pipelineVersion }: FoundChunk): string => `${chunkId} ${pipelineVersion}`;

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
    const ranked = diversify(rerank(search.ranking, fuseRanks(lists.right.lists, keyOf)));
    const authorized = await authorizedOf(source, search, ranked);
    if (isLeft(authorized)) return authorized;
    found = authorized.right;
    if (found.length >= search.topK || !lists.right.isCut) break;
  }
  return right(found);
};
