/** Runs a group's state machine: reads and writes for it, keeps its time, and hands messages to its calls. */
import type { Bell } from '../bell';
import { positionKey } from '../storage/database';
import { DamagedRecord } from '../storage/read';
import { idOf, isIntact, type StoredRecord } from '../storage/record';
import type { Storage } from '../storage/storage';
import type { Writer } from '../storage/writer';
import type { Definition } from './configuration';
import { createDurable } from './durable';
import { dueAt, step } from './group';
import { createMembers, type Members } from './members';
import type { Effect, Input, Message } from './message';
import { createReads } from './reads';
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
  const bytes = tables.log.get(positionKey(position));
  if (bytes === undefined) return undefined;
  if (!isIntact(bytes)) throw new DamagedRecord(position);
  return idOf(bytes) === id ? { position, bytes } : undefined;
};

type Handlers = { readonly [Kind in Effect['kind']]: (effect: Extract<Effect, { kind: Kind }>) => void };

const now = (): number => performance.now();

export const run = ({ storage, writer, bell, report }: Surroundings, begin: Begin): Running => {
  const { definition, source, parkedSource } = begin;
  const group = createGroup(definition.settings, begin);
  let over = false;
  let forgotten = false;
  const feed = (input: Input): void => {
    if (forgotten) return;
    try {
      for (const effect of step(group, input, now())) handlers[effect.kind](effect as never);
    } catch (error) {
      fail(error);
    }
    if (group.consumers.length === 0) reads.unfollow();
    if (!over) timer.at(dueAt(group));
  };
  const load = (message: Message): StoredRecord | undefined => recordOf(storage, message);
  const members = createMembers({ group, feed, load });
  const durable = createDurable({ storage, writer, definition, load, feed });
  const reads = createReads({ source, bell, feed });
  const timer = createTimer(now, () => feed({ kind: 'due' }));
  const stop = (reason: unknown, forget: boolean): void => {
    over = true;
    forgotten = forget;
    reads.stop();
    timer.stop();
    members.dropAll(reason);
  };
  const fail = (error: unknown): void => {
    report(error);
    stop(error, false);
  };
  const page = (from: Source, { from: first, limit }: { from: number; limit: number }, kind: 'read' | 'parked-read') =>
    void reads
      .read(from, first, limit)
      .then((read) => read && feed({ kind, page: read }))
      .catch(fail);
  const handlers: Handlers = {
    send: ({ consumer, message }) => members.send(consumer, message),
    read: (effect) => {
      reads.follow();
      page(source, effect, 'read');
    },
    'read-parked': (effect) => page(parkedSource, effect, 'parked-read'),
    park: durable.park,
    checkpoint: durable.checkpoint,
    'truncate-parked': durable.truncate,
  };
  return {
    definition,
    group,
    source,
    join: members.join,
    peers: members.peers,
    replay: (range, stopAt) => feed({ kind: 'replay', ...range, stopAt }),
    stop,
    isOver: () => over,
    idle: durable.idle,
  };
};
