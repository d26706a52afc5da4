/** Runs a group's state machine: reads and writes for it, keeps its time, and hands messages to its calls. */
import type { Bell } from '../bell';
import { positionKey } from '../storage/database';
import { idOf, isIntact, type StoredRecord } from '../storage/record';
import { DamagedRecord } from '../storage/records';
import type { Storage } from '../storage/storage';
import type { Writer } from '../storage/writer';
import type { Definition } from './configuration';
import { createDurable, type Durable } from './durable';
import { dueAt, step } from './group';
import { createMembers, type Members } from './members';
import type { Effect, Input, Message } from './message';
import { createReads, type Reads } from './reads';
import type { Source } from './source';
import { type Beginning, createGroup, type Group } from './state';
import { createTimer } from './timer';

export interface Surroundings {
  readonly storage: Storage;
  readonly writer: Writer;
  readonly bell: Bell;
  readonly report: (error: unknown) => void;
}

export interface Running extends Pick<Members, 'join' | 'peers'> {
  readonly definition: Definition;
  readonly group: Group;
  readonly source: Source;
  readonly replay: (range: { readonly first: number; readonly last: number }, stopAt: number | undefined) => void;
  /** Ends its calls; what is settled is written down unless the group is to be forgotten. */
  readonly stop: (reason: unknown, forget: boolean) => void;
  /** Damage ended it: the next call begins it anew. */
  readonly isOver: () => boolean;
  /** Resolves when nothing is being written. */
  readonly idle: () => Promise<void>;
}

export interface Begin extends Beginning {
  readonly definition: Definition;
  readonly source: Source;
  readonly parkedSource: Source;
}

/** Undefined when it was scavenged. */
const recordOf = ({ tables }: Storage, { position, id }: Message): StoredRecord | undefined => {
  const bytes = tables.newest.at(position)?.bytes ?? tables.log.get(positionKey(position));
  if (bytes === undefined) return undefined;
  if (!isIntact(bytes)) throw new DamagedRecord(position);
  return idOf(bytes) === id ? { position, bytes } : undefined;
};

type EffectBy = { readonly [Kind in Effect['kind']]: Extract<Effect, { kind: Kind }> };
type Handlers<Kinds extends Effect['kind'] = Effect['kind']> = {
  readonly [Kind in Kinds]: (effect: EffectBy[Kind]) => void;
};

const handleEffect = <Kind extends Effect['kind']>(
  handlers: Handlers<Kind>,
  kind: Kind,
  effect: EffectBy[Kind],
): void => handlers[kind](effect);

interface Parts {
  readonly members: Members;
  readonly durable: Durable;
  readonly reads: Reads;
  readonly handlers: Handlers;
}

interface Around extends Surroundings {
  readonly begin: Begin;
  readonly group: Group;
  readonly feed: (input: Input) => void;
  readonly fail: (error: unknown) => void;
}

const partsOf = ({ storage, writer, bell, begin, group, feed, fail }: Around): Parts => {
  const { definition, source, parkedSource } = begin;
  const load = (message: Message): StoredRecord | undefined => recordOf(storage, message);
  const members = createMembers({ group, feed, load });
  const durable = createDurable({ storage, writer, definition, load, feed });
  const reads = createReads({ source, bell, feed });
  const read = (from: Source, { from: first, limit }: { from: number; limit: number }, kind: 'read' | 'parked-read') =>
    void reads
      .read(from, first, limit)
      .then((page) => page && feed({ kind, page }))
      .catch(fail);
  const handlers: Handlers = {
    send: ({ consumer, message }) => members.send(consumer, message),
    read: (effect) => {
      reads.follow();
      read(source, effect, 'read');
    },
    'read-parked': (effect) => read(parkedSource, effect, 'parked-read'),
    park: durable.park,
    checkpoint: durable.checkpoint,
    'truncate-parked': durable.truncate,
  };
  return { members, durable, reads, handlers };
};

const now = (): number => performance.now();

export const run = (surroundings: Surroundings, begin: Begin): Running => {
  const { definition, source } = begin;
  const group = createGroup(definition.settings, begin);
  const ended = { over: false, forgotten: false };
  const feed = (input: Input): void => {
    if (ended.forgotten) return;
    try {
      for (const effect of step(group, input, now())) handleEffect(handlers, effect.kind, effect);
    } catch (error) {
      fail(error);
    }
    if (group.consumers.length === 0) reads.unfollow();
    if (!ended.over) timer.at(dueAt(group));
  };
  const stop = (reason: unknown, forgotten: boolean): void => {
    Object.assign(ended, { over: true, forgotten });
    reads.stop();
    timer.stop();
    members.dropAll(reason);
  };
  const fail = (error: unknown): void => {
    surroundings.report(error);
    stop(error, false);
  };
  const { members, durable, reads, handlers } = partsOf({ ...surroundings, begin, group, feed, fail });
  const timer = createTimer(now, () => feed({ kind: 'due' }));
  const replay: Running['replay'] = (range, stopAt) => feed({ kind: 'replay', ...range, stopAt });
  const { join, peers } = members;
  return { definition, group, source, join, peers, replay, stop, isOver: () => ended.over, idle: durable.idle };
};
