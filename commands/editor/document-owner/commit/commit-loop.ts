/**
 * Accepts batches and commits them, one append at a time. Each round checks access, resolves queued batches, appends,
 * broadcasts and acknowledges; batches that arrive meanwhile go into the next append.
 */
import { setImmediate as others } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { limits } from '../../../../domain/editor/limits';
import type { Operation } from '../../../../domain/editor/operation';
import { groupAtomic } from '../../../../domain/editor/reducer/atomic-groups';
import { reject } from '../../../../domain/kernel/rejection';
import type { DocumentAccess } from '../../../../infra/server/documents/document-access';
import { prioritize } from '../../../../infra/server/documents/time-slicing';
import type { BatchRefusal, Submission } from '../document-handle';
import type { DocumentParts } from '../document-parts';
import { type AppendPlan, type BuildContext, buildNextAppend, mayEdit } from './append-builder';
import {
  isProcessed,
  type QueuedBatch,
  type RestoredScenes,
  retryLater,
  type SubmitOutcome,
  takenOver,
} from './batch-queue';
import { type AppendOutcome, appendWithRetry, batchEvent, snapshotEvent } from './log-writer';
import { commitRestore, createRestorePreparation, isRestore } from './restore-version';
import { createTimeBudget } from './time-budget';

const isConsecutive = (operations: readonly Operation[]): boolean =>
  operations.every(({ clientSeq }, index) => clientSeq === (operations[0]?.clientSeq ?? 0) + index);

const isMixedRestore = (operations: readonly Operation[]): boolean =>
  groupAtomic(operations).some((group) => group.length > 1 && group.some(isRestore));

/** Checks that need no document state. */
const checkSubmission = (
  { documentKey }: DocumentParts,
  { operations }: Submission,
): Either<BatchRefusal, never> | undefined => {
  if (operations.length > limits.operations)
    return reject('batch-too-large', `A batch can have at most ${limits.operations} operations.`);
  if (operations.filter(isRestore).length > 1)
    return reject('batch-too-large', 'A batch can restore one version at most.');
  if (operations.length === 0) return reject('malformed', 'A batch needs at least one operation.');
  if (operations.some(({ documentId }) => documentId !== documentKey.documentId))
    return reject('malformed', 'An operation names another document.');
  if (!isConsecutive(operations)) return reject('malformed', 'The sequence numbers of a batch must have no gaps.');
  if (isMixedRestore(operations)) return reject('malformed', 'Restoring a version cannot be part of a group.');
  return undefined;
};

/** Operations since the last snapshot stay in memory, so submission stops until a snapshot is taken. */
const isQueueFull = ({ queue, content, deps: { settings } }: DocumentParts): boolean =>
  queue.length() >= settings.maxQueued || content.tail.bytes > settings.snapshot.maxBytes;

const hasWork = ({ queue, snapshots }: DocumentParts): boolean =>
  queue.length() > 0 || snapshots.unrecorded() !== undefined;

const acknowledge = ({ broadcaster }: DocumentParts, finished: readonly QueuedBatch[]): void => {
  const committedVersion = broadcaster.committedVersion();
  for (const { answer, results } of finished) answer(right({ committedVersion, results }));
};

/** The append's outcome is unknown, so its batches are not acknowledged; clients resend them to the next owner. */
const failBatches = (owned: DocumentParts, end: AppendOutcome, batches: readonly QueuedBatch[]): void => {
  for (const { answer } of batches) answer(retryLater('The outcome is unknown; send it again.'));
  if (end.kind === 'unknown')
    owned.deps.log.error({ ...owned.documentKey, refused: end.refused }, 'an append of a document failed');
  owned.lifetime.close(end.kind === 'fenced' ? 'fenced' : 'faulted');
};

/** All batches with operations in an append, whether it completes them or not. */
const batchesOf = ({ parts, finished }: AppendPlan): readonly QueuedBatch[] => [
  ...new Set([...finished, ...parts.map(({ batch }) => batch)]),
];

const appendPlan = async ({ owned, at }: BuildContext, plan: AppendPlan): Promise<AppendOutcome> => {
  const { content, deps, stream, snapshots } = owned;
  const snapshot = snapshots.unrecorded();
  const events = [
    ...(snapshot === undefined ? [] : [snapshotEvent(owned, snapshot, at)]),
    ...plan.parts.map((part) => batchEvent(owned, part, at)),
  ];
  if (events.length === 0) return { kind: 'written', revision: content.revision };
  const began = performance.now();
  const end = await appendWithRetry(deps, { stream, after: content.revision, events });
  if (end.kind !== 'written') return end;
  const count = plan.parts.reduce((sum, { serialized }) => sum + serialized.length, 0);
  deps.metrics.appended(count, (performance.now() - began) / 1_000);
  content.revision = end.revision;
  if (snapshot !== undefined) snapshots.markRecorded(snapshot);
  return end;
};

const commit = async (build: BuildContext, plan: AppendPlan): Promise<boolean> => {
  const { owned } = build;
  const end = await appendPlan(build, plan);
  if (end.kind !== 'written') {
    failBatches(owned, end, batchesOf(plan));
    return false;
  }
  owned.broadcaster.broadcastCommitted(plan.parts);
  acknowledge(owned, plan.finished);
  return true;
};

