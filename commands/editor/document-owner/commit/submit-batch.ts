/** Accepts a batch: checks its form, loads scenes of restores, and queues it. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { OperationId } from '../../../../domain/editor/ids';
import { limits } from '../../../../domain/editor/limits';
import { type Operation, payloadCodecs } from '../../../../domain/editor/operation';
import { groupAtomic } from '../../../../domain/editor/reducer/atomic-groups';
import { reject } from '../../../../domain/kernel/rejection';
import type { BatchRefusal, Submission, SubmitResult } from '../document-handle';
import { isClosed, type OwnedDocument } from '../owned-document';
import { runCommitLoop } from './commit-loop';
import { createQueuedBatch, retryLater } from './queued-batch';
import { loadRestoredScene, type RestoredScene } from './restored-scene';

type SubmitOutcome = Either<BatchRefusal, SubmitResult>;

const isConsecutive = (operations: readonly Operation[]): boolean =>
  operations.every(({ clientSeq }, index) => clientSeq === (operations[0]?.clientSeq ?? 0) + index);

const isRestore = ({ type }: Operation): boolean => type === 'restoreVersion';

const isMixedRestore = (operations: readonly Operation[]): boolean =>
  groupAtomic(operations).some((group) => group.length > 1 && group.some(isRestore));

/** Checks that need no document state. */
const checkSubmission = (
  { documentKey }: OwnedDocument,
  { operations }: Submission,
): Either<BatchRefusal, never> | undefined => {
  if (operations.length > limits.operations)
    return reject('batch-too-large', `A batch holds at most ${limits.operations} operations.`);
  if (operations.filter(isRestore).length > 1)
    return reject('batch-too-large', 'A batch puts back one version at most.');
  if (operations.length === 0) return reject('malformed', 'A batch holds at least one operation.');
  if (operations.some(({ documentId }) => documentId !== documentKey.documentId))
    return reject('malformed', 'An operation is of another document.');
  if (!isConsecutive(operations)) return reject('malformed', 'The sequence of a batch has no gaps.');
  if (isMixedRestore(operations)) return reject('malformed', 'Putting a version back is no part of a group.');
  return undefined;
};

/** Operations since the last snapshot stay in memory, so submission stops until a snapshot is taken. */
const isQueueFull = ({ queue, content, deps: { settings } }: OwnedDocument): boolean =>
  queue.length >= settings.maxQueued || content.tail.bytes > settings.snapshot.maxBytes;

const loadSceneFor = async (
  { deps, documentKey }: OwnedDocument,
  operation: Operation,
): Promise<Either<BatchRefusal, RestoredScene | undefined>> => {
  const { payload } = operation;
  if (!payloadCodecs.restoreVersion.is(payload)) return right(undefined);
  const snapshot = await deps.snapshots.atVersion(documentKey, payload.version);
  if (!isLeft(snapshot)) return loadRestoredScene(deps, documentKey, snapshot.right);
  return snapshot.left.kind === 'rejection'
    ? right(undefined)
    : retryLater('The earlier version cannot be read right now.');
};

/** Loads them before the batch is queued, so that other batches are not delayed. */
const loadRestoredScenes = async (
  owned: OwnedDocument,
  operations: readonly Operation[],
): Promise<Either<BatchRefusal, ReadonlyMap<OperationId, RestoredScene>>> => {
  const found = new Map<OperationId, RestoredScene>();
  for (const operation of operations) {
    if (!isRestore(operation)) continue;
    const scene = await loadSceneFor(owned, operation);
    if (isLeft(scene)) return scene;
    if (scene.right !== undefined) found.set(operation.opId, scene.right);
  }
  return right(found);
};

const enqueue = (
  owned: OwnedDocument,
  submission: Submission,
  scene: ReadonlyMap<OperationId, RestoredScene>,
): Promise<SubmitOutcome> => {
  const { pending, answered } = createQueuedBatch(owned.permissions.nextNumber(), submission, scene);
  owned.queue.push(pending);
  runCommitLoop(owned);
  return answered;
};

const refusalIfClosing = (owned: OwnedDocument): Either<BatchRefusal, never> | undefined =>
  isClosed(owned) || owned.closing ? retryLater('The document is being taken over; send it again.') : undefined;

const prepareAndEnqueue = async (owned: OwnedDocument, submission: Submission): Promise<SubmitOutcome> => {
  // Earlier restores may have taken long.
  const refusal = refusalIfClosing(owned);
  if (refusal !== undefined) return refusal;
  const found = await loadRestoredScenes(owned, submission.operations);
  return isLeft(found) ? found : (refusalIfClosing(owned) ?? enqueue(owned, submission, found.right));
};

const hasRestore = ({ operations }: Submission): boolean => operations.some(isRestore);

/** Restores of a document are prepared one after another. */
const serializeRestores = (owned: OwnedDocument, submission: Submission): Promise<SubmitOutcome> => {
  if (!hasRestore(submission)) return prepareAndEnqueue(owned, submission);
  const answered = owned.restoring.then(() => prepareAndEnqueue(owned, submission));
  owned.restoring = answered.catch(() => undefined);
  return answered;
};

/** A client's later batches must not overtake one that is being prepared. */
const afterPreviousBatch = (
  owned: OwnedDocument,
  submission: Submission,
  before: Promise<unknown>,
): Promise<SubmitOutcome> => {
  const { clientId } = submission;
  const answered = before.then(() => serializeRestores(owned, submission));
  owned.preparing.set(clientId, answered);
  const refusal = (): void => {
    if (owned.preparing.get(clientId) === answered) owned.preparing.delete(clientId);
  };
  answered.then(refusal, refusal);
  return answered;
};

export const submitBatch = async (owned: OwnedDocument, submission: Submission): Promise<SubmitOutcome> => {
  owned.usedAt = performance.now();
  const fault = checkSubmission(owned, submission);
  if (fault !== undefined) return fault;
  const refusal = refusalIfClosing(owned);
  if (refusal !== undefined) return refusal;
  if (isQueueFull(owned)) return retryLater('The document has more to do than it can hold; try again a little later.');
  const before = owned.preparing.get(submission.clientId);
  if (before === undefined && !hasRestore(submission)) return enqueue(owned, submission, new Map());
  return afterPreviousBatch(owned, submission, before ?? Promise.resolve());
};
