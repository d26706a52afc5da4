/** POST /v1/retrieval/search: passages of files that the caller may see, the best first, each with where it stands. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Modality } from '../../../domain/files/content/element';
import { ChunkId, FileId, FolderId, VersionId } from '../../../domain/files/ids';
import { finite, integer, listOf, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { commonProblems } from '../../../infra/server/http/problem';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { indexQueryProblems } from '../../kernel/index-queries';
import { minPosition } from '../../kernel/query-routes';
import { scopes } from '../file-reading';
import { Citation, citationOf } from './citation';
import type { RankedChunk } from './find-chunks';
import { matchOf } from './match';
import { type RetrievalReading, retrieve } from './retrieve';
import { parseSearchQuery, type SearchQuery } from './search-query';
import { snippetOf } from './snippet';

const maxIds = 1_000;

/** What every question to files is restricted by. */
export const scopeFields = {
  fileIds: listOf('ScopeFiles', FileId, maxIds),
  /** With all folders in them. */
  folderIds: listOf('ScopeFolders', FolderId, maxIds),
};

/** Named to callers whose query or question is empty, blank or too long. */
export const questionText = 'text of 1 to 4000 characters that is not blank';

const RetrievalQuery = record(
  'RetrievalQuery',
  {
    query: text('RetrievalText', {
      content: 'lines',
      maxLength: 4_000,
      expected: questionText,
      examples: ['notice period of the lease'],
    }),
  },
  {
    /** Everything that the caller may see, where it names nothing. What the caller may not see adds nothing. */
    scope: record('RetrievalScope', {}, scopeFields),
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
  /** `words`: words of the query stand in the passage, its headings or the name of its file; `meaning`: none does. */
  match: oneOf('RetrievalMatch', ['words', 'meaning']),
  /** Words and phrases of the query in the snippet, in UTF-16 code units. */
  highlights: listOf('SnippetHighlights', record('SnippetHighlight', { start: integer(0), length: integer(1) }), 400),
  modality: Modality,
  citation: Citation,
});

const RetrievalAnswer = record('RetrievalAnswer', {
  results: t.readonlyArray(RetrievalResult, 'RetrievalResults'),
  /** `semantic`: some or all of what was searched could be found by its words only. */
  degraded: listOf('DegradedSearches', oneOf('DegradedSearch', ['semantic']), 1),
});

const resultOf = ({ chunk, score }: RankedChunk, query: SearchQuery): t.TypeOf<typeof RetrievalResult> => {
  const { chunkId, fileId, versionId, filename, content, modality, anchor, headings } = chunk;
  const { text: snippet, highlights } = snippetOf(content, query);
  const citation = citationOf(anchor, headings);
  const match = matchOf(chunk, query);
  return { chunkId, fileId, versionId, filename, score, snippet, match, highlights, modality, citation };
};

const search = async (
  reading: RetrievalReading,
  request: RouteRequest<unknown, unknown, RetrievalQuery>,
): Promise<Answer> => {
  const { scope = {}, mode = 'hybrid', topK = 10 } = request.body;
  const query = parseSearchQuery(request.body.query);
  const found = await retrieve(reading, request, { query, scope, mode, topK });
  if (isLeft(found)) return found.left;
  const { chunks, isDegraded, headers } = found.right;
  const degraded = isDegraded ? ['semantic'] : [];
  reading.audit(request, {
    operation: 'search',
    mode,
    topK,
    chunkIds: chunks.map(({ chunk }) => chunk.chunkId),
    degraded,
  });
  return { status: 200, body: { results: chunks.map((chunk) => resultOf(chunk, query)), degraded }, headers };
};

export const searchFiles = route<RetrievalReading>()({
  method: 'post',
  path: '/v1/retrieval/search',
  operation: 'searchFiles',
  summary: 'Search in files by words and by meaning',
  description:
    'Passages of the files that the caller may see, the best first, with where each stands in its file. `hybrid`, the default, searches by words and by vectors; `degraded` names what was not possible. In `query`, `"words in quotes"` have to stand in the passage as they are, in this order, case and punctuation aside, in each mode; `-word` and `-"two words"` leave out passages that have them. `match` says of each result whether it has words of the query or is near in meaning only. A scope is restricted to what the caller may see, without a word about the rest.',
  access: { scopes },
  question: true,
  sensitive: false,
  body: RetrievalQuery,
  headers: [minPosition],
  answers: { 200: { description: 'What was found.', body: RetrievalAnswer, headers: ['Position'] } },
  problems: { ...indexQueryProblems, 'event-store-unavailable': commonProblems['event-store-unavailable'] },
  handle: search,
});
