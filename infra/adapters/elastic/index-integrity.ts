/** Whether an index has what was written to it: it can be deleted, emptied or damaged while its checkpoint in Postgres stays. */
import type { Client } from '@elastic/elasticsearch';
import { type Either, right } from 'fp-ts/Either';
import type { IndexView, ViewLost } from '../../ports/views/view-store';
import { lost } from '../views/view-faults';
import { undefinedIfMissing } from './client';
import { conditionOf, mark } from './index-marker';
import { indexName } from './index-names';

export interface IntegrityOptions {
  readonly client: Client;
  /** A shard without any copy for so long is given up. A node that restarts brings its shards back sooner. */
  readonly damagedMilliseconds: number;
  readonly now?: () => number;
}

type Condition = Either<ViewLost, void>;

const whole: Condition = right(undefined);

/** Primary shards that no node has or recovers. */
const isWithoutShards = async (client: Client, index: string): Promise<boolean> => {
  // Of an index that is not there, the answer is a timeout.
  const health = await client.cluster.health({ index, level: 'indices', timeout: '0s' }, { ignore: [408] });
  const found = health.indices?.[index];
  return found?.status === 'red' && found.initializing_shards === 0;
};

export const createIntegrityCheck = ({ client, damagedMilliseconds, now = Date.now }: IntegrityOptions) => {
  const damagedSince = new Map<string, number>();
  const damaged = async (index: string): Promise<boolean> => {
    if (!(await isWithoutShards(client, index))) {
      damagedSince.delete(index);
      return false;
    }
    const since = damagedSince.get(index) ?? now();
    damagedSince.set(index, since);
    return now() - since >= damagedMilliseconds;
  };
  /** Readers are to learn that there is no answer. Of a damaged index they may have a part, marked as such. */
  const withdraw = (view: IndexView, index: string) =>
    undefinedIfMissing(() => client.indices.deleteAlias({ index, name: view.name }));
  return async (view: IndexView, generation: number): Promise<Condition> => {
    const index = indexName(view, generation);
    if (await damaged(index)) return lost('A shard of the index is damaged or gone.');
    if (damagedSince.has(index)) return whole;
    switch (await conditionOf(client, index)) {
      case 'marked':
        return whole;
      case 'unmarked':
        await mark(client, index);
        return whole;
      case 'missing':
        return lost('The index of the view is gone.');
      case 'emptied':
      case 'foreign':
        await withdraw(view, index);
        return lost('The index of the view was emptied.');
    }
  };
};
