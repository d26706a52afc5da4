/** An answer without rows is checked: an index that was emptied has none either, and then there is no answer. */
import type { Client } from '@elastic/elasticsearch';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ViewFault } from '../../ports/views/view-store';
import { unavailable } from '../views/view-faults';
import { toViewFault } from './client';
import { conditionOf } from './index-marker';

export type EmptyAnswers = <A>(alias: string, answer: A) => Promise<Either<ViewFault, A>>;

const isWhole = async (client: Client, alias: string): Promise<boolean> => {
  const condition = await conditionOf(client, alias);
  return condition === 'marked' || condition === 'unmarked';
};

/** Checked after the empty answer, so that what was taken out before it is noticed. */
export const createEmptyAnswers =
  (client: Client): EmptyAnswers =>
  async (alias, answer) => {
    const known = await toViewFault(() => isWhole(client, alias));
    if (isLeft(known)) return known;
    return known.right ? right(answer) : unavailable('The view was lost and is being built again.');
  };
