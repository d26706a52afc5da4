/** Unloads a document: completes its queue, and takes a snapshot so that the next owner has little to replay. */
import { setImmediate as answered } from 'node:timers/promises';
import { withinMilliseconds } from '../../../../infra/server/runtime/within-milliseconds';
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

export const unloadDocument = async (owned: OwnedDocument, reason: CloseReason): Promise<void> => {
  const { commitLoop, lifetime } = owned;
  lifetime.stopAccepting();
  await commitLoop.prepared();
  await commitLoop.idle();
  const finished = takeFinalSnapshot(owned);
  // A drain bounds the wait for the snapshot, because the next owner cannot open the document before.
  await (reason === 'draining' ? withinMilliseconds(finished, owned.deps.settings.drainMilliseconds) : finished);
  // Acknowledgements are sent before the sessions end.
  await answered();
  lifetime.close(reason);
};
