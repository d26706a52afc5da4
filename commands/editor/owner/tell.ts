/** What is in the log by now, said to whoever follows, and then to whoever waits for it. */
import { right } from 'fp-ts/Either';
import { joined } from './frames';
import type { Part } from './gather';
import type { Owned } from './owned';
import type { Pending } from './pending';
import type { Frame, Rebased, Told } from './told';

const tellAll = ({ listeners }: Owned, told: Told): void => {
  for (const listener of [...listeners]) listener(told);
};

const frameOf = ({ fromVersion, told }: Part): Frame => ({
  kind: 'operations',
  fromVersion,
  toVersion: fromVersion + told.length - 1,
  operations: told,
});

export const tellCommitted = (owned: Owned, parts: readonly Part[]): void => {
  for (const frame of joined(parts.map(frameOf))) {
    owned.ring.add(frame);
    owned.committedVersion = frame.toVersion;
    tellAll(owned, frame);
  }
};

export const tellRebased = (owned: Owned, { snapshot }: Rebased): void => {
  owned.ring.restart(snapshot.version);
  owned.committedVersion = snapshot.version;
  tellAll(owned, { kind: 'rebased', snapshot });
};

export const answerAll = ({ committedVersion }: Owned, finished: readonly Pending[]): void => {
  for (const { answer, results } of finished) answer(right({ committedVersion, results }));
};
