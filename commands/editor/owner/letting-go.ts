/** Leaving a document in good order: what waits is finished, and kept so that whoever opens it next has little to read. */
import { setImmediate as answered, setTimeout as sleep } from 'node:timers/promises';
import { endOwned, isEnded, type Owned } from './owned';
import { takeSnapshot } from './snapshotting';
import { wake } from './turn';
import type { EndReason } from './types';

const settled = async (owned: Owned): Promise<void> => {
  while (owned.turn !== undefined && !isEnded(owned)) await owned.turn;
};

const isWorthKeeping = ({ content, deps }: Owned): boolean =>
  content.tail.operations >= deps.settings.snapshot.leastOperations;

const withSnapshot = async (owned: Owned): Promise<void> => {
  if (owned.taking !== undefined) await owned.taking;
  await settled(owned);
  if (!isEnded(owned) && isWorthKeeping(owned)) await takeSnapshot(owned, () => wake(owned));
  await settled(owned);
};

/** Nobody can have it before: not even the best of tails is worth a long wait. */
const inTime = async (work: Promise<void>, milliseconds: number): Promise<void> => {
  const over = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([work, late]);
  over.abort();
};

export const letGoOf = async (owned: Owned, reason: EndReason): Promise<void> => {
  owned.closing = true;
  await Promise.allSettled([...owned.preparing.values()]);
  await settled(owned);
  const kept = withSnapshot(owned);
  await (reason === 'draining' ? inTime(kept, owned.deps.settings.partingMilliseconds) : kept);
  // What was answered is told before its sessions end.
  await answered();
  endOwned(owned, reason);
};
