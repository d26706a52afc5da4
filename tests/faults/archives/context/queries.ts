/** Archives on the query side: their states, and a search of their documents. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { finite, nullable, record, text } from '../../../../domain/kernel/codec';
import { type BoundRoute, bind, route } from '../../../../infra/server/http/routing/route';
import { queryContext } from '../../../../read-api/kernel/context';
import { type IndexReading, indexAnswer, indexQueryProblems } from '../../../../read-api/kernel/index-queries';
import { minPosition, pageRoute } from '../../../../read-api/kernel/query-routes';
import { answerFields, toResponseOf } from '../../../../read-api/kernel/row-answer';
import { ArchiveRow, archivesView, DocumentRow, documentsView } from './projections';

const scopes = ['archives:read'];

const Archive = record('Archive', { ...answerFields(ArchiveRow) });

const listArchives = pageRoute({
  path: '/v1/archives',
  operation: 'listArchives',
  summary: 'Archives by name.',
  scopes,
  params: record('NoParams', {}),
  item: Archive,
  view: archivesView,
  filters: {},
  order: [
    { field: 'name', direction: 'asc' },
    { field: 'archiveId', direction: 'asc' },
  ],
  rows: () => ({ where: {} }),
  show: toResponseOf(Archive),
});

const { archiveId, path } = answerFields(DocumentRow);
const Fragment = record('Fragment', { text: t.string, isMatch: t.boolean });
const Hit = record('FoundDocument', { archiveId, path, score: nullable(finite), excerpt: t.array(Fragment) });

const searchDocuments = route<IndexReading>()({
  method: 'get',
  path: '/v1/archives/search',
  operation: 'searchArchives',
  summary: 'Documents with these words, the best first.',
  access: { scopes },
  query: record('ArchiveSearch', { q: text('ArchiveWords', { minLength: 1, maxLength: 256 }) }),
  headers: [minPosition],
  answers: { 200: { description: 'What was found.', body: record('FoundDocuments', { items: t.array(Hit) }) } },
  problems: indexQueryProblems,
  handle: async (reading, { query: { q }, ...request }) => {
    const found = await indexAnswer(reading, request, {
      view: documentsView,
      query: {
        score: { kind: 'text', match: { text: q, fields: [{ field: 'text' }] } },
        highlight: { fields: ['text'], fragmentLength: 80 },
        limit: 20,
      },
    });
    if (isLeft(found)) return found.left;
    const items = found.right.hits.map(({ row, score, highlights }) => ({
      archiveId: row.archiveId,
      path: row.path,
      score,
      excerpt: highlights.text?.[0] ?? [],
    }));
    return { status: 200, body: { items }, headers: found.right.headers };
  },
});

const routes = (reading: IndexReading): readonly BoundRoute[] => [
  bind(reading, listArchives),
  bind(reading, searchDocuments),
];

export const queries = queryContext({
  config: {},
  open: (_values, { reading, indexes }) => ({ deps: { ...reading, indexes } }),
  routes,
});
