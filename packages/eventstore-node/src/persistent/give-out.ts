/** Gives buffered messages to consumers that have room, as the strategy says. */
import type { Consumer, Message } from './message';
import type { Group, Step } from './state';

/** Whatever room its consumers have, and however many they are. */
const mostHeld = 50_000;
/** Unanswered writes are bounded as well. */
const mostParking = 1_000;

const hasRoom = ({ held, slots }: Consumer): boolean => held < slots;

/** `later`: leave it in the buffer and go on with the next; `none`: nobody has room. */
type Choice = Consumer | 'later' | 'none';

/** From whose turn it is; undefined when all are full. */
const nextWithRoom = ({ consumers, turn }: Group): number | undefined => {
  for (let step = 0; step < consumers.length; step += 1) {
    const index = (turn + step) % consumers.length;
    const consumer = consumers[index];
    if (consumer !== undefined && hasRoom(consumer)) return index;
  }
  return undefined;
};

const isPinned = ({ settings }: Group): boolean =>
  settings.strategy === 'Pinned' || settings.strategy === 'PinnedByCorrelation';

const choose = (group: Group, message: Message): Choice => {
  const index = group.held.size < mostHeld ? nextWithRoom(group) : undefined;
  if (index === undefined) return 'none';
  // An id may stand in the log more than once: acknowledgements could not tell two of them apart.
  if (group.held.has(message.id) || group.parking.has(message.id)) return 'later';
  if (isPinned(group)) {
    const owner = group.pins.ownerOf(message.pin, group.consumers);
    return owner !== undefined && hasRoom(owner) ? owner : 'later';
  }
  group.turn = group.settings.strategy === 'DispatchToSingle' ? index : (index + 1) % group.consumers.length;
  return group.consumers[index] ?? 'none';
};

const give = ({ group, now, effects }: Step, message: Message, consumer: Consumer): void => {
  const { messageTimeout } = group.settings;
  const expires = messageTimeout === 0 ? Number.POSITIVE_INFINITY : now + messageTimeout;
  group.held.set(message.id, { message, consumer, since: now, expires });
  consumer.held += 1;
  consumer.total += 1;
  group.total += 1;
  group.pins.began(message.pin, consumer);
  effects.push({ kind: 'send', consumer: consumer.id, message });
};

/** Answers whether there may be room for more. */
const giveFrom = (step: Step, messages: Message[]): boolean => {
  const kept: Message[] = [];
  let taken = 0;
  for (const message of messages) {
    const choice = choose(step.group, message);
    if (choice === 'none') break;
    taken += 1;
    if (choice === 'later') kept.push(message);
    else give(step, message, choice);
  }
  const all = taken === messages.length;
  if (taken > 0) messages.splice(0, taken, ...kept);
  return all;
};

export const giveOut = (step: Step): void => {
  const { group } = step;
  if (group.parking.size >= mostParking || group.consumers.length === 0) return;
  if (giveFrom(step, group.retry)) giveFrom(step, group.buffer);
};
