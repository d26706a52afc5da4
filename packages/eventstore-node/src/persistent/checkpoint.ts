/** How far everything is settled, and when that is worth writing down. */
import type { Message } from './message';
import type { Checkpoint, Group, Step } from './state';

const earlier = (one: Message | undefined, other: Message): Message =>
  one === undefined || other.sequence < one.sequence ? other : one;

/** The first message that is not settled: buffered, given out, to be given out again, or being parked. */
const firstUnsettled = ({ buffer, retry, held, parking }: Group): Message | undefined => {
  let first = buffer[0];
  for (const { message } of held.values()) if (!message.replayed) first = earlier(first, message);
  for (const message of parking.values()) if (!message.replayed) first = earlier(first, message);
  for (const message of retry) if (!message.replayed) first = earlier(first, message);
  return first;
};

const settledUpTo = (group: Group): Checkpoint => {
  const first = firstUnsettled(group);
  return first === undefined ? group.looked : { at: first.previous, sequence: first.sequence - 1 };
};

/** EventStoreDB looks once a second; oftener serves nobody. */
const shortestInterval = 100;
const interval = ({ settings }: Group): number =>
  settings.checkpointAfter === 0 ? Number.POSITIVE_INFINITY : Math.max(settings.checkpointAfter, shortestInterval);

const save = ({ group, effects }: Step, checkpoint: Checkpoint): void => {
  group.saving = true;
  effects.push({ kind: 'checkpoint', ...checkpoint });
};

const attempt = (step: Step, least: number): void => {
  const { group, now } = step;
  if (group.saving) return;
  group.progress = 0;
  group.triedAt = now;
  const settled = settledUpTo(group);
  if (settled.sequence - (group.saved?.sequence ?? 0) >= Math.max(least, 1)) save(step, settled);
};

export const nextCheckpoint = (group: Group): number =>
  group.progress === 0 || group.saving ? Number.POSITIVE_INFINITY : group.triedAt + interval(group);

export const saveCheckpoint = (step: Step): void => {
  const { group, now } = step;
  const { minCheckpointCount, maxCheckpointCount } = group.settings;
  if (group.progress >= Math.max(maxCheckpointCount, 1)) attempt(step, maxCheckpointCount);
  else if (now >= nextCheckpoint(group)) attempt(step, minCheckpointCount);
};

/** Whatever there is: nobody is left who could move it. */
export const saveAll = (step: Step): void => attempt(step, 1);

export const checkpointed = (step: Step, { at, sequence }: Checkpoint, stored: boolean): void => {
  const { group } = step;
  group.saving = false;
  if (stored) group.saved = { at, sequence };
  else group.progress = Math.max(group.progress, 1);
  if (stored && group.consumers.length === 0) saveAll(step);
};
