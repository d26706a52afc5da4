/** Leaving a document in good order: what waits is finished, and kept so that whoever opens it next has little to read. */
import { setImmediate as answered, setTimeout as sleep } from 'node:timers/promises';
import { runCommitLoop } from '../commit/commit-loop';
import { takeSnapshot } from '../commit/snapshot-scheduler';
import type { CloseReason } from '../document-handle';
import { closeOwnedDocument, isClosed, type OwnedDocument } from '../owned-document';

const untilIdle = async (owned: OwnedDocument): Promise<void> => {
  while (owned.committing !== undefined && !isClosed(owned)) await owned.committing;
};

const needsSnapshot = ({ content, deps }: OwnedDocument): boolean =>
  content.tail.operations >= deps.settings.snapshot.minOperations;

const takeFinalSnapshot = async (owned: OwnedDocument): Promise<void> => {
  if (owned.takingSnapshot !== undefined) await owned.takingSnapshot;
  await untilIdle(owned);
  if (!isClosed(owned) && needsSnapshot(owned)) await takeSnapshot(owned, () => runCommitLoop(owned));
  await untilIdle(owned);
};

/** Nobody can have it before: not even the best of tails is worth a long wait. */
const withTimeout = async (work: Promise<void>, milliseconds: number): Promise<void> => {
  const over = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([work, late]);
  over.abort();
};

export const unloadDocument = async (owned: OwnedDocument, reason: CloseReason): Promise<void> => {
  owned.closing = true;
  await Promise.allSettled([...owned.preparing.values()]);
  await untilIdle(owned);
  const finished = takeFinalSnapshot(owned);
  await (reason === 'draining' ? withTimeout(finished, owned.deps.settings.drainMilliseconds) : finished);
  // What was answered is told before its sessions end.
  await answered();
  closeOwnedDocument(owned, reason);
};