const rejectQueue = ({ queue, lifetime }: DocumentParts, { state }: DocumentAccess): void => {
  const code = state === 'trashed' ? 'trashed' : 'not-found';
  const detail = state === 'trashed' ? 'The document is in the trash.' : 'There is no such document.';
  queue.answerAll(left({ kind: 'rejection', code, detail }));
  lifetime.close('trashed');
};

const runRestore = async (build: BuildContext, batch: QueuedBatch): Promise<boolean> => {
  const { owned } = build;
  const end = await commitRestore(build, batch);
  if (end !== undefined) {
    failBatches(owned, end, [batch]);
    return false;
  }
  if (isProcessed(batch) && owned.queue.remove(batch)) acknowledge(owned, [batch]);
  return true;
};

/** False if this process no longer owns the document. */
const commitNext = async (owned: DocumentParts): Promise<boolean> => {
  const { deps, permissions, queue, lifetime } = owned;
  const first = queue.first();
  const reading = await permissions.read(first?.number ?? 0, (found) => first === undefined || mayEdit(found, first));
  if (lifetime.isClosed()) return false;
  if (isLeft(reading)) {
    queue.answerAll(retryLater('Who may edit cannot be read right now.'));
    return true;
  }
  const { access } = reading.right;
  if (access.state !== 'active') {
    rejectQueue(owned, access);
    return false;
  }
  const build = { owned, ...reading.right, at: deps.clock.now(), timeBudget: createTimeBudget() };
  const plan = buildNextAppend(build);
  if (plan === undefined) {
    lifetime.close('faulted');
    return false;
  }
  if (!(await commit(build, plan))) return false;
  if (build.timeBudget.isSpent()) await others();
  if (lifetime.isClosed()) return false;
  return plan.restore === undefined || runRestore(build, plan.restore);
};

const commitUntilIdle = async (owned: DocumentParts, afterRound: () => void): Promise<void> => {
  while (hasWork(owned) && !owned.lifetime.isClosed()) {
    if (!(await commitNext(owned))) return;
    afterRound();
  }
};

/** An exception here is a defect. Only this document is closed; its clients reconnect. */
const failDocument = ({ deps, documentKey, lifetime }: DocumentParts, error: unknown): void => {
  deps.log.error({ ...documentKey, error }, 'a document could not continue');
  lifetime.close('faulted');
};

export interface CommitLoop {
  /** Resolves when the batch is in the log, or refused. */
  readonly submit: (submission: Submission) => Promise<SubmitOutcome>;
  readonly isRunning: () => boolean;
  /** Resolves when nothing is queued and no append is in progress, or when the document is closed. */
  readonly idle: () => Promise<void>;
  /** Resolves when the batches whose restores are being loaded are answered. */
  readonly prepared: () => Promise<void>;
  /** Takes a snapshot and records it in the log. Resolves when it is stored. */
  readonly takeSnapshot: () => Promise<void>;
  /** Called from maintenance, too, so that a failed snapshot is retried without new edits. */
  readonly takeDueSnapshot: () => void;
}

export const createCommitLoop = (owned: DocumentParts): CommitLoop => {
  const { queue, snapshots, lifetime, permissions } = owned;
  let running: Promise<void> | undefined;
  /** Starts the loop unless it is running. */
  const run = (): void => {
    if (running !== undefined || lifetime.isClosed()) return;
    const done = prioritize();
    running = commitUntilIdle(owned, snapshotIfDue)
      .catch((error: unknown) => failDocument(owned, error))
      .finally(() => {
        done();
        running = undefined;
        if (hasWork(owned)) run();
      });
  };
  const takeSnapshot = async (): Promise<void> => {
    await snapshots.take();
    if (snapshots.unrecorded() !== undefined) run();
  };
  const snapshotIfDue = (): void => {
    if (snapshots.isDue()) takeSnapshot().catch((error: unknown) => failDocument(owned, error));
  };
  const enqueue = async (submission: Submission, restoredScenes: RestoredScenes): Promise<SubmitOutcome> => {
    if (!lifetime.isAccepting()) return takenOver();
    const answered = queue.add({ number: permissions.nextNumber(), submission, restoredScenes });
    run();
    return answered;
  };
  const preparation = createRestorePreparation(owned, enqueue);
  return {
    submit: async (submission) => {
      lifetime.touch();
      const refusal = checkSubmission(owned, submission);
      if (refusal !== undefined) return refusal;
      if (!lifetime.isAccepting()) return takenOver();
      if (isQueueFull(owned)) return retryLater('The queue of the document is full; try again later.');
      return preparation.isNeeded(submission) ? preparation.prepare(submission) : enqueue(submission, new Map());
    },
    isRunning: () => running !== undefined,
    idle: async () => {
      while (running !== undefined && !lifetime.isClosed()) await running;
    },
    prepared: preparation.settled,
    takeSnapshot,
    takeDueSnapshot: () => {
      if (running === undefined && !lifetime.isClosed()) snapshotIfDue();
    },
  };
};
