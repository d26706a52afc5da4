/**
 * The commit loop: one append at a time. Each round checks access, resolves queued batches, appends, broadcasts and
 * acknowledges; batches that arrive meanwhile go into the next append.
 */
import { setImmediate as others } from 'node:timers/promises';
import { isLeft, left } from 'fp-ts/Either';
import type { DocumentAccess } from '../../../../infra/documents/document-access';
import { prioritize } from '../../time-slicing';
import { acknowledgeAll, broadcastCommitted } from '../broadcast/broadcast';
import { closeOwnedDocument, isClosed, type OwnedDocument } from '../owned-document';
import { type AppendPlan, type BuildContext, buildNextAppend, mayEdit } from './append-builder';
import { type AppendOutcome, appendWithRetry, batchEvent, snapshotEvent } from './log-writer';
import { isProcessed, type QueuedBatch, retryLater } from './queued-batch';
import { commitRestore } from './restore-version';
import { isSnapshotDue, takeSnapshot } from './snapshot-scheduler';
import { createTimeBudget } from './time-budget';

const hasWork = ({ queue, unrecordedSnapshot }: OwnedDocument): boolean =>
  queue.length > 0 || unrecordedSnapshot !== undefined;

/** The append's outcome is unknown, so its batches are not acknowledged; clients resend them to the next owner. */
const failBatches = (owned: OwnedDocument, end: AppendOutcome, batches: readonly QueuedBatch[]): void => {
  for (const { answer } of batches) answer(retryLater('It is not known what became of it; send it again.'));
  if (end.kind === 'unknown')
    owned.deps.log.error({ ...owned.documentKey, refused: end.refused }, 'an append of a document did not succeed');
  closeOwnedDocument(owned, end.kind === 'fenced' ? 'fenced' : 'faulted');
};

/** All batches with operations in an append, whether it completes them or not. */
const batchesOf = ({ parts, finished }: AppendPlan): readonly QueuedBatch[] => [
  ...new Set([...finished, ...parts.map(({ batch }) => batch)]),
];

const appendPlan = async ({ owned, at }: BuildContext, plan: AppendPlan): Promise<AppendOutcome> => {
  const { content, deps, stream } = owned;
  const snapshot = owned.unrecordedSnapshot;
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
  if (owned.unrecordedSnapshot === snapshot) owned.unrecordedSnapshot = undefined;
  return end;
};

const commit = async (build: BuildContext, plan: AppendPlan): Promise<boolean> => {
  const { owned } = build;
  const end = await appendPlan(build, plan);
  if (end.kind !== 'written') {
    failBatches(owned, end, batchesOf(plan));
    return false;
  }
  broadcastCommitted(owned, plan.parts);
  acknowledgeAll(owned, plan.finished);
  return true;
};

const rejectQueue = (owned: OwnedDocument, { state }: DocumentAccess): void => {
  const code = state === 'trashed' ? 'trashed' : 'not-found';
  const detail = state === 'trashed' ? 'The document is in the trash.' : 'There is no such document.';
  for (const { answer } of owned.queue.splice(0)) answer(left({ kind: 'rejection', code, detail }));
  closeOwnedDocument(owned, 'trashed');
};

const runRestore = async (build: BuildContext, batch: QueuedBatch): Promise<boolean> => {
  const { owned } = build;
  const end = await commitRestore(build, batch);
  if (end !== undefined) {
    failBatches(owned, end, [batch]);
    return false;
  }
  if (!isProcessed(batch)) return true;
  const index = owned.queue.indexOf(batch);
  if (index >= 0) acknowledgeAll(owned, owned.queue.splice(index, 1));
  return true;
};

/** False if this process no longer owns the document. */
const commitNext = async (owned: OwnedDocument): Promise<boolean> => {
  const { deps, permissions, queue } = owned;
  const [first] = queue;
  const reading = await permissions.read(first?.number ?? 0, (found) => first === undefined || mayEdit(found, first));
  if (isClosed(owned)) return false;
  if (isLeft(reading)) {
    for (const { answer } of queue.splice(0)) answer(retryLater('Who may edit cannot be read right now.'));
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
    closeOwnedDocument(owned, 'faulted');
    return false;
  }
  if (!(await commit(build, plan))) return false;
  if (build.timeBudget.isSpent()) await others();
  if (isClosed(owned)) return false;
  return plan.restore === undefined || runRestore(build, plan.restore);
};

const commitUntilIdle = async (owned: OwnedDocument): Promise<void> => {
  while (hasWork(owned) && !isClosed(owned)) {
    if (!(await commitNext(owned))) return;
    snapshotIfDue(owned);
  }
};

/** Runs between appends, and from maintenance, so that a failed snapshot is retried without new edits. */
const snapshotIfDue = (owned: OwnedDocument): void => {
  if (isSnapshotDue(owned)) void takeSnapshot(owned, () => runCommitLoop(owned));
};

export const takeDueSnapshot = (owned: OwnedDocument): void => {
  if (owned.committing === undefined && !isClosed(owned)) snapshotIfDue(owned);
};

/** An exception here is a defect. Only this document is closed; its clients reconnect. */
const failDocument = (owned: OwnedDocument, error: unknown): void => {
  owned.deps.log.error({ ...owned.documentKey, error }, 'a document could not go on');
  closeOwnedDocument(owned, 'faulted');
};

/** Starts the loop unless it is running. */
export const runCommitLoop = (owned: OwnedDocument): void => {
  if (owned.committing !== undefined || isClosed(owned)) return;
  const done = prioritize();
  owned.committing = commitUntilIdle(owned)
    .catch((error: unknown) => failDocument(owned, error))
    .finally(() => {
      done();
      owned.committing = undefined;
      if (hasWork(owned)) runCommitLoop(owned);
    });
};
