/** A consumer group over a small in-memory log, with writes that the test completes. */

import type {
  Effect,
  FoundEvent,
  Input,
  Message,
  Page,
} from '../../../../packages/eventstore-node/src/persistent-subscriptions/group/messages';
import { createGroup, type Group } from '../../../../packages/eventstore-node/src/persistent-subscriptions/group/state';
import {
  applyInput,
  nextDueTime,
} from '../../../../packages/eventstore-node/src/persistent-subscriptions/group/state-machine';
import type { GroupSettings } from '../../../../packages/eventstore-node/src/persistent-subscriptions/settings';

export const settings: GroupSettings = {
  resolveLinks: false,
  extraStatistics: false,
  startFrom: 'start',
  messageTimeout: 0,
  maxRetryCount: 3,
  minCheckpointCount: 1,
  maxCheckpointCount: 5,
  checkpointAfter: 0,
  maxSubscriberCount: 0,
  liveBufferSize: 10,
  historyBufferSize: 10,
  readBatchSize: 3,
  strategy: 'RoundRobin',
};

export interface World {
  readonly group: Group;
  /** Every message that was handed to a consumer, in order. */
  readonly sent: { readonly consumer: number; readonly message: Message }[];
  readonly waiting: Effect[];
  /** What a read found when it was requested: more may have arrived before it is answered. */
  readonly pages: WeakMap<Effect, Page>;
  readonly checkpoints: number[];
  readonly truncations: number[];
  readonly parked: Message[];
  now: number;
  /** Events of the log; those with an odd pin do not match the filter when there is one. */
  readonly log: { readonly id: string; readonly pin: number; readonly matches: boolean }[];
}

export const createWorld = (changes: Partial<GroupSettings> = {}, checkpoint?: number): World => ({
  group: createGroup({ ...settings, ...changes }, { next: (checkpoint ?? -1) + 1, checkpoint }),
  sent: [],
  waiting: [],
  pages: new WeakMap(),
  checkpoints: [],
  truncations: [],
  parked: [],
  now: 0,
  log: [],
});

const pageOf = ({ log }: World, from: number, limit: number): Page => {
  const found: FoundEvent[] = [];
  let at = from;
  for (; at < log.length && found.length < limit; at += 1) {
    const event = log[at];
    if (event?.matches !== true) continue;
    const previous = at === from ? undefined : at - 1;
    found.push({ at, previous, ordinal: at - from + 1, position: at, id: event.id, pin: event.pin });
  }
  const last = at === from ? undefined : at - 1;
  return { found, scanned: at - from, last, next: at, end: at >= log.length };
};

const take = (world: World, effect: Effect): void => {
  if (effect.kind === 'read') world.pages.set(effect, pageOf(world, effect.from, effect.limit));
  if (effect.kind === 'send') world.sent.push(effect);
  else world.waiting.push(effect);
};

export const feed = (world: World, input: Input): void => {
  for (const effect of applyInput(world.group, input, world.now)) take(world, effect);
};

export const append = (world: World, count: number, matches = true): void => {
  for (let index = 0; index < count; index += 1)
    world.log.push({ id: `event-${world.log.length}`, pin: world.log.length % 7, matches });
  feed(world, { kind: 'rung' });
};

const parkedPage = ({ parked }: World, from: number, limit: number): Page => {
  const found = parked.slice(from, from + limit).map(({ position, pin }, index): FoundEvent => {
    const at = from + index;
    return { at, previous: undefined, ordinal: index + 1, position, id: `parked-${at}`, pin };
  });
  const next = from + found.length;
  return { found, scanned: found.length, last: next - 1, next, end: next >= parked.length };
};

const answered = (world: World, effect: Effect, stored: boolean): Input | undefined => {
  switch (effect.kind) {
    case 'send':
      return undefined;
    case 'read':
      return { kind: 'read', page: world.pages.get(effect) ?? pageOf(world, effect.from, effect.limit) };
    case 'read-parked':
      return { kind: 'parked-read', page: parkedPage(world, effect.from, effect.limit) };
    case 'park':
      if (stored) world.parked.push(effect.message);
      return { kind: 'parked', id: effect.message.id, stored };
    case 'checkpoint':
      if (stored) world.checkpoints.push(effect.at);
      return { kind: 'checkpointed', at: effect.at, sequence: effect.sequence, stored };
    case 'truncate-parked':
      if (stored) world.truncations.push(effect.before);
      return { kind: 'truncated', before: effect.before, stored };
  }
};

/** Answers the oldest of what the group waits for; false when there is nothing. */
export const answerOne = (world: World, stored = true): boolean => {
  const effect = world.waiting.shift();
  const input = effect && answered(world, effect, stored);
  if (input !== undefined) feed(world, input);
  return effect !== undefined;
};

export const settle = (world: World): void => {
  while (answerOne(world));
};

/** Time goes on to the group's next due time. */
export const wait = (world: World): void => {
  const due = nextDueTime(world.group);
  if (!Number.isFinite(due)) return;
  world.now = Math.max(world.now, due);
  feed(world, { kind: 'due' });
};

export const connect = (world: World, consumer: number, slots = 10): void => {
  feed(world, { kind: 'connected', consumer, slots });
  settle(world);
};

export const heldBy = ({ group }: World, consumer: number): readonly string[] =>
  [...group.inFlight.values()].filter((held) => held.consumer.id === consumer).map(({ message }) => message.id);

/** What was handed to the consumer, by place. */
export const sentTo = ({ sent }: World, consumer: number): readonly number[] =>
  sent.filter((one) => one.consumer === consumer).map(({ message }) => message.at);
