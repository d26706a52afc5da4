/** Unloads a document: completes its queue, and takes a snapshot so that the next owner has little to replay. */
import { setImmediate as answered, setTimeout as sleep } from 'node:timers/promises';
import type { CloseReason } from '../document-handle';
import type { OwnedDocument } from '../owned-document';

const needsSnapshot = ({ content, deps }: OwnedDocument): boolean =>
  content.tail.operations >= deps.settings.snapshot.minOperations;

const takeFinalSnapshot = async (owned: OwnedDocument): Promise<void> => {
  const { commitLoop, lifetime, snapshots } = owned;
  await snapshots.inProgress();
  await commitLoop.idle();
  if (!lifetime.isClosed() && needsSnapshot(owned)) await commitLoop.takeSnapshot();
  await commitLoop.idle();
};

/** Upper bound on waiting for the snapshot: the next owner cannot open the document before. */
const withTimeout = async (work: Promise<void>, milliseconds: number): Promise<void> => {
  const over = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([work, late]);
  over.abort();
};

export const unloadDocument = async (owned: OwnedDocument, reason: CloseReason): Promise<void> => {
  const { commitLoop, lifetime } = owned;
  lifetime.stopAccepting();
  await commitLoop.prepared();
  await commitLoop.idle();
  const finished = takeFinalSnapshot(owned);
  await (reason === 'draining' ? withTimeout(finished, owned.deps.settings.drainMilliseconds) : finished);
  // Acknowledgements are sent before the sessions end.
  await answered();
  lifetime.close(reason);
};
