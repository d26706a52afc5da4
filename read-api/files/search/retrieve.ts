/** Searches for a question: access, words and vector first, then the chunks that the caller may see, the best first. */
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import type { Embedder } from '../../../infra/ports/files/embedder';
import { readFileAccess } from '../../../infra/server/files/file-access';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { RouteRequest } from '../../../infra/server/http/routing/route';
import { chunksView, vectorLength } from '../../../projections/files/chunks/view';
import { type IndexReading, indexPosition, searchIndex } from '../../kernel/index-queries';
import { type FileReading, tenantOf } from '../file-reading';
import { accessFilter, type SearchScope } from './access-filter';
import type { AuditRetrieval } from './audit';
import type { QueryVector } from './chunk-queries';
import { findChunks, type QueryChunks, type RankedChunk } from './find-chunks';
import type { SearchQuery } from './search-query';

export interface RetrievalReading extends FileReading, IndexReading {
  /** Undefined while there is none, and files are found by their words. */
  readonly embedder: () => Embedder | undefined;
  readonly audit: AuditRetrieval;
}

export interface Retrieval {
  readonly query: SearchQuery;
  readonly scope: SearchScope;
  readonly mode: 'hybrid' | 'keyword' | 'semantic';
  readonly topK: number;
}

export interface Retrieved {
  readonly chunks: readonly RankedChunk[];
  /** Of the question; undefined where it was searched by words only. */
  readonly vector: QueryVector | undefined;
  /** Some or all of what was searched could be found by its words only. */
  readonly isDegraded: boolean;
  /** `Position`, for the caller. */
  readonly headers: { readonly [name: string]: string };
}

const embedMilliseconds = 2_000;
/** Hashed words find again what words find, and less well: measured by the bench `files-quality`. */
const weightOfLexical = 0.1;

/** Undefined where there is no embedder, or it does not answer: the search goes on without. */
const vectorOf = async (
  embedder: Embedder | undefined,
  { sentence }: SearchQuery,
  signal: AbortSignal,
): Promise<QueryVector | undefined> => {
  if (embedder === undefined || embedder.dimensions !== vectorLength || sentence === '') return undefined;
  const until = AbortSignal.any([signal, AbortSignal.timeout(embedMilliseconds)]);
  const vectors = await embedder.embed([sentence], { kind: 'query', signal: until });
  const vector = isRight(vectors) ? vectors.right[0] : undefined;
  const isUsable = vector !== undefined && vector.length === vectorLength && vector.some((value) => value !== 0);
  const weight = embedder.isLexical === true ? weightOfLexical : 1;
  return isUsable ? { model: embedder.model, vector: [...vector], weight } : undefined;
};

/** The one way from a question to chunks: for results and answers alike. */
export const retrieve = async (
  reading: RetrievalReading,
  request: Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'identity' | 'signal'>,
  { query, scope, mode, topK }: Retrieval,
): Promise<Either<Problem, Retrieved>> => {
  const { identity, signal } = request;
  const tenant = tenantOf(identity);
  if (isLeft(tenant)) return tenant;
  const { principalId } = identity;
  const [access, headers, vector] = await Promise.all([
    readFileAccess(reading.source, tenant.right),
    indexPosition(reading, request, chunksView),
    mode === 'keyword' ? undefined : vectorOf(reading.embedder(), query, signal),
  ]);
  if (isLeft(access)) return left(problemOf(access.left, {}));
  if (isLeft(headers)) return headers;
  const queryIndex: QueryChunks = (indexQuery) =>
    searchIndex(reading, request, { view: chunksView, query: indexQuery });
  const found = await findChunks(reading.source, queryIndex, {
    principal: { tenant: tenant.right, principalId },
    access: accessFilter(access.right, { principalId, scope, labelsOf: reading.labelsOf }),
    query,
    isByWords: mode !== 'semantic' || vector === undefined,
    vector,
    topK,
  });
  if (isLeft(found)) return found;
  const isDegraded =
    mode !== 'keyword' &&
    (vector === undefined || found.right.some(({ chunk }) => chunk.embeddingModel !== vector.model));
  return right({ chunks: found.right, vector, isDegraded, headers: headers.right });
};
