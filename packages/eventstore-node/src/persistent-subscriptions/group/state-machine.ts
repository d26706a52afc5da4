/** A group of consumers as a state machine: inputs go in, effects come out. No clock, no I/O. */

import {
  acknowledge,
  applyParked,
  dropMessage,
  negativeAcknowledge,
  nextExpiry,
  releaseConsumer,
  retryExpired,
} from './acknowledge';
import { applyCheckpointed, nextCheckpoint, saveCheckpoint, saveRemaining } from './checkpoint';
import { dispatchMessages } from './dispatch';
import type { Effect, FoundEvent, Input, Message, Page } from './messages';
import { applyParkedPage, applyTruncated, requestParkedPage, requestTruncation, startReplay } from './replay-parked';
import { freeBufferSlots, type Group, pageSize, type Step } from './state';

const connect = ({ group }: Step, id: number, slots: number): void => {
  const latencies = group.settings.extraStatistics ? [] : undefined;
  group.consumers.push({ id, slots, inFlight: 0, total: 0, latencies });
  group.pins.consumersChanged();
};

const disconnect = (step: Step, id: number): void => {
  const { group } = step;
  const index = group.consumers.findIndex((consumer) => consumer.id === id);
  const [consumer] = index < 0 ? [] : group.consumers.splice(index, 1);
  if (consumer === undefined) return;
  if (group.turn > index) group.turn -= 1;
  if (group.turn >= group.consumers.length) group.turn = 0;
  group.pins.consumerLeft(consumer);
  releaseConsumer(step, consumer);
  if (group.consumers.length === 0) saveRemaining(step);
};

const createMessage = ({ at, previous, ordinal, position, id, pin }: FoundEvent, { scannedTo }: Group): Message => ({
  at,
  previous: previous ?? scannedTo.at,
  sequence: scannedTo.sequence + ordinal,
  position,
  id,
  pin,
  retries: 0,
  replayed: false,
});

const applyPage = ({ group }: Step, page: Page): void => {
  const { sequence } = group.scannedTo;
  group.reading = false;
  for (const found of page.found) group.buffer.push(createMessage(found, group));
  group.lastFound = page.found.at(-1)?.at ?? group.lastFound;
  group.scannedTo = { at: page.last ?? group.scannedTo.at, sequence: sequence + page.scanned };
  group.next = page.next;
  group.progress += page.scanned - page.found.length;
  group.caughtUp = page.end && !group.hasNewCommit;
  group.hasNewCommit = false;
};

const requestNextPage = ({ group, effects }: Step): void => {
  if (group.reading || group.caughtUp || group.consumers.length === 0) return;
  const limit = pageSize(group);
  // Replayed messages come first and must find room.
  if (group.replay !== undefined || freeBufferSlots(group) < limit) return;
  group.reading = true;
  effects.push({ kind: 'read', from: group.next, limit });
};

const markNewCommit = ({ group }: Step): void => {
  group.caughtUp = false;
  group.hasNewCommit = group.reading;
};

type InputBy = { readonly [Kind in Input['kind']]: Extract<Input, { kind: Kind }> };
type InputHandlers<Kinds extends Input['kind'] = Input['kind']> = {
  readonly [Kind in Kinds]: (step: Step, input: InputBy[Kind]) => void;
};

const inputHandlers: InputHandlers = {
  connected: (step, { consumer, slots }) => connect(step, consumer, slots),
  disconnected: (step, { consumer }) => disconnect(step, consumer),
  rung: markNewCommit,
  read: (step, { page }) => applyPage(step, page),
  acked: (step, { ids }) => acknowledge(step, ids),
  nacked: (step, { ids, action, reason }) => negativeAcknowledge(step, ids, action, reason),
  gone: (step, { id }) => dropMessage(step, id),
  parked: (step, { id, stored }) => {
    applyParked(step, id, stored);
    if (step.group.consumers.length === 0) saveRemaining(step);
  },
  replay: startReplay,
  'parked-read': (step, { page }) => applyParkedPage(step, page),
  truncated: (step, { before, stored }) => applyTruncated(step, before, stored),
  checkpointed: (step, input) => applyCheckpointed(step, input, input.stored),
  due: retryExpired,
};

interface Taken<Kind extends Input['kind']> {
  readonly kind: Kind;
  readonly input: InputBy[Kind];
}

const take = <Kind extends Input['kind']>(by: InputHandlers<Kind>, step: Step, { kind, input }: Taken<Kind>): void =>
  by[kind](step, input);

export const applyInput = (group: Group, input: Input, now: number): readonly Effect[] => {
  const effects: Effect[] = [];
  const step = { group, now, effects };
  take(inputHandlers, step, { kind: input.kind, input });
  dispatchMessages(step);
  requestParkedPage(step);
  requestNextPage(step);
  saveCheckpoint(step);
  requestTruncation(step);
  return effects;
};

/** When it needs the input `due` next; infinite when no deadline is set. */
export const nextDueTime = (group: Group): number => Math.min(nextExpiry(group), nextCheckpoint(group));
