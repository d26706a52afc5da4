/**
 * One append after the other: who may still edit is read, everything that waits is put in order, appended, told and answered; what
 * arrives meanwhile is the next one.
 */
import { setImmediate as others } from 'node:timers/promises';
import { isLeft, left } from 'fp-ts/Either';
import type { DocumentAccess } from '../../../infra/documents/document-access';
import { type AppendEnd, appendSurely } from './append';
import { batchEvent, snapshotEvent } from './batch-events';
import { hurried } from './breath';
import { type Gathered, type Gathering, mayEdit } from './gather';
import { gatherNext } from './gather-next';
import { endOwned, isEnded, type Owned } from './owned';
import { isDone, letGo, type Pending } from './pending';
import { restoreNext } from './restoring';
import { openShare } from './share';
import { isDue, takeSnapshot } from './snapshotting';
import { answerAll, tellCommitted } from './tell';

const hasWork = ({ waiting, toRecord }: Owned): boolean => waiting.length > 0 || toRecord !== undefined;

/** What was in the append is not known to be committed: who sent it sends it again, to whoever owns the document by then. */
const giveUp = (owned: Owned, end: AppendEnd, pendings: readonly Pending[]): void => {
  for (const { answer } of pendings) answer(letGo('It is not known what became of it; send it again.'));
  if (end.kind === 'unknown')
    owned.deps.log.error({ ...owned.place, refused: end.refused }, 'an append of a document did not succeed');
  endOwned(owned, end.kind === 'fenced' ? 'fenced' : 'faulted');
};

/** All whose operations are in an append, be they answered by it or not. */
const concerned = ({ parts, finished }: Gathered): readonly Pending[] => [
  ...new Set([...finished, ...parts.map(({ pending }) => pending)]),
];

const appended = async ({ owned, at }: Gathering, gathered: Gathered): Promise<AppendEnd> => {
  const { content, deps, stream } = owned;
  const snapshot = owned.toRecord;
  const events = [
    ...(snapshot === undefined ? [] : [snapshotEvent(owned, snapshot, at)]),
    ...gathered.parts.map((part) => batchEvent(owned, part, at)),
  ];
  if (events.length === 0) return { kind: 'written', revision: content.revision };
  const began = performance.now();
  const end = await appendSurely(deps, { stream, after: content.revision, events });
  if (end.kind !== 'written') return end;
  const count = gathered.parts.reduce((sum, { told }) => sum + told.length, 0);
  deps.figures.appended(count, (performance.now() - began) / 1_000);
  content.revision = end.revision;
  if (owned.toRecord === snapshot) owned.toRecord = undefined;
  return end;
};

const commit = async (gathering: Gathering, gathered: Gathered): Promise<boolean> => {
  const { owned } = gathering;
  const end = await appended(gathering, gathered);
  if (end.kind !== 'written') {
    giveUp(owned, end, concerned(gathered));
    return false;
  }
  tellCommitted(owned, gathered.parts);
  answerAll(owned, gathered.finished);
  return true;
};

const refuseAll = (owned: Owned, { state }: DocumentAccess): void => {
  const code = state === 'trashed' ? 'trashed' : 'not-found';
  const detail = state === 'trashed' ? 'The document is in the trash.' : 'There is no such document.';
  for (const { answer } of owned.waiting.splice(0)) answer(left({ kind: 'rejection', code, detail }));
  endOwned(owned, 'trashed');
};

const restored = async (gathering: Gathering, pending: Pending): Promise<boolean> => {
  const { owned } = gathering;
  const end = await restoreNext(gathering, pending);
  if (end !== undefined) {
    giveUp(owned, end, [pending]);
    return false;
  }
  if (!isDone(pending)) return true;
  const place = owned.waiting.indexOf(pending);
  if (place >= 0) answerAll(owned, owned.waiting.splice(place, 1));
  return true;
};

/** False when the document is not this process's any more. */
const once = async (owned: Owned): Promise<boolean> => {
  const { deps, rights, waiting } = owned;
  const [first] = waiting;
  const reading = await rights.take(first?.number ?? 0, (found) => first === undefined || mayEdit(found, first));
  if (isEnded(owned)) return false;
  if (isLeft(reading)) {
    for (const { answer } of waiting.splice(0)) answer(letGo('Who may edit cannot be read right now.'));
    return true;
  }
  const { standing } = reading.right;
  if (standing.state !== 'active') {
    refuseAll(owned, standing);
    return false;
  }
  const gathering = { owned, ...reading.right, at: deps.clock.now(), share: openShare() };
  const gathered = gatherNext(gathering);
  if (gathered === undefined) {
    endOwned(owned, 'faulted');
    return false;
  }
  if (!(await commit(gathering, gathered))) return false;
  if (gathering.share.isSpent()) await others();
  if (isEnded(owned)) return false;
  return gathered.restore === undefined || restored(gathering, gathered.restore);
};

const turns = async (owned: Owned): Promise<void> => {
  while (hasWork(owned) && !isEnded(owned)) {
    if (!(await once(owned))) return;
    snapshotIfDue(owned);
  }
};

/** Between appends; asked now and then, too, for one that failed is tried again also where nobody writes. */
const snapshotIfDue = (owned: Owned): void => {
  if (isDue(owned)) void takeSnapshot(owned, () => wake(owned));
};

export const keepUp = (owned: Owned): void => {
  if (owned.turn === undefined && !isEnded(owned)) snapshotIfDue(owned);
};

/** A part that throws is a defect: it costs this document's sessions a new beginning, and no other document anything. */
const broken = (owned: Owned, error: unknown): void => {
  owned.deps.log.error({ ...owned.place, error }, 'a document could not go on');
  endOwned(owned, 'faulted');
};

/** Goes on with what waits, unless that is under way. */
export const wake = (owned: Owned): void => {
  if (owned.turn !== undefined || isEnded(owned)) return;
  const done = hurried();
  owned.turn = turns(owned)
    .catch((error: unknown) => broken(owned, error))
    .finally(() => {
      done();
      owned.turn = undefined;
      if (hasWork(owned)) wake(owned);
    });
};
