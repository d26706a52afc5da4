/** Runs a group's state machine: carries out its reads and writes, runs its timers, and hands messages to its calls. */
import type { CommitNotifier } from '../server/commit-notifier';
import { positionKey } from '../storage/lmdb-tables';
import { CorruptRecordError } from '../storage/records/read-record';
import { idOf, isIntact, type StoredRecord } from '../storage/records/record-format';
import type { Storage } from '../storage/storage';
import type { Writer } from '../storage/writer';
import { type Consumers, createConsumers } from './consumer-connections';
import { createEffectWriter, type EffectWriter } from './effect-writer';
import type { Effect, Input, Message } from './group/messages';
import { createGroup, type Group, type StartPosition } from './group/state';
import { applyInput, nextDueTime } from './group/state-machine';
import type { GroupDefinition } from './group-configuration';
import { createPageReader, type PageReader, type PageSource } from './page-reader';

export interface GroupRunnerDeps {
  readonly storage: Storage;
  readonly writer: Writer;
  readonly commitNotifier: CommitNotifier;
  readonly report: (error: unknown) => void;
}

export interface RunningGroup extends Pick<Consumers, 'connect' | 'peers'> {
  readonly definition: GroupDefinition;
  readonly group: Group;
  readonly source: PageSource;
  readonly replay: (range: { readonly first: number; readonly last: number }, stopAt: number | undefined) => void;
  /** Ends its calls; writes a last checkpoint unless the group is deleted. */
  readonly stop: (reason: unknown, forget: boolean) => void;
  /** The group ended because of corrupt data: the next call starts it again. */
  readonly isOver: () => boolean;
  /** Resolves when no write is pending. */
  readonly idle: () => Promise<void>;
}

export interface GroupStart extends StartPosition {
  readonly definition: GroupDefinition;
  readonly source: PageSource;
  readonly parkedSource: PageSource;
}

/** Undefined when it was scavenged. */
const readMessageRecord = ({ tables }: Storage, { position, id }: Message): StoredRecord | undefined => {
  const bytes = tables.recentRecords.at(position)?.bytes ?? tables.log.get(positionKey(position));
  if (bytes === undefined) return undefined;
  if (!isIntact(bytes)) throw new CorruptRecordError(position);
  return idOf(bytes) === id ? { position, bytes } : undefined;
};

type EffectBy = { readonly [Kind in Effect['kind']]: Extract<Effect, { kind: Kind }> };
type EffectHandlers<Kinds extends Effect['kind'] = Effect['kind']> = {
  readonly [Kind in Kinds]: (effect: EffectBy[Kind]) => void;
};

const handleEffect = <Kind extends Effect['kind']>(
  handlers: EffectHandlers<Kind>,
  kind: Kind,
  effect: EffectBy[Kind],
): void => handlers[kind](effect);

interface GroupParts {
  readonly consumers: Consumers;
  readonly effectWriter: EffectWriter;
  readonly pageReader: PageReader;
  readonly handlers: EffectHandlers;
}

interface GroupPartsDeps extends GroupRunnerDeps {
  readonly start: GroupStart;
  readonly group: Group;
  readonly feed: (input: Input) => void;
  readonly fail: (error: unknown) => void;
}

const createGroupParts = ({
  storage,
  writer,
  commitNotifier,
  start,
  group,
  feed,
  fail,
}: GroupPartsDeps): GroupParts => {
  const { definition, source, parkedSource } = start;
  const load = (message: Message): StoredRecord | undefined => readMessageRecord(storage, message);
  const consumers = createConsumers({ group, feed, load });
  const effectWriter = createEffectWriter({ storage, writer, definition, load, feed });
  const pageReader = createPageReader({ source, commitNotifier: commitNotifier, feed });
  const read = (
    from: PageSource,
    { from: first, limit }: { from: number; limit: number },
    kind: 'read' | 'parked-read',
  ) =>
    void pageReader
      .read(from, first, limit)
      .then((page) => page && feed({ kind, page }))
      .catch(fail);
  const handlers: EffectHandlers = {
    send: ({ consumer, message }) => consumers.send(consumer, message),
    read: (effect) => {
      pageReader.subscribe();
      read(source, effect, 'read');
    },
    'read-parked': (effect) => read(parkedSource, effect, 'parked-read'),
    park: effectWriter.park,
    checkpoint: effectWriter.checkpoint,
    'truncate-parked': effectWriter.truncate,
  };
  return { consumers: consumers, effectWriter: effectWriter, pageReader: pageReader, handlers };
};

const now = (): number => performance.now();

export const startGroup = (deps: GroupRunnerDeps, start: GroupStart): RunningGroup => {
  const { definition, source } = start;
  const group = createGroup(definition.settings, start);
  const ended = { over: false, forgotten: false };
  const feed = (input: Input): void => {
    if (ended.forgotten) return;
    try {
      for (const effect of applyInput(group, input, now())) handleEffect(handlers, effect.kind, effect);
    } catch (error) {
      fail(error);
    }
    if (group.consumers.length === 0) pageReader.unsubscribe();
    if (!ended.over) timer.at(nextDueTime(group));
  };
  const stop = (reason: unknown, forgotten: boolean): void => {
    Object.assign(ended, { over: true, forgotten });
    pageReader.stop();
    timer.stop();
    consumers.dropAll(reason);
  };
  const fail = (error: unknown): void => {
    deps.report(error);
    stop(error, false);
  };
  const { consumers, effectWriter, pageReader, handlers } = createGroupParts({
    ...deps,
    start: start,
    group,
    feed,
    fail,
  });
  const timer = createDueTimer(now, () => feed({ kind: 'due' }));
  const replay: RunningGroup['replay'] = (range, stopAt) => feed({ kind: 'replay', ...range, stopAt });
  const { connect: join, peers } = consumers;
  return {
    definition,
    group,
    source,
    connect: join,
    peers,
    replay,
    stop,
    isOver: () => ended.over,
    idle: effectWriter.idle,
  };
};

/** One timer for all deadlines of a group. */
export interface DueTimer {
  /**
   * Calls back at that time or soon after. A timer for an earlier time stays: its callback sets the next
   * one.
   */
  readonly at: (time: number) => void;
  readonly stop: () => void;
}

const maxTimerMilliseconds = 2 ** 31 - 1;

const createDueTimer = (now: () => number, wake: () => void): DueTimer => {
  let due = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    due = Number.POSITIVE_INFINITY;
  };
  return {
    at: (time) => {
      if (time >= due) return;
      stop();
      due = time;
      timer = setTimeout(
        () => {
          due = Number.POSITIVE_INFINITY;
          wake();
        },
        Math.min(Math.max(Math.ceil(time - now()), 0), maxTimerMilliseconds),
      );
      timer.unref();
    },
    stop,
  };
};
