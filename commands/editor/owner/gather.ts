/** What the next append holds: of what waits, in its order, as much as fits. Each client's part is one event. */
import { noteCommitted } from '../../../domain/editor/log/clients';
import type { Operation } from '../../../domain/editor/operation';
import { mayAs } from '../../../domain/editor/roles';
import { takeBack } from '../../../domain/editor/scene/journal';
import type { Instant } from '../../../domain/kernel/codec';
import type { DocumentAccess } from '../../../infra/documents/document-access';
import { noteNeedless } from './content';
import type { Owned } from './owned';
import { isDone, type Pending } from './pending';
import { refusalOf } from './refusal';
import { noteTail } from './replay';
import type { Reading } from './rights';
import { repeated, type Settled, type Submitter, settleUnit } from './settle-unit';
import type { Share } from './share';
import type { Unit } from './units';

/** Of one batch, what goes into this append. */
export interface Part {
  readonly pending: Pending;
  readonly fromVersion: number;
  readonly operations: Operation[];
  readonly told: string[];
  /** Everything of the client up to here is settled. */
  lastClientSeq: number;
}

export interface Gathered {
  readonly parts: Part[];
  /** Settled as soon as these are in the log. */
  readonly finished: Pending[];
  /** An earlier version is to be put back next, which is done by itself. */
  restore?: Pending;
  bytes: number;
}

export interface Gathering extends Reading {
  readonly owned: Owned;
  readonly at: Instant;
  readonly share: Share;
}

export const mayEdit = ({ state, roleOf }: DocumentAccess, { submission }: Pending): boolean => {
  const role = roleOf(submission.principalId);
  return state === 'active' && role !== undefined && mayAs(role, 'editor');
};

export const submitterOf = (pending: Pending, { standing, at }: Pick<Gathering, 'standing' | 'at'>): Submitter => {
  const { clientId, principalId, schema } = pending.submission;
  return { clientId, principalId, schema, mayEdit: mayEdit(standing, pending), at };
};

const lastOf = (unit: Unit): number => unit.at(-1)?.clientSeq ?? 0;

/** The first of a unit may be settled already, and are only answered. */
const settledOf = ({ content, seats }: Owned, pending: Pending, unit: Unit) => {
  const settledTo = seats.of(pending.submission.clientId)?.lastClientSeq ?? 0;
  const fresh = unit.filter(({ clientSeq }) => clientSeq > settledTo);
  return { fresh, before: repeated(content, unit.slice(0, unit.length - fresh.length)) };
};

/** Around the operations of one event, at most: many small batches must fit as well. */
const eventBytes = 400;

export const nothingGathered = (): Gathered => ({ parts: [], finished: [], bytes: 0 });

const partOf = (gathered: Gathered, pending: Pending, fromVersion: number): Part => {
  const { parts } = gathered;
  const last = parts.at(-1);
  if (last?.pending === pending) return last;
  const part = { pending, fromVersion, operations: [], told: [], lastClientSeq: 1 };
  parts.push(part);
  gathered.bytes += eventBytes;
  return part;
};

/** From here on it counts for whatever is put in order after it. */
const accept = (gathered: Gathered, { owned }: Gathering, [pending, unit, settled]: [Pending, Unit, Settled]): void => {
  const { content, seats } = owned;
  const { clientId, principalId } = pending.submission;
  const fromVersion = content.version + 1;
  const lastClientSeq = lastOf(unit);
  pending.results.push(...settled.outcomes);
  noteNeedless(content, settled.outcomes);
  seats.settle(clientId, { principalId, lastClientSeq });
  if (settled.committed.length > 0) {
    const part = partOf(gathered, pending, fromVersion);
    part.operations.push(...settled.committed);
    part.told.push(...settled.told);
    noteTail(content, settled.told);
    content.version += settled.committed.length;
    for (const { id } of settled.journal) content.changed.add(id);
    gathered.bytes += settled.bytes;
  }
  const part = gathered.parts.at(-1);
  if (part?.pending !== pending) return;
  part.lastClientSeq = lastClientSeq;
  noteCommitted(content.clients, { clientId, lastClientSeq, fromVersion, operations: settled.committed });
};

const isRestore = (unit: Unit): boolean => unit.some(({ type }) => type === 'restoreVersion');

/** False when it has to wait for the next append. */
const gatherUnit = (gathered: Gathered, gathering: Gathering, [pending, unit]: [Pending, Unit]): boolean => {
  const { owned } = gathering;
  const { bytes: mostBytes, operations: mostOperations } = owned.deps.settings.append;
  const settledTo = owned.seats.of(pending.submission.clientId)?.lastClientSeq ?? 0;
  if (lastOf(unit) > settledTo && isRestore(unit)) {
    if (gathered.parts.length === 0) gathered.restore = pending;
    return false;
  }
  const count = gathered.parts.reduce((sum, { told }) => sum + told.length, 0);
  if (count > 0 && (count + unit.length > mostOperations || gathered.bytes >= mostBytes)) return false;
  const { fresh, before } = settledOf(owned, pending, unit);
  const settled = settleUnit(owned.content, fresh, [submitterOf(pending, gathering), mostBytes]);
  if (gathered.bytes > 0 && gathered.bytes + settled.bytes > mostBytes) {
    takeBack(owned.content.scene, settled.journal);
    return false;
  }
  pending.results.push(...before);
  if (fresh.length > 0) accept(gathered, gathering, [pending, fresh, settled]);
  return true;
};

/** False when something of it is left. */
const gatherPending = (gathered: Gathered, gathering: Gathering, pending: Pending): boolean => {
  while (!isDone(pending)) {
    if (!gathering.share.mayGoOn()) return false;
    const unit = pending.units[pending.done] as Unit;
    if (!gatherUnit(gathered, gathering, [pending, unit])) return false;
    pending.done += 1;
  }
  return true;
};

export const gather = (gathering: Gathering): Gathered => {
  const { owned, standing, upTo, isYoung } = gathering;
  const { waiting } = owned;
  const gathered = nothingGathered();
  for (let pending = waiting[0]; pending !== undefined; pending = waiting[0]) {
    // It came after that was read: it may have been allowed since, or forbidden.
    if (pending.number > upTo && !(isYoung && mayEdit(standing, pending))) return gathered;
    const refusal = refusalOf(owned, pending);
    if (refusal !== undefined) pending.answer(refusal);
    else if (gatherPending(gathered, gathering, pending)) gathered.finished.push(pending);
    else return gathered;
    waiting.shift();
  }
  return gathered;
};
