/** Where edits are made: at once in what is shown here, kept before they are sent, and remembered to be undone. */
import type { ClientId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import type { Outcome, OutcomeReason } from '../../../../domain/editor/outcome';
import type { Ledger } from '../ledger';
import { type Pending, pendingOf } from '../scene/pending';
import { type Placed, place, placeInstead } from '../scene/placing';
import type { Replica } from '../scene/units';
import { fullRoom } from '../sync/batch';
import { homesIn } from '../undo/before';
import type { History } from '../undo/history';
import { type Author, type Draft, keptOf, operationOf } from './author';
import { merged } from './merge';

/** Edits that are one for whoever undoes them. */
export interface Step {
  readonly id: string;
  /** All of it is committed, or nothing. */
  readonly atomicGroup: string | undefined;
  /** Of one that is committed together: kept when it is complete. */
  readonly held: Pending[];
  failed: EditRefusal | undefined;
}

/** `not-open`: there is no document to edit yet. `not-allowed`: this person may look only. */
export type EditRefusal = OutcomeReason | 'not-open' | 'not-allowed';

export type Edited =
  | { readonly ok: true; readonly opIds: readonly OperationId[] }
  | { readonly ok: false; readonly reason: EditRefusal };

export interface Desk {
  readonly author: Author;
  readonly ledger: Ledger;
  readonly history: History;
  readonly mayEdit: () => boolean;
  readonly isOpen: () => boolean;
  /** Something is kept and can be sent. */
  readonly kept: () => void;
  step: Step | undefined;
  steps: number;
}

export const refusal = (reason: EditRefusal): Edited => ({ ok: false, reason });

export const newStep = (desk: Desk, isAtomic: boolean): Step => {
  desk.steps += 1;
  const { clientId, now } = desk.author;
  const id = `${clientId ?? 'new'}.${now().toString(36)}.${desk.steps}`;
  return { id, atomicGroup: isAtomic ? id : undefined, held: [], failed: undefined };
};

const isWanted = ({ status }: Outcome): boolean => status === 'applied' || status === 'transformed';

/** Before it is sent. */
export const keep = ({ author, ledger, kept }: Desk, item: Pending): void => {
  const { clientId, operation } = item;
  ledger.keeper.keep({ pending: [{ clientId, operation }], client: keptOf(author, clientId) }, (isOnDisk) => {
    Object.assign(item, { isKept: true, isOnDisk });
    kept();
  });
};

const isLast = ({ units }: Replica, item: Pending): boolean => units.at(-1)?.items.at(-1) === item;

interface Made {
  readonly item: Pending;
  readonly placed: Placed;
}

/** As part of the one before, where nobody knows of that yet. */
const asMerged = (desk: Desk, clientId: ClientId, operation: Operation): Made | undefined => {
  const { replica } = desk.ledger;
  const unit = replica.units.at(-1);
  const both = unit?.items.length === 1 ? merged(unit.items[0], operation) : undefined;
  if (both === undefined) return undefined;
  const item = pendingOf(clientId, both);
  if (item.bytes > fullRoom.bytes) return undefined;
  const placed = placeInstead(replica, item, isWanted);
  return isLast(replica, item) ? { item, placed } : undefined;
};

const tooLarge = (opId: OperationId): Placed => ({
  outcomes: [{ opId, status: 'rejected', reason: 'too-large' }],
  committed: [],
  journals: [],
});

const asNext = (desk: Desk, clientId: ClientId, operation: Operation): Made => {
  const item = pendingOf(clientId, operation);
  if (item.bytes > fullRoom.bytes) return { item, placed: tooLarge(operation.opId) };
  const placed = place(desk.ledger.replica, item, isWanted);
  if (isLast(desk.ledger.replica, item)) desk.author.lastClientSeq += 1;
  return { item, placed };
};

const attempt = (desk: Desk, step: Step, draft: Draft): Edited => {
  const { author, ledger, history, mayEdit, isOpen } = desk;
  const { clientId } = author;
  if (clientId === undefined || !isOpen()) return refusal('not-open');
  if (!mayEdit()) return refusal('not-allowed');
  const named = { undoGroupId: step.id, atomicGroup: step.atomicGroup, baseVersion: ledger.replica.version };
  const operation = operationOf(author, clientId, [draft, named]);
  // What is held is counted, to be taken back: each stands for itself.
  const known = step.atomicGroup === undefined ? asMerged(desk, clientId, operation) : undefined;
  const { item, placed } = known ?? asNext(desk, clientId, operation);
  const [outcome] = placed.outcomes;
  if (!isLast(ledger.replica, item)) {
    const isIdle = outcome?.reason === 'nothing-changes';
    return isIdle ? { ok: true, opIds: [] } : refusal(outcome?.reason ?? 'malformed');
  }
  if (step.atomicGroup === undefined) keep(desk, item);
  else step.held.push(item);
  const { opId } = item.operation;
  const { committed, journals } = placed;
  history.did(step.id, { opId, committed, journals, homes: homesIn(ledger.replica.scene, journals) });
  return { ok: true, opIds: [opId] };
};

/** Within the step that is under way, or as one of its own. */
export const perform = (desk: Desk, draft: Draft): Edited => {
  const step = desk.step ?? newStep(desk, false);
  if (step.failed !== undefined) return refusal(step.failed);
  const edited = attempt(desk, step, draft);
  if (!edited.ok && step.atomicGroup !== undefined) step.failed = edited.reason;
  return edited;
};
