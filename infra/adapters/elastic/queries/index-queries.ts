/** Queries of indexes over Elasticsearch: through the alias of the active generation, or in a point in time of it. */
import { type Client, errors, type estypes } from '@elastic/elasticsearch';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type {
  IndexAnswer,
  IndexQueries,
  IndexQuery,
  PointInTime,
  PointInTimeExpired,
  QueryRefused,
} from '../../../ports/views/index-query';
import type { IndexView, ViewFault, ViewRow } from '../../../ports/views/view-store';
import { openElastic, undefinedIfMissing } from '../client';
import { createEmptyAnswers, type EmptyAnswers } from '../empty-answers';
import { prefixedIndex } from '../index-names';
import { alternativeOf, alternativesBody } from './alternatives';
import { answerOf, isWithoutDocuments } from './answers';
import { limits } from './query-checks';
import { searchBody, timeLimitOf } from './search-body';

export interface IndexQueriesOptions {
  readonly url: string;
  /** As the writer has it. */
  readonly prefix?: string | undefined;
}

type QueryFault = ViewFault | QueryRefused | PointInTimeExpired;

/** Beyond the time limit, for the way there and back. */
const graceMilliseconds = 500;
const maxKeepAliveSeconds = 600;

const refused = (detail: string): Either<QueryRefused, never> => left(fault('index-query-refused', detail));
const unavailable = (detail: string): Either<ViewFault, never> => left(fault('view-store-unavailable', detail));
const expired = (): Either<PointInTimeExpired, never> =>
  left(fault('point-in-time-expired', 'The point in time has expired; begin again at the first page.'));

/** Nothing of the server's message goes on: it may quote documents. */
const faultOf = (error: unknown, { pointInTime }: Pick<IndexQuery, 'pointInTime'>): Either<QueryFault, never> => {
  if (error instanceof errors.TimeoutError) return unavailable('Elasticsearch took longer than the time limit.');
  if (error instanceof errors.RequestAbortedError) return unavailable('The query was canceled.');
  if (!(error instanceof errors.ResponseError)) return unavailable('Elasticsearch cannot be reached right now.');
  const status = error.statusCode ?? 0;
  if (status === 404) return pointInTime === undefined ? unavailable('The view is not built yet.') : expired();
  if (status === 400) return refused('Elasticsearch cannot evaluate this query.');
  if (status === 503) return unavailable('A part of the index does not answer.');
  return unavailable(`Elasticsearch answers with status ${status}.`);
};

const attempt = async <A>(
  query: Pick<IndexQuery, 'pointInTime'>,
  work: () => Promise<A>,
): Promise<Either<QueryFault, A>> => {
  try {
    return right(await work());
  } catch (error) {
    return faultOf(error, query);
  }
};

interface NamedPoint {
  /** Elasticsearch's. */
  readonly id: string;
  readonly seconds: number;
}

/** The view's name comes first: a point in time of another view is not taken. */
const pointInTimeOf = ({ name }: IndexView, { seconds, id }: NamedPoint): PointInTime => ({
  id: `${name}:${seconds}:${id}`,
});

const namedPointOf = ({ name }: IndexView, { id }: PointInTime): NamedPoint | undefined => {
  const [view, seconds = '', inner = ''] = id.split(':');
  return view === name && /^\d{1,3}$/.test(seconds) && inner !== ''
    ? { id: inner, seconds: Number(seconds) }
    : undefined;
};

/** A point in time names its indexes itself, so an id that was not ours could have named another one, or none. */
const isOfView = ({ name }: IndexView, { hits, _shards }: estypes.SearchResponse): boolean =>
  _shards.total > 0 &&
  hits.hits.every(({ _index }) => _index.startsWith(`${name}_v`) && /^\d+$/.test(_index.slice(name.length + 2)));

interface Searching {
  readonly client: Client;
  readonly emptyAnswer: EmptyAnswers;
}

/** The alias of the active generation, or a point in time of it; undefined for one of another view. */
const targetOf = (view: IndexView, { pointInTime }: IndexQuery) => {
  if (pointInTime === undefined) return { path: `/${encodeURIComponent(view.name)}/_search`, body: {} };
  const point = namedPointOf(view, pointInTime);
  return point === undefined
    ? undefined
    : { path: '/_search', body: { pit: { id: point.id, keep_alive: `${point.seconds}s` } } };
};

