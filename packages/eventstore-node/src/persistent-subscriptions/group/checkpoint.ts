/** How far all messages are handled, and when to write that down as a checkpoint. */
import type { Message } from './messages';
import type { Checkpoint, Group, Step } from './state';

const earlier = (one: Message | undefined, other: Message): Message =>
  one === undefined || other.sequence < one.sequence ? other : one;

/** The first message that is not handled: buffered, delivered, waiting for a retry, or being parked. */
const firstUnhandled = ({ buffer, retry, inFlight, parking }: Group): Message | undefined => {
  let first = buffer[0];
  for (const { message } of inFlight.values()) if (!message.replayed) first = earlier(first, message);
  for (const message of parking.values()) if (!message.replayed) first = earlier(first, message);
  for (const message of retry) if (!message.replayed) first = earlier(first, message);
  return first;
};

const handledUpTo = (group: Group): Checkpoint => {
  const first = firstUnhandled(group);
  return first === undefined ? group.scannedTo : { at: first.previous, sequence: first.sequence - 1 };
};

/** EventStoreDB checks once a second; more often would be of no use. */
const minIntervalMilliseconds = 100;
const interval = ({ settings }: Group): number =>
  settings.checkpointAfter === 0
    ? Number.POSITIVE_INFINITY
    : Math.max(settings.checkpointAfter, minIntervalMilliseconds);

const save = ({ group, effects }: Step, checkpoint: Checkpoint): void => {
  group.saving = true;
  effects.push({ kind: 'checkpoint', ...checkpoint });
};

const trySave = (step: Step, minCount: number): void => {
  const { group, now } = step;
  if (group.saving) return;
  group.progress = 0;
  group.triedAt = now;
  const settled = handledUpTo(group);
  if (settled.sequence - (group.saved?.sequence ?? 0) >= Math.max(minCount, 1)) save(step, settled);
};

export const nextCheckpoint = (group: Group): number =>
  group.progress === 0 || group.saving ? Number.POSITIVE_INFINITY : group.triedAt + interval(group);

export const saveCheckpoint = (step: Step): void => {
  const { group, now } = step;
  const { minCheckpointCount, maxCheckpointCount } = group.settings;
  if (group.progress >= Math.max(maxCheckpointCount, 1)) trySave(step, maxCheckpointCount);
  else if (now >= nextCheckpoint(group)) trySave(step, minCheckpointCount);
};

/** Writes a checkpoint whatever the counts are: no consumer is left that could move it later. */
export const saveRemaining = (step: Step): void => trySave(step, 1);

export const applyCheckpointed = (step: Step, { at, sequence }: Checkpoint, stored: boolean): void => {
  const { group } = step;
  group.saving = false;
  if (stored) group.saved = { at, sequence };
  else group.progress = Math.max(group.progress, 1);
  if (stored && group.consumers.length === 0) saveRemaining(step);
};
