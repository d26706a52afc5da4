/** Delivers parked messages again. The parked stream is truncated only after the replayed messages are handled. */
import type { FoundEvent, Message, Page } from './messages';
import { freeBufferSlots, type Group, pageSize, type Step } from './state';

export interface ParkedRange {
  /** Both inclusive. */
  readonly first: number;
  readonly last: number;
  readonly stopAt: number | undefined;
}

export const startReplay = ({ group }: Step, { first, last, stopAt }: ParkedRange): void => {
  if (group.replay !== undefined) return;
  const next = Math.max(first, group.replayedTo);
  const end = Math.min(stopAt ?? last + 1, last + 1);
  group.truncatedTo = Math.max(group.truncatedTo, first);
  if (next < end) group.replay = { next, stopAt: end };
};

export const requestParkedPage = ({ group, effects }: Step): void => {
  const { replay } = group;
  if (replay === undefined || group.readingParked || group.consumers.length === 0) return;
  if (freeBufferSlots(group) < pageSize(group)) return;
  group.readingParked = true;
  const limit = Math.min(pageSize(group), replay.stopAt - replay.next);
  effects.push({ kind: 'read-parked', from: replay.next, limit });
};

const toReplayedMessage = ({ ordinal: _, previous = 0, ...found }: FoundEvent): Message => ({
  ...found,
  previous,
  sequence: 0,
  retries: 0,
  replayed: true,
});

export const applyParkedPage = ({ group }: Step, { found, next, end }: Page): void => {
  group.readingParked = false;
  const { replay } = group;
  if (replay === undefined) return;
  group.retry.push(...found.filter(({ at }) => at < replay.stopAt).map(toReplayedMessage));
  replay.next = end ? replay.stopAt : Math.min(next, replay.stopAt);
  group.replayedTo = replay.next;
  if (replay.next >= replay.stopAt) group.replay = undefined;
};

/** All replayed messages below this revision are handled. */
const replayHandledTo = ({ retry, inFlight, parking, replayedTo }: Group): number => {
  let lowest = replayedTo;
  const consider = (message: Message): void => {
    if (message.replayed && message.at < lowest) lowest = message.at;
  };
  retry.forEach(consider);
  parking.forEach(consider);
  for (const { message } of inFlight.values()) consider(message);
  return lowest;
};

/** Each truncation writes an event. */
const minTruncationStep = 100;

export const requestTruncation = ({ group, effects }: Step): void => {
  if (group.truncating || group.replayedTo <= group.truncatedTo) return;
  const before = replayHandledTo(group);
  if (before < group.replayedTo && before - group.truncatedTo < minTruncationStep) return;
  group.truncating = true;
  effects.push({ kind: 'truncate-parked', before });
};

export const applyTruncated = ({ group }: Step, before: number, stored: boolean): void => {
  group.truncating = false;
  if (stored) group.truncatedTo = Math.max(group.truncatedTo, before);
};