const nextPoint = (view: IndexView, { pointInTime }: IndexQuery, { pit_id: id }: estypes.SearchResponse) => {
  const point = pointInTime === undefined ? undefined : namedPointOf(view, pointInTime);
  if (point === undefined) return {};
  return { pointInTime: pointInTimeOf(view, { ...point, id: id ?? point.id }) };
};

interface Bounded {
  readonly view: IndexView;
  readonly tenantId: string;
  readonly query: IndexQuery;
}

const send = async (
  client: Client,
  { view, query }: Bounded,
  body: estypes.SearchRequest,
): Promise<Either<QueryFault, estypes.SearchResponse>> => {
  const target = targetOf(view, query);
  if (target === undefined) return refused('The point in time is of another view.');
  const { allow_partial_search_results, ...parts } = body;
  // `client.search` sorts its parameters into path, query and body first, and begins a span that is never recorded.
  const request = {
    method: 'POST',
    path: target.path,
    querystring: { allow_partial_search_results },
    body: { ...target.body, ...parts },
  };
  const options = { requestTimeout: timeLimitOf(query) + graceMilliseconds, maxRetries: 0, signal: query.signal };
  const reply = await attempt(query, () =>
    client.transport.request<estypes.SearchResponse>(request, options as object),
  );
  if (isLeft(reply)) return reply;
  return isOfView(view, reply.right) ? reply : refused('The point in time is of another view.');
};

/** Undefined also when this query fails: the first one's hits are an answer all the same. */
const firstAlternative = async (
  client: Client,
  bounded: Bounded,
): Promise<Either<QueryRefused, number | undefined>> => {
  const { view, tenantId, query } = bounded;
  const { alternatives = [] } = query;
  if (alternatives.length === 0) return right(undefined);
  const body = alternativesBody(view, tenantId, { ...query, alternatives });
  if (isLeft(body)) return body;
  const reply = await send(client, bounded, body.right);
  return right(isLeft(reply) ? undefined : alternativeOf(alternatives, reply.right));
};

const search = async (
  { client, emptyAnswer }: Searching,
  bounded: Bounded,
): Promise<Either<QueryFault, IndexAnswer<object>>> => {
  const { view, tenantId, query } = bounded;
  const body = searchBody(view, tenantId, query);
  if (isLeft(body)) return body;
  const reply = await send(client, bounded, body.right);
  if (isLeft(reply)) return reply;
  const answer = answerOf(view, query, reply.right);
  if (isLeft(answer)) return answer;
  const whole = { ...answer.right, ...nextPoint(view, query, reply.right) };
  if (!isWithoutDocuments(whole)) return right(whole);
  // The one that takes longer is sent first.
  const [alternative, checked] = await Promise.all([firstAlternative(client, bounded), emptyAnswer(view.name, whole)]);
  if (isLeft(checked)) return checked;
  if (isLeft(alternative)) return alternative;
  return right(alternative.right === undefined ? whole : { ...whole, alternative: alternative.right });
};

export const openIndexQueries = ({ url, prefix }: IndexQueriesOptions): IndexQueries => {
  const client = openElastic(url, limits.milliseconds + graceMilliseconds);
  const searching = { client, emptyAnswer: createEmptyAnswers(client) };
  const indexOf = <Row extends ViewRow>(view: IndexView<Row>): IndexView =>
    prefixedIndex(view as unknown as IndexView, prefix);
  return {
    search: (async (view: IndexView, tenantId: string, query: IndexQuery) =>
      search(searching, { view: indexOf(view), tenantId, query })) as unknown as IndexQueries['search'],
    openPointInTime: async (view, keepAliveSeconds) => {
      const index = indexOf(view);
      if (!(keepAliveSeconds >= 1 && keepAliveSeconds <= maxKeepAliveSeconds))
        return refused(`A point in time is open for 1 to ${maxKeepAliveSeconds} seconds.`);
      const seconds = Math.round(keepAliveSeconds);
      const opened = await attempt({}, () => client.openPointInTime({ index: index.name, keep_alive: `${seconds}s` }));
      if (isLeft(opened)) return opened as Either<ViewFault, never>;
      return right(pointInTimeOf(index, { seconds, id: opened.right.id }));
    },
    closePointInTime: async ({ id }) => {
      const inner = id.split(':')[2] ?? '';
      // One that has expired is closed.
      const closed = await attempt({}, () => undefinedIfMissing(() => client.closePointInTime({ id: inner })));
      return isLeft(closed) ? (closed as Either<ViewFault, never>) : right(undefined);
    },
    close: () => client.close(),
  };
};
