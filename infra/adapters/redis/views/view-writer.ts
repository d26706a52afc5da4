/** Views in Redis: rows, checkpoint and feed change in one script, which compares the position first. */
import { randomUUID } from 'node:crypto';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type {
  ApplyFault,
  Batch,
  KeysView,
  View,
  ViewDigest,
  ViewFault,
  ViewWriter,
} from '../../../ports/views/view-store';
import { digestRows } from '../../views/digest';
import { erasedKeysOf } from '../../views/erase-rows';
import { mergeRowChanges, type RowChange } from '../../views/merge-row-changes';
import { checkpointMoved, lost, writesPaused } from '../../views/view-faults';
import { openRedis, type RedisConnection, script } from '../connection';
import { openLifecycle } from './generation-lifecycle';
import { createIntegrityCheck } from './integrity';
import { feedKey, indexKey, rowKey, stateKey, subjectKey, subjectPrefix, whenErasedField } from './keys';
import { removeOtherGenerations, rowsOf, whenErasedText } from './rows';
import { attempt, type GenerationReply, generationOf } from './script-replies';
import { applyScript, openScript, pauseScript } from './scripts';

const positionText = (position: bigint | null): string => (position === null ? '' : String(position));

const fieldPairs = ({ kind, fields, whenErased }: RowChange): readonly (readonly [string, string])[] => {
  if (kind === 'remove') return [];
  const pairs = Object.entries(fields).map(([field, value]) => [field, JSON.stringify(value ?? null)] as const);
  return whenErased === undefined ? pairs : [...pairs, [whenErasedField, whenErasedText(whenErased)]];
};

const argumentsOf = (change: RowChange): readonly string[] => {
  const pairs = fieldPairs(change);
  return [change.kind, String(pairs.length), ...pairs.flat()];
};

interface ScriptChange {
  readonly key: string;
  readonly arguments: readonly string[];
}

const rowChanges = (view: View, { generation, changes }: Batch): readonly ScriptChange[] =>
  [...mergeRowChanges(view, changes)].map(([key, change]) => ({
    key: rowKey(view, generation, key),
    arguments: argumentsOf(change),
  }));

const erasures = (view: View, { generation, changes }: Batch): readonly ScriptChange[] =>
  [...erasedKeysOf(changes)].flatMap(([tenantId, keys]) =>
    keys.map((id) => ({
      key: subjectKey(subjectPrefix(view, generation), tenantId, id),
      arguments: ['erase', '1', id, ''],
    })),
  );

const applied = (answer: unknown): Either<ApplyFault, void> => {
  if (answer === 'lost') return lost('Redis lost rows of the view.');
  if (answer === 'moved') return checkpointMoved();
  return answer === 'held' ? writesPaused() : right(undefined);
};

/** Rows of an erased key that are changed in one step of the server, which does nothing else meanwhile. */
const erasedRows = 1_000;
/** What is left after the steps before: rows of this batch. */
const allRows = 1_000_000_000;

const applyTo = (redis: RedisConnection) => {
  const run = script(redis, 'septetApply', applyScript);
  const write = (
    view: View,
    batch: Batch,
    { changes, most }: { readonly changes: readonly ScriptChange[]; readonly most: number },
  ) => {
    const { generation, after, position, live, isCaughtUp } = batch;
    const { feedMilliseconds = 0 } = view as KeysView;
    const keys = [stateKey(view), feedKey(view.name), indexKey(view, generation)].concat(changes.map(({ key }) => key));
    const subjects = view.personal === true ? subjectPrefix(view, generation) : '';
    const at = [generation, positionText(after), positionText(position)];
    return run(
      keys,
      ...at,
      live ? 1 : 0,
      isCaughtUp === true ? 1 : 0,
      feedMilliseconds,
      subjects,
      most,
      changes.flatMap((change) => change.arguments),
    );
  };
  return (view: View, batch: Batch) =>
    attempt(async () => {
      const erased = erasures(view, batch);
      if (erased.length > 0) {
        // The checkpoint stays, so that a killed process does the rest again.
        const stay = { ...batch, position: batch.after, isCaughtUp: false, live: false } as Batch;
        let answer: unknown = 'more';
        while (answer === 'more') answer = await write(view, stay, { changes: erased, most: erasedRows });
        if (answer !== 'done') return applied(answer);
      }
      const changes = [...rowChanges(view, batch), ...erased];
      return applied(await write(view, batch, { changes, most: allRows }));
    });
};

type OpenReply = readonly [...GenerationReply, isFirst: 0 | 1];

/** Answers the id of the log that the views are made of; empty where none is recorded. */
export type LogId = () => Promise<Either<ViewFault, string>>;

export const openRedisWriter = (url: string, logId: LogId = async () => right('')): ViewWriter => {
  const name = `septet-views-${randomUUID()}`;
  const redis = openRedis(url, name);
  const open = script(redis, 'septetOpen', openScript);
  const hold = script(redis, 'septetHold', pauseScript);
  return {
    ...openLifecycle(redis, name),
    open: (view) =>
      attempt(async () => {
        const log = await logId();
        if (isLeft(log)) return log;
        const reply = (await open([stateKey(view)], view.version, log.right)) as OpenReply;
        const [number, version, position, isFirst] = reply;
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
