/** Builds the routes of queries, with the parameters, answers and problems that all of them share. */
import type * as t from 'io-ts';
import type { PageRequest, View, ViewRow } from '../../infra/ports/views/view-store';
import { commonProblems } from '../../infra/server/http/problem';
import { type Route, route } from '../../infra/server/http/routing/route';
import { pageAnswers, pageQuery } from './pagination';
import { positionPattern, revisionPattern } from './read-your-writes';
import { type QueryDeps, queryPage, queryRow, type RowQuery } from './row-queries';

interface Spec<Params> {
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  readonly scopes: readonly string[];
  readonly params: t.Type<Params, unknown>;
  /** Codec of one row on the wire. */
  readonly item: t.Any;
}

export const minPosition = {
  name: 'Min-Position',
  description: 'Waits up to half a second until the read model has reached this position, then answers 503.',
  pattern: positionPattern,
};
const minRevision = {
  name: 'If-Min-Revision',
  description:
    'Waits up to half a second until the resource is at this revision (an ETag or a number), then answers 503.',
  pattern: revisionPattern,
};
const ifNoneMatch = { name: 'If-None-Match', description: 'Answers 304 while the ETag is one of these.' };

const {
  gone,
  'not-found': notFound,
  'not-yet-visible': notYetVisible,
  'view-store-unavailable': unavailable,
} = commonProblems;
const readProblems = { 'not-yet-visible': notYetVisible, 'view-store-unavailable': unavailable };

const described = <Params>({ path, operation, summary, description, scopes, params }: Spec<Params>) => ({
  method: 'get' as const,
  path,
  operation,
  summary,
  ...(description === undefined ? {} : { description }),
  access: { scopes },
  params,
});

export interface OneSpec<Row extends ViewRow, Params> extends Spec<Params> {
  readonly query: (params: Params) => Omit<RowQuery<Row>, 'gone'>;
  readonly gone?: RowQuery<Row>['gone'];
}

export const oneRoute = <Row extends ViewRow, Params>(spec: OneSpec<Row, Params>): Route<QueryDeps, Params> =>
  route<QueryDeps>()({
    ...described(spec),
    headers: [minPosition, minRevision, ifNoneMatch],
    answers: {
      200: { description: 'The current state.', body: spec.item, headers: ['ETag', 'Position'] },
      304: { description: 'Not modified.', headers: ['ETag', 'Position'] },
    },
    problems: { ...readProblems, 'not-found': notFound, ...(spec.gone === undefined ? {} : { gone }) },
    handle: (reading, request) => queryRow(reading, { ...spec.query(request.params), gone: spec.gone }, request),
  });

type Rows<Row extends ViewRow> = Pick<PageRequest<Row>, 'where' | 'between' | 'all' | 'search'>;

export interface PageSpec<Row extends ViewRow, Params, Filters extends t.Props> extends Spec<Params> {
  readonly view: View<Row>;
  readonly filters: Filters;
  readonly order: PageRequest<Row>['order'];
  readonly rows: (params: Params, filters: t.TypeOfPartialProps<Filters>) => Rows<Row>;
  readonly show: (row: Row) => unknown;
}

const capitalized = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

export const pageRoute = <Row extends ViewRow, Params, Filters extends t.Props>(
  spec: PageSpec<Row, Params, Filters>,
) => {
  const { operation, view, order, show } = spec;
  return route<QueryDeps>()({
    ...described(spec),
    query: pageQuery(`${capitalized(operation)}Query`, spec.filters),
    headers: [minPosition],
    answers: pageAnswers(`${capitalized(operation)}Page`, spec.item),
    problems: readProblems,
    handle: (reading, { params, query: { limit, cursor, ...filters }, ...rest }) => {
      // The compiler cannot see that nothing else is left.
      const request = { ...spec.rows(params, filters as unknown as t.TypeOfPartialProps<Filters>), order };
      return queryPage(reading, { operation, view, request, limit, cursor, show }, rest);
    },
  });
};
