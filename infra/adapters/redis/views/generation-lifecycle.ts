/** Generations of views in Redis from first to last; a builder is known by the name of its connection. */
import { right } from 'fp-ts/Either';
import type { View, ViewWriter } from '../../../ports/views/view-store';
import { abandonedMilliseconds } from '../../views/abandoned-after';
import { rebuildInProgress, unavailable } from '../../views/view-faults';
import { type RedisConnection, script, serversOf } from '../connection';
import { stateKey } from './keys';
import { removeRows } from './rows';
import { attempt, type GenerationReply, generationOf } from './script-replies';
import { activateScript, beginScript, dropScript, releaseScript, retiredScript } from './scripts';

/** Removes the rows first and their entry last, so that a killed process leaves the entry for a later sweep. */
const removeRetired = async (
  redis: RedisConnection,
  view: View,
  numbers: readonly string[],
): Promise<readonly number[]> => {
  for (const number of numbers) {
    await removeRows(redis, view, number);
    await redis.hdel(stateKey(view), `${number}:retired`, `${number}:rows`);
  }
  return numbers.map(Number);
};

/** Connection name of the rebuild's owner while connected; empty otherwise. */
const builderOf = async (
  redis: RedisConnection,
  view: View,
): Promise<{ readonly name: string; readonly isThere: boolean }> => {
  const name = (await redis.hget(stateKey(view), 'builder')) ?? '';
  if (name === '') return { name, isThere: false };
  const servers = await serversOf(redis);
  const lists = await Promise.all(servers.map((server) => server.client('LIST')));
  return { name, isThere: lists.some((clients) => String(clients).includes(` name=${name} `)) };
};

export const openLifecycle = (
  redis: RedisConnection,
  own: string,
): Pick<ViewWriter, 'beginRebuild' | 'releaseRebuild' | 'activate' | 'drop' | 'sweep'> => {
  const begin = script(redis, 'septetBegin', beginScript);
  const activate = script(redis, 'septetActivate', activateScript);
  const drop = script(redis, 'septetDrop', dropScript);
  const retired = script(redis, 'septetRetired', retiredScript);
  const leave = script(redis, 'septetLeave', releaseScript);
  const sweep = async (view: View, milliseconds: number, abandoned: number) => {
    const { name, isThere } = await builderOf(redis, view);
    // No builder is called so: what is built right now stays.
    const gone = isThere ? '-' : name;
    return removeRetired(
      redis,
      view,
      (await retired([stateKey(view)], milliseconds, abandoned, gone)) as readonly string[],
    );
  };
  return {
    beginRebuild: (view, recipe = '') =>
      attempt(async () => {
        const before = await builderOf(redis, view);
        if (before.isThere) return rebuildInProgress();
        const answer = await begin([stateKey(view)], view.version, before.name, own, recipe);
        return answer === 'building' ? rebuildInProgress() : right(generationOf(answer as GenerationReply));
      }),
    releaseRebuild: (view) =>
      attempt(async () => {
        await leave([stateKey(view)], own);
        return right(undefined);
      }),
    activate: (view, generation) =>
      attempt(async () =>
        (await activate([stateKey(view)], generation)) === 'missing'
          ? unavailable('There is no such generation.')
          : right(undefined),
      ),
    drop: (view, generation) =>
      attempt(async () => {
        if ((await drop([stateKey(view)], generation, own)) === 1)
          await removeRetired(redis, view, [String(generation)]);
        return right(undefined);
      }),
    sweep: (view, milliseconds, abandoned = abandonedMilliseconds) =>
      attempt(async () => right(await sweep(view, milliseconds, abandoned))),
  };
};
