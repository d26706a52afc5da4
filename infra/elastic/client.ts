/** One client of Elasticsearch, and its errors as faults. */
import { Client, errors } from '@elastic/elasticsearch';
import { type Either, right } from 'fp-ts/Either';
import type { ViewFault } from '../ports/views/view-store';
import { unavailable } from '../views/view-faults';

export const openElastic = (url: string, answerMilliseconds = 10_000): Client =>
  new Client({ node: url, requestTimeout: answerMilliseconds, maxRetries: 1, compression: false });

const detailOf = (error: unknown): string =>
  error instanceof errors.ResponseError
    ? `Elasticsearch answers with status ${error.statusCode ?? 0}.`
    : 'Elasticsearch cannot be reached right now.';

/** Nothing of the server's message goes on: it may quote documents. */
export const toViewFault = async <A>(work: () => Promise<A>): Promise<Either<ViewFault, A>> => {
  try {
    return right(await work());
  } catch (error) {
    return unavailable(detailOf(error));
  }
};

/** Undefined where Elasticsearch knows of no such thing. */
export const undefinedIfMissing = async <A>(work: () => Promise<A>): Promise<A | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof errors.ResponseError && error.statusCode === 404) return undefined;
    throw error;
  }
};
