/** Views in Redis: rows, checkpoint and feed change in one script, which compares the position first. */
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import type {
  ApplyFault,
  Batch,
  Generation,
  KeysView,
  View,
  ViewDigest,
  ViewFault,
  ViewWriter,
} from '../ports/view-store';
import { collapse, type RowChange } from '../views/collapse';
import { digestRows } from '../views/digest';
import { abandonedMilliseconds, building, held, moved, unavailable } from '../views/faults';
import { openRedis, script } from './connection';
import { feedKey, indexKey, rowKey, stateKey } from './view-keys';
import { fieldsOf, type Hash } from './view-row';
import { activateScript, applyScript, beginScript, dropScript, holdScript, openScript } from './view-scripts';

type Connection = ReturnType<typeof openRedis>;
type Said = readonly [number: string, version: string, position: string];

const generationOf = ([number, version, position]: Said): Generation => ({
  number: Number(number),
  version: Number(version),
  position: position === '' ? null : BigInt(position),
});

const positionText = (position: bigint | null): string => (position === null ? '' : String(position));

const attempt = async <A, F>(work: () => Promise<Either<F, A>>): Promise<Either<F | ViewFault, A>> => {
  try {
    return await work();
  } catch {
    return unavailable('Redis does not answer.');
  }
};

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

const applyTo = (redis: Connection) => {
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

const pageRows = 500;

async function* keyPages(redis: Connection, index: string): AsyncGenerator<readonly string[]> {
  for (let start = 0; ; start += pageRows) {
    const keys = await redis.zrange(index, start, start + pageRows - 1);
    if (keys.length === 0) return;
    yield keys;
  }
}

async function* rowsOf(redis: Connection, view: View, generation: number): AsyncGenerator<unknown> {
  for await (const keys of keyPages(redis, indexKey(view, generation))) {
    const pipeline = redis.pipeline();
    for (const key of keys) pipeline.hgetall(key);
    for (const [, fields] of (await pipeline.exec()) ?? []) yield fieldsOf(fields as Hash);
  }
}

const removeRows = async (redis: Connection, view: View, generation: number | string): Promise<void> => {
  const index = indexKey(view, generation);
  for await (const keys of keyPages(redis, index)) await redis.unlink(...keys);
  await redis.unlink(index);
};

const removeAll = async (redis: Connection, view: View, generations: readonly string[]): Promise<void> => {
  for (const generation of generations) await removeRows(redis, view, generation);
};

const lifecycle = (redis: Connection) => {
  const begin = script(redis, 'septetBegin', beginScript);
  const activate = script(redis, 'septetActivate', activateScript);
  const drop = script(redis, 'septetDrop', dropScript);
  return {
    begin: (view: View) =>
      attempt(async () => {
        const answer = await begin([stateKey(view)], view.version, abandonedMilliseconds);
        if (answer === 'building') return building();
        const [generation, dropped] = answer as readonly [Said, readonly string[]];
        await removeAll(redis, view, dropped);
        return right(generationOf(generation));
      }),
    activate: (view: View, generation: number) =>
      attempt(async () => {
        const answer = await activate([stateKey(view)], generation);
        if (answer === 'missing') return left(fault('view-store-unavailable', 'There is no such generation.'));
        await removeAll(redis, view, answer as readonly string[]);
        return right(undefined);
      }),
    drop: (view: View, generation: number) =>
      attempt(async () => {
        if ((await drop([stateKey(view)], generation)) === 1) await removeRows(redis, view, generation);
        return right(undefined);
      }),
  };
};

export const openRedisWriter = (url: string): ViewWriter => {
  const redis = openRedis(url);
  const open = script(redis, 'septetOpen', openScript);
  const hold = script(redis, 'septetHold', holdScript);
  return {
    ...lifecycle(redis),
    open: (view) => attempt(async () => right(generationOf((await open([stateKey(view)], view.version)) as Said))),
    apply: applyTo(redis),
    hold: (view, milliseconds) =>
      attempt(async () => right(generationOf((await hold([stateKey(view)], milliseconds)) as Said))),
    digest: (view, generation) =>
      attempt<ViewDigest, never>(async () => right(await digestRows(rowsOf(redis, view, generation)))),
    close: async () => redis.disconnect(),
  };
};
