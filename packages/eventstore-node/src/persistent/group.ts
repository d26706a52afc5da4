/** A group of consumers as a state machine: what happens goes in, what is to be done comes out. No clock, no I/O. */
import { checkpointed, nextCheckpoint, saveAll, saveCheckpoint } from './checkpoint';
import { giveOut } from './give-out';
import type { Effect, Found, Input, Message, Page } from './message';
import { parkedRead, readParked, startReplay, truncated, truncateParked } from './replay';
import { abandon, acknowledge, expire, forget, nextExpiry, parked, refuse } from './settle';
import { batch, type Group, room, type Step } from './state';

const connect = ({ group }: Step, id: number, slots: number): void => {
  const latencies = group.settings.extraStatistics ? [] : undefined;
  group.consumers.push({ id, slots, held: 0, total: 0, latencies });
  group.pins.changed();
};

const disconnect = (step: Step, id: number): void => {
  const { group } = step;
  const index = group.consumers.findIndex((consumer) => consumer.id === id);
  const [consumer] = index < 0 ? [] : group.consumers.splice(index, 1);
  if (consumer === undefined) return;
  if (group.turn > index) group.turn -= 1;
  if (group.turn >= group.consumers.length) group.turn = 0;
  group.pins.left(consumer);
  abandon(step, consumer);
  if (group.consumers.length === 0) saveAll(step);
};

const messageOf = ({ at, previous, ordinal, position, id, pin }: Found, { looked }: Group): Message => ({
  at,
  previous: previous ?? looked.at,
  sequence: looked.sequence + ordinal,
  position,
  id,
  pin,
  retries: 0,
  replayed: false,
});

const read = ({ group }: Step, page: Page): void => {
  const { sequence } = group.looked;
  group.reading = false;
  for (const found of page.found) group.buffer.push(messageOf(found, group));
  group.lastFound = page.found.at(-1)?.at ?? group.lastFound;
  group.looked = { at: page.last ?? group.looked.at, sequence: sequence + page.looked };
  group.next = page.next;
  group.progress += page.looked - page.found.length;
  group.caughtUp = page.end && !group.rung;
  group.rung = false;
};

const readOn = ({ group, effects }: Step): void => {
  if (group.reading || group.caughtUp || group.consumers.length === 0) return;
  const limit = batch(group);
  // Parked messages that are being replayed come first, and must find room.
  if (group.replay !== undefined || room(group) < limit) return;
  group.reading = true;
  effects.push({ kind: 'read', from: group.next, limit });
};

const ring = ({ group }: Step): void => {
  group.caughtUp = false;
  group.rung = group.reading;
};

type InputBy = { readonly [Kind in Input['kind']]: Extract<Input, { kind: Kind }> };
type Takers<Kinds extends Input['kind'] = Input['kind']> = {
  readonly [Kind in Kinds]: (step: Step, input: InputBy[Kind]) => void;
};

const takers: Takers = {
  connected: (step, { consumer, slots }) => connect(step, consumer, slots),
  disconnected: (step, { consumer }) => disconnect(step, consumer),
  rung: ring,
  read: (step, { page }) => read(step, page),
  acked: (step, { ids }) => acknowledge(step, ids),
  nacked: (step, { ids, action, reason }) => refuse(step, ids, action, reason),
  gone: (step, { id }) => forget(step, id),
  parked: (step, { id, stored }) => {
    parked(step, id, stored);
    if (step.group.consumers.length === 0) saveAll(step);
  },
  replay: startReplay,
  'parked-read': (step, { page }) => parkedRead(step, page),
  truncated: (step, { before, stored }) => truncated(step, before, stored),
  checkpointed: (step, input) => checkpointed(step, input, input.stored),
  due: expire,
};

interface Taken<Kind extends Input['kind']> {
  readonly kind: Kind;
  readonly input: InputBy[Kind];
}

const take = <Kind extends Input['kind']>(by: Takers<Kind>, step: Step, { kind, input }: Taken<Kind>): void =>
  by[kind](step, input);

export const step = (group: Group, input: Input, now: number): readonly Effect[] => {
  const effects: Effect[] = [];
  const taking = { group, now, effects };
  take(takers, taking, { kind: input.kind, input });
  giveOut(taking);
  readParked(taking);
  readOn(taking);
  saveCheckpoint(taking);
  truncateParked(taking);
  return effects;
};

/** When it wants to be told that time has passed; infinite: not on its own account. */
export const dueAt = (group: Group): number => Math.min(nextExpiry(group), nextCheckpoint(group));
