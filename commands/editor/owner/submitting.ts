/** A batch at the owner's door. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { OperationId } from '../../../domain/editor/ids';
import { limits } from '../../../domain/editor/limits';
import { type Operation, payloads } from '../../../domain/editor/operation';
import { reject } from '../../../domain/kernel/rejection';
import { isEnded, type Owned } from './owned';
import { letGo, pendingOf } from './pending';
import { type Earlier, loadEarlier } from './put-back';
import { wake } from './turn';
import type { BatchRefusal, Committed, Submission } from './types';
import { unitsOf } from './units';

type Answer = Either<BatchRefusal, Committed>;

const isConsecutive = (operations: readonly Operation[]): boolean =>
  operations.every(({ clientSeq }, index) => clientSeq === (operations[0]?.clientSeq ?? 0) + index);

const isRestore = ({ type }: Operation): boolean => type === 'restoreVersion';

const isMixedRestore = (operations: readonly Operation[]): boolean =>
  unitsOf(operations).some((unit) => unit.length > 1 && unit.some(isRestore));

/** What no owner would look at. */
const malformed = ({ place }: Owned, { operations }: Submission): Either<BatchRefusal, never> | undefined => {
  if (operations.length > limits.operations)
    return reject('batch-too-large', `A batch holds at most ${limits.operations} operations.`);
  if (operations.filter(isRestore).length > 1)
    return reject('batch-too-large', 'A batch puts back one version at most.');
  if (operations.length === 0) return reject('malformed', 'A batch holds at least one operation.');
  if (operations.some(({ documentId }) => documentId !== place.documentId))
    return reject('malformed', 'An operation is of another document.');
  if (!isConsecutive(operations)) return reject('malformed', 'The sequence of a batch has no gaps.');
  if (isMixedRestore(operations)) return reject('malformed', 'Putting a version back is no part of a group.');
  return undefined;
};

/** Everything since the last snapshot is held, so there must be one now and then. */
const isFull = ({ waiting, content, deps: { settings } }: Owned): boolean =>
  waiting.length >= settings.mostWaiting || content.tail.bytes > settings.snapshot.mostBytes;

const earlierOf = async (
  { deps, place }: Owned,
  operation: Operation,
): Promise<Either<BatchRefusal, Earlier | undefined>> => {
  const { payload } = operation;
  if (!payloads.restoreVersion.is(payload)) return right(undefined);
  const snapshot = await deps.snapshots.at(place, payload.version);
  if (!isLeft(snapshot)) return loadEarlier(deps, place, snapshot.right);
  return snapshot.left.kind === 'rejection' ? right(undefined) : letGo('The earlier version cannot be read right now.');
};

/** Made before their turn comes: everything else of the document goes on meanwhile. */
const prepared = async (
  owned: Owned,
  operations: readonly Operation[],
): Promise<Either<BatchRefusal, ReadonlyMap<OperationId, Earlier>>> => {
  const found = new Map<OperationId, Earlier>();
  for (const operation of operations) {
    if (!isRestore(operation)) continue;
    const earlier = await earlierOf(owned, operation);
    if (isLeft(earlier)) return earlier;
    if (earlier.right !== undefined) found.set(operation.opId, earlier.right);
  }
  return right(found);
};

const enqueue = (owned: Owned, submission: Submission, earlier: ReadonlyMap<OperationId, Earlier>): Promise<Answer> => {
  const { pending, answered } = pendingOf(owned.rights.arrived(), submission, earlier);
  owned.waiting.push(pending);
  wake(owned);
  return answered;
};

const gone = (owned: Owned): Either<BatchRefusal, never> | undefined =>
  isEnded(owned) || owned.closing ? letGo('The document is being taken over; send it again.') : undefined;

const whenPrepared = async (owned: Owned, submission: Submission): Promise<Answer> => {
  // Others may have been before it, for long.
  const over = gone(owned);
  if (over !== undefined) return over;
  const found = await prepared(owned, submission.operations);
  return isLeft(found) ? found : (gone(owned) ?? enqueue(owned, submission, found.right));
};

const hasRestore = ({ operations }: Submission): boolean => operations.some(isRestore);

/** Whoever comes later waits until the one before is answered. */
const afterOthers = (owned: Owned, submission: Submission): Promise<Answer> => {
  if (!hasRestore(submission)) return whenPrepared(owned, submission);
  const answered = owned.restoring.then(() => whenPrepared(owned, submission));
  owned.restoring = answered.catch(() => undefined);
  return answered;
};

/** A client's later batches must not pass one that is being prepared. */
const inLine = (owned: Owned, submission: Submission, before: Promise<unknown>): Promise<Answer> => {
  const { clientId } = submission;
  const answered = before.then(() => afterOthers(owned, submission));
  owned.preparing.set(clientId, answered);
  const over = (): void => {
    if (owned.preparing.get(clientId) === answered) owned.preparing.delete(clientId);
  };
  answered.then(over, over);
  return answered;
};

export const submitTo = async (owned: Owned, submission: Submission): Promise<Answer> => {
  owned.usedAt = performance.now();
  const fault = malformed(owned, submission);
  if (fault !== undefined) return fault;
  const over = gone(owned);
  if (over !== undefined) return over;
  if (isFull(owned)) return letGo('The document has more to do than it can hold; try again a little later.');
  const before = owned.preparing.get(submission.clientId);
  if (before === undefined && !hasRestore(submission)) return enqueue(owned, submission, new Map());
  return inLine(owned, submission, before ?? Promise.resolve());
};
