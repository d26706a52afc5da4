/** What happens to a delivered message: it is acknowledged, retried or parked. */
import type { Consumer, InFlightMessage, Message, NackAction } from './messages';
import type { Group, Step } from './state';

const countHandled = (group: Group, message: Message): void => {
  if (!message.replayed) group.progress += 1;
};

const maxLatencies = 1_000;

/** Removes the message from its consumer. */
const takeFromConsumer = ({ group, now }: Step, { message, consumer, since }: InFlightMessage): void => {
  group.inFlight.delete(message.id);
  consumer.inFlight -= 1;
  group.pins.messageHandled(message.pin, consumer);
  if (consumer.latencies === undefined) return;
  consumer.latencies.push(Math.floor(now - since));
  if (consumer.latencies.length > maxLatencies) consumer.latencies.shift();
};

/**
 * Keeps retries in order, oldest first and replayed ones last. Most arrive in order, so the search starts at the end.
 */
const requeue = ({ retry }: Group, message: Message): void => {
  const before = message.replayed
    ? retry.length - 1
    : retry.findLastIndex((other) => !other.replayed && other.at < message.at);
  retry.splice(before + 1, 0, message);
};

const park = ({ group, effects }: Step, message: Message, reason: string): void => {
  group.parking.set(message.id, message);
  effects.push({ kind: 'park', message, reason });
};

const retry = (step: Step, inFlight: InFlightMessage): void => {
  const { group } = step;
  const { message } = inFlight;
  takeFromConsumer(step, inFlight);
  const maxRetries = group.settings.maxRetryCount;
  if (message.retries >= maxRetries) park(step, message, `Reached retry count of ${maxRetries}`);
  else requeue(group, { ...message, retries: message.retries + 1 });
};

export const acknowledge = (step: Step, ids: readonly string[]): void => {
  for (const id of ids) {
    const inFlight = step.group.inFlight.get(id);
    if (inFlight === undefined) continue;
    takeFromConsumer(step, inFlight);
    countHandled(step.group, inFlight.message);
  }
};

export const negativeAcknowledge = (step: Step, ids: readonly string[], action: NackAction, reason: string): void => {
  for (const id of ids) {
    const inFlight = step.group.inFlight.get(id);
    if (inFlight === undefined) continue;
    if (action === 'retry' || action === 'unknown') retry(step, inFlight);
    else {
      takeFromConsumer(step, inFlight);
      if (action === 'park') park(step, inFlight.message, `Client explicitly NAK'ed message.\n${reason}`);
      // A real node lets go of an event for `stop` as for `skip`.
      else countHandled(step.group, inFlight.message);
    }
  }
};

export const dropMessage = (step: Step, id: string): void => {
  const { group } = step;
  const inFlight = group.inFlight.get(id);
  if (inFlight !== undefined) takeFromConsumer(step, inFlight);
  const message = inFlight?.message ?? group.parking.get(id);
  group.parking.delete(id);
  if (message !== undefined) countHandled(group, message);
};

/** A message that could not be written to the parked stream is retried. */
export const applyParked = ({ group }: Step, id: string, stored: boolean): void => {
  const message = group.parking.get(id);
  if (message === undefined) return;
  group.parking.delete(id);
  if (stored) countHandled(group, message);
  else requeue(group, message);
};

/** Messages expire in the order in which they were delivered. */
export const retryExpired = (step: Step): void => {
  for (const inFlight of [...expiredMessages(step)]) retry(step, inFlight);
};

const expiredMessages = function* ({ group, now }: Step): Generator<InFlightMessage> {
  for (const inFlight of group.inFlight.values()) {
    if (inFlight.expires > now) return;
    yield inFlight;
  }
};

export const nextExpiry = ({ inFlight }: Group): number => {
  for (const { expires } of inFlight.values()) return expires;
  return Number.POSITIVE_INFINITY;
};

/** Its unacknowledged messages go to other consumers, without counting as a retry. */
export const releaseConsumer = (step: Step, consumer: Consumer): void => {
  const { group } = step;
  for (const inFlight of [...group.inFlight.values()]) {
    if (inFlight.consumer !== consumer) continue;
    takeFromConsumer(step, inFlight);
    requeue(group, { ...inFlight.message, retries: inFlight.message.retries + 1 });
  }
};
