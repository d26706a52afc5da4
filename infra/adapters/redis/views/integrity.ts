/** Whether Redis still has the rows of a generation: it may evict keys, or lose them. */
import { type Either, right } from 'fp-ts/Either';
import type { View, ViewFault, ViewLost } from '../../../ports/views/view-store';
import { lost } from '../../views/view-faults';
import { type RedisConnection, script, serversOf } from '../connection';
import { indexKey, stateKey } from './keys';
import { attempt } from './script-replies';
import { verifyScript } from './scripts';

/** Takes about a millisecond of Redis. Each call goes on where the one before ended, so that in time all rows are looked at. */
const windowRows = 2_000;

/** How many keys each server has evicted, as far as it reports that. */
const evictedKeys = async (redis: RedisConnection): Promise<string> => {
  const servers = await serversOf(redis);
  const texts = await Promise.all(servers.map((server) => server.info('stats').catch(() => '')));
  return texts
    .map((text, index) => {
      const { host = '', port = '' } = servers[index]?.options ?? {};
      return `${host}:${port} ${/evicted_keys:(\d+)/.exec(text)?.[1] ?? ''}`;
    })
    .sort()
    .join();
};

interface Progress {
  generation: number;
  /** Where in the index the next window begins. */
  start: number;
  evicted: string;
}

/** All rows are looked at first, and after the server has evicted keys, which may be of others; else a window of them. */
export const createIntegrityCheck = (redis: RedisConnection) => {
  const verify = script(redis, 'septetVerify', verifyScript);
  const progressOf = new Map<string, Progress>();
  return (view: View, generation: number): Promise<Either<ViewFault | ViewLost, void>> =>
    attempt<void, ViewLost>(async () => {
      const known = progressOf.get(view.name);
      const evicted = await evictedKeys(redis);
      const looksAtAll = known === undefined || known.generation !== generation || known.evicted !== evicted;
      const progress: Progress = { generation, start: looksAtAll ? 0 : known.start, evicted };
      for (;;) {
        const keys = [stateKey(view), indexKey(view, generation)];
        const there = await verify(keys, generation, progress.start, windowRows);
        if (there === 'lost') return lost('Redis evicted or lost rows of the view.');
        // Another process switched to another generation, or the state is gone: the next write finds that out.
        const isEnd = there === null || Number(there) < windowRows;
        progress.start = isEnd ? 0 : progress.start + windowRows;
        if (isEnd || !looksAtAll) break;
      }
      progressOf.set(view.name, progress);
      return right(undefined);
    });
};
