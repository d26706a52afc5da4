/**
 * Restores an earlier version. Its scene is loaded before the batch is queued, so that other batches are not delayed;
 * the restore is committed in an append of its own, while other batches wait.
 */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ClientId } from '../../../../domain/editor/ids';
import { type Operation, payloadCodecs } from '../../../../domain/editor/operation';
import {
  decodeClientTable,
  encodeClientTable,
  recordCommitted,
} from '../../../../domain/editor/operation-log/client-table';
import type { BatchRefusal, Submission } from '../document-handle';
import type { DocumentParts } from '../document-parts';
import { type BuildContext, type ClientBatch, resolveGroup, submitterOf } from './append-builder';
import { type QueuedBatch, type RestoredScenes, retryLater, type SubmitOutcome, takenOver } from './batch-queue';
import { type AppendOutcome, appendWithRetry, batchEvent, snapshotEvent } from './log-writer';
import { loadRestoredScene, type RestoredScene, replaceScene, snapshotAsCurrent } from './restored-scene';

export const isRestore = ({ type }: Operation): boolean => type === 'restoreVersion';

const hasRestore = ({ operations }: Pick<Submission, 'operations'>): boolean => operations.some(isRestore);

type PreparationDeps = Pick<DocumentParts, 'deps' | 'documentKey' | 'lifetime'>;

const loadSceneFor = async (
  { deps, documentKey }: PreparationDeps,
  { payload }: Operation,
): Promise<Either<BatchRefusal, RestoredScene | undefined>> => {
  if (!payloadCodecs.restoreVersion.is(payload)) return right(undefined);
  const snapshot = await deps.snapshots.atVersion(documentKey, payload.version);
  if (!isLeft(snapshot)) return loadRestoredScene(deps, documentKey, snapshot.right);
  return snapshot.left.kind === 'rejection'
    ? right(undefined)
    : retryLater('The earlier version cannot be read right now.');
};

const loadRestoredScenes = async (
  document: PreparationDeps,
  { operations }: Submission,
): Promise<Either<BatchRefusal, RestoredScenes>> => {
  const found = new Map<Operation['opId'], RestoredScene>();
  for (const operation of operations.filter(isRestore)) {
    const scene = await loadSceneFor(document, operation);
    if (isLeft(scene)) return scene;
    if (scene.right !== undefined) found.set(operation.opId, scene.right);
  }
  return right(found);
};

/** Queues the batch, unless the document accepts no more. Resolves with the batch's answer. */
type Enqueue = (submission: Submission, scenes: RestoredScenes) => Promise<SubmitOutcome>;

export interface RestorePreparation {
  /** Whether the batch has a restore, or an earlier batch of its client is in preparation. */
  readonly isNeeded: (submission: Submission) => boolean;
  readonly prepare: (submission: Submission) => Promise<SubmitOutcome>;
  /** Resolves when all batches in preparation are answered. */
  readonly settled: () => Promise<void>;
}

export const createRestorePreparation = (document: PreparationDeps, enqueue: Enqueue): RestorePreparation => {
  /** A client's later batches must not overtake one that is in preparation. */
  const byClient = new Map<ClientId, Promise<SubmitOutcome>>();
  /** One restore at a time, because each holds a second scene in memory. */
  let lastRestore: Promise<unknown> = Promise.resolve();
  const loadAndEnqueue = async (submission: Submission): Promise<SubmitOutcome> => {
    // Earlier restores may have taken long.
    if (!document.lifetime.isAccepting()) return takenOver();
    const scenes = await loadRestoredScenes(document, submission);
    return isLeft(scenes) ? scenes : enqueue(submission, scenes.right);
  };
  const inTurn = (submission: Submission): Promise<SubmitOutcome> => {
    if (!hasRestore(submission)) return enqueue(submission, new Map());
    const answered = lastRestore.then(() => loadAndEnqueue(submission));
    lastRestore = answered.catch(() => undefined);
    return answered;
  };
  return {
    isNeeded: (submission) => byClient.has(submission.clientId) || hasRestore(submission),
    prepare: (submission) => {
      const { clientId } = submission;
      const before: Promise<unknown> = byClient.get(clientId) ?? Promise.resolve();
      const answered = before.then(() => inTurn(submission));
      byClient.set(clientId, answered);
      const remove = (): void => {
        if (byClient.get(clientId) === answered) byClient.delete(clientId);
      };
      answered.then(remove, remove);
      return answered;
    },
    settled: async () => {
      await Promise.allSettled([...byClient.values()]);
    },
  };
};

/** The committed operation names the snapshot, so that a replay need not find the version again. */
const withSnapshotReference = (operation: Operation, { snapshot }: RestoredScene): Operation => ({
  ...operation,
  payload: {
    version: snapshot.version,
    snapshot: { manifestKey: snapshot.compressedSceneKey, checksum: snapshot.checksum },
  },
});

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
  const { content, deps, documentKey, stream, snapshots, broadcaster } = owned;
  const clients = decodeClientTable(encodeClientTable(content.clients));
  recordCommitted(clients, { ...part, clientId: part.batch.submission.clientId });
  const taken = await snapshotAsCurrent(deps, documentKey, { restored, version: part.fromVersion, clients });
  if (isLeft(taken)) return { kind: 'not-stored' };
  const events = [batchEvent(owned, part, at), snapshotEvent(owned, taken.right, at)];
  const end = await appendWithRetry(deps, { stream, after: content.revision, events });
  if (end.kind !== 'written') return end;
  content.clients = clients;
  content.revision = end.revision;
  snapshots.markRecorded(taken.right);
  replaceScene(content, restored.scene, taken.right);
  broadcaster.broadcastSceneReplaced(taken.right);
  return end;
};

const rejectVersion = (batch: QueuedBatch, { opId }: Operation): void => {
  batch.results.push({ opId, status: 'rejected', reason: 'version-unknown' });
};

/** Processes the restore of the first queued batch. Returns the outcome of a failed append, otherwise undefined. */
export const commitRestore = async (build: BuildContext, batch: QueuedBatch): Promise<AppendOutcome | undefined> => {
  const { owned } = build;
  const { clientId, principalId, isOnce } = batch.submission;
  const group = batch.groups[batch.processed] ?? [];
  const { bytes: maxBytes } = owned.deps.settings.append;
  const limits = { submitter: submitterOf(batch, build), maxBytes, availableBytes: maxBytes };
  const result = resolveGroup(owned.content, group, limits);
  const operation = result?.committed[0];
  const restored = operation === undefined ? undefined : batch.restoredScenes.get(operation.opId);
  if (operation !== undefined && restored !== undefined) {
    const part = restoreBatch(batch, withSnapshotReference(operation, restored), owned.content.version + 1);
    const end = await appendRestore(build, { part, restored });
    if (end.kind === 'not-stored') {
      owned.queue.remove(batch);
      batch.answer(retryLater('The version cannot be restored right now.'));
      return undefined;
    }
    if (end.kind !== 'written') return end;
    const version = part.fromVersion;
    batch.results.push({ opId: operation.opId, status: 'applied', version, op: part.operations[0] });
  } else if (operation !== undefined) rejectVersion(batch, operation);
  else batch.results.push(...(result?.outcomes ?? []));
  if (isOnce !== true)
    for (const { clientSeq: lastClientSeq } of group) owned.sequences.settle(clientId, { principalId, lastClientSeq });
  batch.processed += 1;
  return undefined;
};
