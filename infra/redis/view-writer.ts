/** Views in Redis: rows, checkpoint and feed change in one script, which compares the position first. */
import { randomUUID } from 'node:crypto';
import { type Either, right } from 'fp-ts/Either';
import type Redis from 'ioredis';
import type { ApplyFault, Batch, KeysView, View, ViewDigest, ViewWriter } from '../ports/view-store';
import { collapse, type RowChange } from '../views/collapse';
import { digestRows } from '../views/digest';
import { held, moved } from '../views/faults';
import { attempt, generationOf, type Said } from './answers';
import { openRedis, script } from './connection';
import { feedKey, indexKey, rowKey, stateKey } from './view-keys';
import { openLifecycle } from './view-lifecycle';
import { rowsOf } from './view-rows';
import { applyScript, holdScript, openScript } from './view-scripts';

const positionText = (position: bigint | null): string => (position === null ? '' : String(position));

const argumentsOf = ({ kind, fields }: RowChange): readonly string[] => {
  const pairs =
    kind === 'remove'
      ? []
      : Object.entries(fields).map(([field, value]): readonly string[] => [field, JSON.stringify(value ?? null)]);
  return [kind, String(pairs.length), ...(pairs.flat() as string[])];
};

const applied = (answer: unknown): Either<ApplyFault, void> => {
  if (answer === 'moved') return moved();
  return answer === 'held' ? held() : right(undefined);
};

const applyTo = (redis: Redis) => {
  const run = script(redis, 'septetApply', applyScript);
  return (view: View, { generation, after, position, beat, changes }: Batch) =>
    attempt(async () => {
      const rows = [...collapse(view, changes)];
      const { feedMilliseconds = 0 } = view as KeysView;
      const keys = [
        stateKey(view),
        feedKey(view.name),
        indexKey(view, generation),
        ...rows.map(([key]) => rowKey(view, generation, key)),
      ];
      const head = [generation, positionText(after), String(position), beat === true ? 1 : 0, feedMilliseconds];
      return applied(await run(keys, ...head, ...rows.flatMap(([, change]) => argumentsOf(change))));
    });
};

export const openRedisWriter = (url: string): ViewWriter => {
  const name = `septet-views-${randomUUID()}`;
  const redis = openRedis(url, name);
  const open = script(redis, 'septetOpen', openScript);
  const hold = script(redis, 'septetHold', holdScript);
  return {
    ...openLifecycle(redis, name),
    open: (view) => attempt(async () => right(generationOf((await open([stateKey(view)], view.version)) as Said))),
    apply: applyTo(redis),
    hold: (view, milliseconds) =>
      attempt(async () => right(generationOf((await hold([stateKey(view)], milliseconds)) as Said))),
    digest: (view, generation) =>
      attempt<ViewDigest, never>(async () => right(await digestRows(rowsOf(redis, view, generation)))),
    close: async () => redis.disconnect(),
  };
};
