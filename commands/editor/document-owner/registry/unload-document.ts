/** Unloads a document: completes its queue, and takes a snapshot so that the next owner has little to replay. */
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

/** Upper bound on waiting for the snapshot: the next owner cannot open the document before. */
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
  // Acknowledgements are sent before the sessions end.
  await answered();
  closeOwnedDocument(owned, reason);
};
