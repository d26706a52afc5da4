/** Commits a restore in an append of its own, while other batches wait. */
import { isLeft } from 'fp-ts/Either';
import type { Operation } from '../../../../domain/editor/operation';
import {
  decodeClientTable,
  encodeClientTable,
  recordCommitted,
} from '../../../../domain/editor/operation-log/client-table';
import { broadcastSceneReplaced } from '../broadcast/broadcast';
import { type BuildContext, type ClientBatch, submitterOf } from './append-builder';
import type { AppendOutcome } from './log-writer';
import { appendWithRetry, batchEvent, snapshotEvent } from './log-writer';
import { processGroup } from './process-group';
import { type QueuedBatch, retryLater } from './queued-batch';
import { type RestoredScene, replaceScene, snapshotAsCurrent } from './restored-scene';

/** The committed operation names the snapshot, so that a replay need not find the version again. */
const withSnapshotReference = (operation: Operation, { snapshot }: RestoredScene): Operation => ({
  ...operation,
  payload: {
    version: snapshot.version,
    snapshot: { manifestKey: snapshot.compressedSceneKey, checksum: snapshot.checksum },
  },
});

const rejectVersion = (batch: QueuedBatch, { opId }: Operation): void => {
  batch.results.push({ opId, status: 'rejected', reason: 'version-unknown' });
};

const restoreBatch = (batch: QueuedBatch, operation: Operation, version: number): ClientBatch => ({
  batch,
  fromVersion: version,
  operations: [operation],
  serialized: [JSON.stringify(operation)],
  lastClientSeq: operation.clientSeq,
});

/** Appends the restore and replaces the scene. `not-stored`: the snapshot could not be stored, and nothing changed. */
const appendRestore = async (
  { owned, at }: BuildContext,
  { part, restored }: { readonly part: ClientBatch; readonly restored: RestoredScene },
): Promise<AppendOutcome | { readonly kind: 'not-stored' }> => {
  const { content, deps, documentKey, stream } = owned;
  const clients = decodeClientTable(encodeClientTable(content.clients));
  recordCommitted(clients, { ...part, clientId: part.batch.submission.clientId });
  const taken = await snapshotAsCurrent(deps, documentKey, { restored, version: part.fromVersion, clients });
  if (isLeft(taken)) return { kind: 'not-stored' };
  const events = [batchEvent(owned, part, at), snapshotEvent(owned, taken.right, at)];
  const end = await appendWithRetry(deps, { stream, after: content.revision, events });
  if (end.kind !== 'written') return end;
  content.clients = clients;
  content.revision = end.revision;
  owned.unrecordedSnapshot = undefined;
  replaceScene(content, restored.scene, taken.right);
  broadcastSceneReplaced(owned, { kind: 'rebased', snapshot: taken.right });
  return end;
};

/** Processes the restore of the first queued batch. Returns the outcome of a failed append, otherwise undefined. */
export const commitRestore = async (build: BuildContext, batch: QueuedBatch): Promise<AppendOutcome | undefined> => {
  const { owned } = build;
  const { clientId, principalId, isOnce } = batch.submission;
  const group = batch.groups[batch.processed] ?? [];
  const { bytes } = owned.deps.settings.append;
  const result = processGroup(owned.content, group, { submitter: submitterOf(batch, build), maxBytes: bytes });
  const [operation] = result.committed;
  const restored = operation === undefined ? undefined : batch.restoredScenes.get(operation.opId);
  if (operation !== undefined && restored !== undefined) {
    const part = restoreBatch(batch, withSnapshotReference(operation, restored), owned.content.version + 1);
    const end = await appendRestore(build, { part, restored });
    if (end.kind === 'not-stored') {
      owned.queue.splice(owned.queue.indexOf(batch), 1);
      batch.answer(retryLater('The version cannot be put back right now.'));
      return undefined;
    }
    if (end.kind !== 'written') return end;
    batch.results.push({
      opId: operation.opId,
      status: 'applied',
      version: part.fromVersion,
      op: part.operations[0],
    });
  } else if (operation !== undefined) rejectVersion(batch, operation);
  else batch.results.push(...result.outcomes);
  if (isOnce !== true)
    for (const { clientSeq: lastClientSeq } of group) owned.sequences.settle(clientId, { principalId, lastClientSeq });
  batch.processed += 1;
  return undefined;
};
