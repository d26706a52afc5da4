/** What becomes of a message that was given out: settled, given out again, or parked. */
import type { Consumer, Held, Message, NackAction } from './message';
import type { Group, Step } from './state';

const settled = (group: Group, message: Message): void => {
  if (!message.replayed) group.progress += 1;
};

const mostMeasured = 1_000;

/** Takes it from its consumer. */
const release = ({ group, now }: Step, { message, consumer, since }: Held): void => {
  group.held.delete(message.id);
  consumer.held -= 1;
  group.pins.ended(message.pin, consumer);
  if (consumer.latencies === undefined) return;
  consumer.latencies.push(Math.floor(now - since));
  if (consumer.latencies.length > mostMeasured) consumer.latencies.shift();
};

/** In order, so that what is oldest goes first; replayed ones last. Most come in order: looked for from the end. */
const putBack = ({ retry }: Group, message: Message): void => {
  const before = message.replayed
    ? retry.length - 1
    : retry.findLastIndex((other) => !other.replayed && other.at < message.at);
  retry.splice(before + 1, 0, message);
};

const park = ({ group, effects }: Step, message: Message, reason: string): void => {
  group.parking.set(message.id, message);
  effects.push({ kind: 'park', message, reason });
};

const retry = (step: Step, held: Held): void => {
  const { group } = step;
  const { message } = held;
  release(step, held);
  const most = group.settings.maxRetryCount;
  if (message.retries >= most) park(step, message, `Reached retry count of ${most}`);
  else putBack(group, { ...message, retries: message.retries + 1 });
};

export const acknowledge = (step: Step, ids: readonly string[]): void => {
  for (const id of ids) {
    const held = step.group.held.get(id);
    if (held === undefined) continue;
    release(step, held);
    settled(step.group, held.message);
  }
};

export const refuse = (step: Step, ids: readonly string[], action: NackAction, reason: string): void => {
  for (const id of ids) {
    const held = step.group.held.get(id);
    if (held === undefined) continue;
    if (action === 'retry' || action === 'unknown') retry(step, held);
    else {
      release(step, held);
      if (action === 'park') park(step, held.message, `Client explicitly NAK'ed message.\n${reason}`);
      // A real node lets go of an event for `stop` as for `skip`.
      else settled(step.group, held.message);
    }
  }
};

export const forget = (step: Step, id: string): void => {
  const { group } = step;
  const held = group.held.get(id);
  if (held !== undefined) release(step, held);
  const message = held?.message ?? group.parking.get(id);
  group.parking.delete(id);
  if (message !== undefined) settled(group, message);
};

/** One that could not be written to the parked stream is given out again. */
export const parked = ({ group }: Step, id: string, stored: boolean): void => {
  const message = group.parking.get(id);
  if (message === undefined) return;
  group.parking.delete(id);
  if (stored) settled(group, message);
  else putBack(group, message);
};

/** They expire in the order in which they were given out. */
export const expire = (step: Step): void => {
  for (const held of [...expired(step)]) retry(step, held);
};

const expired = function* ({ group, now }: Step): Generator<Held> {
  for (const held of group.held.values()) {
    if (held.expires > now) return;
    yield held;
  }
};

export const nextExpiry = ({ held }: Group): number => {
  for (const { expires } of held.values()) return expires;
  return Number.POSITIVE_INFINITY;
};

/** What it held goes to others, whatever its count of retries. */
export const abandon = (step: Step, consumer: Consumer): void => {
  const { group } = step;
  for (const held of [...group.held.values()]) {
    if (held.consumer !== consumer) continue;
    release(step, held);
    putBack(group, { ...held.message, retries: held.message.retries + 1 });
  }
};
