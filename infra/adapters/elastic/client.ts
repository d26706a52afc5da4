/** One client of Elasticsearch, and its errors as faults. */
import { Client, errors } from '@elastic/elasticsearch';
import { type Either, right } from 'fp-ts/Either';
import type { ViewFault } from '../../ports/views/view-store';
import { unavailable } from '../views/view-faults';
import { ElasticConnection } from './connection';

export const openElastic = (url: string, answerMilliseconds = 10_000): Client =>
  new Client({
    node: url,
    Connection: ElasticConnection,
    requestTimeout: answerMilliseconds,
    maxRetries: 1,
    compression: false,
  });

const detailOf = (error: unknown): string => {
  if (!(error instanceof errors.ResponseError)) return 'Elasticsearch cannot be reached right now.';
  const status = error.statusCode ?? 0;
  return status === 404 ? 'The view is not built yet.' : `Elasticsearch answers with status ${status}.`;
};

/** Nothing of the server's message goes on: it may quote documents. */
export const toViewFault = async <A>(work: () => Promise<A>): Promise<Either<ViewFault, A>> => {
  try {
    return right(await work());
  } catch (error) {
    return unavailable(detailOf(error));
  }
};

const isMissing = (error: unknown): error is errors.ResponseError =>
  error instanceof errors.ResponseError && error.statusCode === 404;

/** Undefined where the index has no such document. That there is no such index is an error. */
export const undefinedIfNoDocument = async <A>(work: () => Promise<A>): Promise<A | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (isMissing(error) && (error.body as { readonly found?: unknown }).found === false) return undefined;
    throw error;
  }
};

/** Undefined where Elasticsearch knows of no such thing. */
export const undefinedIfMissing = async <A>(work: () => Promise<A>): Promise<A | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};
