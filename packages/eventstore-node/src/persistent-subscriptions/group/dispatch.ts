/** Delivers buffered messages to consumers that have room, by the group's strategy. */
import type { Consumer, Message } from './messages';
import type { Group, Step } from './state';

/** The limit for a whole group, whatever the number of its consumers and their buffer sizes. */
const maxInFlight = 50_000;
/** Pending writes are bounded as well. */
const maxParking = 1_000;

const hasRoom = ({ inFlight, slots }: Consumer): boolean => inFlight < slots;

/** `later`: leave it in the buffer and go on with the next; `none`: no consumer has room. */
type Choice = Consumer | 'later' | 'none';

/** The next consumer in turn; undefined when all are full. */
const findConsumerWithRoom = ({ consumers, turn }: Group): number | undefined => {
  for (let step = 0; step < consumers.length; step += 1) {
    const index = (turn + step) % consumers.length;
    const consumer = consumers[index];
    if (consumer !== undefined && hasRoom(consumer)) return index;
  }
  return undefined;
};

const isPinned = ({ settings }: Group): boolean =>
  settings.strategy === 'Pinned' || settings.strategy === 'PinnedByCorrelation';

const chooseConsumer = (group: Group, message: Message): Choice => {
  const index = group.inFlight.size < maxInFlight ? findConsumerWithRoom(group) : undefined;
  if (index === undefined) return 'none';
  // The log may hold an id more than once: an acknowledgement would name both.
  if (group.inFlight.has(message.id) || group.parking.has(message.id)) return 'later';
  if (isPinned(group)) {
    const owner = group.pins.ownerOf(message.pin, group.consumers);
    return owner !== undefined && hasRoom(owner) ? owner : 'later';
  }
  group.turn = group.settings.strategy === 'DispatchToSingle' ? index : (index + 1) % group.consumers.length;
  return group.consumers[index] ?? 'none';
};

const dispatchTo = ({ group, now, effects }: Step, message: Message, consumer: Consumer): void => {
  const { messageTimeout } = group.settings;
  const expires = messageTimeout === 0 ? Number.POSITIVE_INFINITY : now + messageTimeout;
  group.inFlight.set(message.id, { message, consumer, since: now, expires });
  consumer.inFlight += 1;
  consumer.total += 1;
  group.total += 1;
  group.pins.messageSent(message.pin, consumer);
  effects.push({ kind: 'send', consumer: consumer.id, message });
};

/** Returns whether there may be room for more. */
const dispatchFrom = (step: Step, messages: Message[]): boolean => {
  const skipped: Message[] = [];
  let dispatched = 0;
  for (const message of messages) {
    const choice = chooseConsumer(step.group, message);
    if (choice === 'none') break;
    dispatched += 1;
    if (choice === 'later') skipped.push(message);
    else dispatchTo(step, message, choice);
  }
  const all = dispatched === messages.length;
  if (dispatched > 0) messages.splice(0, dispatched, ...skipped);
  return all;
};

export const dispatchMessages = (step: Step): void => {
  const { group } = step;
  if (group.parking.size >= maxParking || group.consumers.length === 0) return;
  if (dispatchFrom(step, group.retry)) dispatchFrom(step, group.buffer);
};
