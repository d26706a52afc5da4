/** Views in Redis: rows, checkpoint and feed change in one script, which compares the position first. */
import { randomUUID } from 'node:crypto';
import { type Either, right } from 'fp-ts/Either';
import type Redis from 'ioredis';
import type { ApplyFault, Batch, KeysView, View, ViewDigest, ViewWriter } from '../../ports/views/view-store';
import { digestRows } from '../../views/digest';
import { mergeRowChanges, type RowChange } from '../../views/merge-row-changes';
import { checkpointMoved, lost, writesPaused } from '../../views/view-faults';
import { openRedis, script } from '../connection';
import { openLifecycle } from './generation-lifecycle';
import { createIntegrityCheck } from './integrity';
import { feedKey, indexKey, rowKey, stateKey } from './keys';
import { removeOtherGenerations, rowsOf } from './rows';
import { attempt, type GenerationReply, generationOf } from './script-replies';
import { applyScript, openScript, pauseScript } from './scripts';

const positionText = (position: bigint | null): string => (position === null ? '' : String(position));

const argumentsOf = ({ kind, fields }: RowChange): readonly string[] => {
  const pairs =
    kind === 'remove'
      ? []
      : Object.entries(fields).map(([field, value]): readonly string[] => [field, JSON.stringify(value ?? null)]);
  return [kind, String(pairs.length), ...(pairs.flat() as string[])];
};

const applied = (answer: unknown): Either<ApplyFault, void> => {
  if (answer === 'lost') return lost('Redis lost rows of the view.');
  if (answer === 'moved') return checkpointMoved();
  return answer === 'held' ? writesPaused() : right(undefined);
};

const applyTo = (redis: Redis) => {
  const run = script(redis, 'septetApply', applyScript);
  return (view: View, { generation, after, position, live, beat, changes }: Batch) =>
    attempt(async () => {
      const rows = [...mergeRowChanges(view, changes)];
      const { feedMilliseconds = 0 } = view as KeysView;
      const keys = [
        stateKey(view),
        feedKey(view.name),
        indexKey(view, generation),
        ...rows.map(([key]) => rowKey(view, generation, key)),
      ];
      const head = [generation, positionText(after), String(position), live ? 1 : 0, beat === true ? 1 : 0];
      return applied(await run(keys, ...head, feedMilliseconds, ...rows.flatMap(([, change]) => argumentsOf(change))));
    });
};

type OpenReply = readonly [...GenerationReply, isFirst: 0 | 1];

export const openRedisWriter = (url: string): ViewWriter => {
  const name = `septet-views-${randomUUID()}`;
  const redis = openRedis(url, name);
  const open = script(redis, 'septetOpen', openScript);
  const hold = script(redis, 'septetHold', pauseScript);
  return {
    ...openLifecycle(redis, name),
    open: (view) =>
      attempt(async () => {
        const [number, version, position, isFirst] = (await open([stateKey(view)], view.version)) as OpenReply;
        const generation = generationOf([number, version, position]);
        if (isFirst === 1) await removeOtherGenerations(redis, view, generation.number);
        return right(generation);
      }),
    apply: applyTo(redis),
    verify: createIntegrityCheck(redis),
    pauseWrites: (view, milliseconds) =>
      attempt(async () => right(generationOf((await hold([stateKey(view)], milliseconds)) as GenerationReply))),
    digest: (view, generation) =>
      attempt<ViewDigest, never>(async () => right(await digestRows(rowsOf(redis, view, generation)))),
    close: async () => redis.disconnect(),
  };
};
