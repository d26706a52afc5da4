/** POST /v1/retrieval/search: passages of files that the caller may see, the best first, each with where it stands. */
import { isLeft, isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Modality } from '../../../domain/files/content/element';
import { ChunkId, FileId, FolderId, VersionId } from '../../../domain/files/ids';
import { finite, integer, listOf, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import type { Embedder } from '../../../infra/ports/files/embedder';
import { readFileAccess } from '../../../infra/server/files/file-access';
import { commonProblems, problemOf } from '../../../infra/server/http/problem';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { chunksView, vectorLength } from '../../../projections/files/chunks/view';
import { type IndexReading, indexAnswer, indexQueryProblems } from '../../kernel/index-queries';
import { minPosition } from '../../kernel/query-routes';
import { type FileReading, scopes, tenantOf } from '../file-reading';
import { accessFilter } from './access-filter';
import { Citation, citationOf } from './citation';
import { findChunks, type QueryChunks, type QueryVector, type RankedChunk } from './find-chunks';
import { snippetOf } from './snippet';
import { type SearchWords, searchWordsOf } from './words';

export interface RetrievalReading extends FileReading, IndexReading {
  /** Undefined: there is none, and files are found by their words. */
  /** Undefined while there is none. */
  readonly embedder: () => Embedder | undefined;
}

const maxIds = 1_000;

const RetrievalQuery = record(
  'RetrievalQuery',
  { query: text('RetrievalText', { content: 'lines', maxLength: 4_000, examples: ['notice period of the lease'] }) },
  {
    /** Everything that the caller may see, where it names nothing. What the caller may not see adds nothing. */
    scope: record(
      'RetrievalScope',
      {},
      {
        fileIds: listOf('ScopeFiles', FileId, maxIds),
        /** With all folders in them. */
        folderIds: listOf('ScopeFolders', FolderId, maxIds),
      },
    ),
    mode: oneOf('RetrievalMode', ['hybrid', 'keyword', 'semantic']),
    topK: integer(1, 100),
  },
);
type RetrievalQuery = t.TypeOf<typeof RetrievalQuery>;

const RetrievalResult = record('RetrievalResult', {
  chunkId: ChunkId,
  fileId: FileId,
  versionId: VersionId,
  /** Null: the key of the file is gone. */
  filename: nullable(text('RetrievalFilename', { minLength: 0, maxLength: 255, examples: ['Lease 2026.pdf'] })),
  /** Higher is better; comparable within one answer. */
  score: finite,
  snippet: text('RetrievalSnippet', { content: 'any', minLength: 0, maxLength: 400 }),
  /** Words of the query in the snippet, in UTF-16 code units. */
  highlights: listOf('SnippetHighlights', record('SnippetHighlight', { start: integer(0), length: integer(1) }), 400),
  modality: Modality,
  citation: Citation,
});

const RetrievalAnswer = record('RetrievalAnswer', {
  results: t.readonlyArray(RetrievalResult, 'RetrievalResults'),
  /** `semantic`: some or all of what was searched could be found by its words only. */
  degraded: listOf('DegradedSearches', oneOf('DegradedSearch', ['semantic']), 1),
});

const resultOf = ({ chunk, score }: RankedChunk, words: SearchWords): t.TypeOf<typeof RetrievalResult> => {
  const { chunkId, fileId, versionId, filename, content, modality, anchor, headings } = chunk;
  const { text: snippet, highlights } = snippetOf(content, words.stems);
  const citation = citationOf(anchor, headings);
  return { chunkId, fileId, versionId, filename, score, snippet, highlights, modality, citation };
};

const embedMilliseconds = 2_000;

/** Undefined where there is no embedder, or it does not answer: the search goes on without. */
const vectorOf = async (
  embedder: Embedder | undefined,
  query: string,
  signal: AbortSignal,
): Promise<QueryVector | undefined> => {
  if (embedder === undefined || embedder.dimensions !== vectorLength) return undefined;
  const until = AbortSignal.any([signal, AbortSignal.timeout(embedMilliseconds)]);
  const vectors = await embedder.embed([query], { kind: 'query', signal: until });
  const vector = isRight(vectors) ? vectors.right[0] : undefined;
  const isUsable = vector !== undefined && vector.length === vectorLength && vector.some((value) => value !== 0);
  return isUsable ? { model: embedder.model, vector: [...vector] } : undefined;
};

const search = async (
  reading: RetrievalReading,
  request: RouteRequest<unknown, unknown, RetrievalQuery>,
): Promise<Answer> => {
  const { body, identity, signal } = request;
  const { query, scope = {}, mode = 'hybrid', topK = 10 } = body;
  const tenant = tenantOf(identity);
  if (isLeft(tenant)) return tenant.left;
  const { principalId } = identity;
  const [access, vector] = await Promise.all([
    readFileAccess(reading.source, tenant.right),
    mode === 'keyword' ? undefined : vectorOf(reading.embedder(), query, signal),
  ]);
  if (isLeft(access)) return problemOf(access.left, {});
  const words = searchWordsOf(query);
  let position: { readonly [name: string]: string } | undefined;
  const queryIndex: QueryChunks = async (indexQuery) => {
    const found = await indexAnswer(reading, request, { view: chunksView, query: indexQuery });
    // The first answer's position: what later ones find is not older.
    if (isRight(found)) position ??= found.right.headers;
    return found;
  };
  const found = await findChunks(reading.source, queryIndex, {
    principal: { tenant: tenant.right, principalId },
    access: accessFilter(access.right, { principalId, scope, labelsOf: reading.labelsOf }),
    words: mode === 'semantic' && vector !== undefined ? undefined : words,
    vector,
    ranking: words,
    topK,
  });
  if (isLeft(found)) return found.left;
  const isDegraded =
    mode !== 'keyword' &&
    (vector === undefined || found.right.some(({ chunk }) => chunk.embeddingModel !== vector.model));
  return {
    status: 200,
    body: {
      results: found.right.map((chunk) => resultOf(chunk, words)),
      degraded: isDegraded ? ['semantic'] : [],
    },
    headers: position ?? {},
  };
};

export const searchFiles = route<RetrievalReading>()({
  method: 'post',
  path: '/v1/retrieval/search',
  operation: 'searchFiles',
  summary: 'Search in files by words and by meaning',
  description:
    'Passages of the files that the caller may see, the best first, with where each stands in its file. `hybrid`, the default, searches by words and by vectors; `degraded` names what was not possible. A scope is restricted to what the caller may see, without a word about the rest.',
  access: { scopes },
  question: true,
  sensitive: false,
  body: RetrievalQuery,
  headers: [minPosition],
  answers: { 200: { description: 'What was found.', body: RetrievalAnswer, headers: ['Position'] } },
  problems: { ...indexQueryProblems, 'event-store-unavailable': commonProblems['event-store-unavailable'] },
  handle: search,
});
