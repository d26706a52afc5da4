/** What becomes of pending edits: committed, refused, or kept aside as recovered ones. Each goes one of these ways, once. */
import type { ClientId } from '../../../domain/editor/ids';
import type { Operation } from '../../../domain/editor/operation';
import type { Outcome } from '../../../domain/editor/outcome';
import { type Acknowledged, acknowledge } from './acknowledged';
import type { Emitter } from './events';
import type { Keeper } from './keep/keeper';
import type { RecoveredEdit } from './ports/store';
import type { Pending } from './scene/pending';
import { commit, pendingIn, type Replica, remove } from './scene/replica';

export interface Ledger {
  readonly replica: Replica;
  readonly keeper: Keeper;
  readonly emitter: Emitter;
  readonly recovered: Map<string, RecoveredEdit>;
  readonly acknowledged: Acknowledged;
  readonly now: () => number;
  /** What is kept outlives the page. */
  readonly lasts: boolean;
  /** Whether this one keeps what is committed for all tabs. */
  keepsFrames: boolean;
  /** Called when something is settled. */
  readonly settled: () => void;
  /** Called with how many operations were committed, by whomever. */
  readonly grew: (operations: number) => void;
  /** Called with what did not become part of the document. */
  readonly lost: (opIds: ReadonlySet<string>) => void;
}

const keysOf = (items: readonly Pending[]) =>
  items.map(({ clientId, operation }) => ({ clientId, clientSeq: operation.clientSeq }));

export const pendingOfClient = ({ replica }: Ledger, clientId: ClientId): readonly Pending[] =>
  pendingIn(replica).filter((item) => item.clientId === clientId);

export interface Lost extends Pick<RecoveredEdit, 'reason' | 'isUncertain'> {
  readonly item: Pending;
}

/** Edits that are not in the document stay to be had. */
export const recover = (ledger: Ledger, lost: readonly Lost[]): void => {
  const { replica, keeper, recovered, now } = ledger;
  if (lost.length === 0) return;
  const edits = lost.map(({ item: { operation }, reason, isUncertain }) => ({
    ...{ id: operation.opId, operation, reason, isUncertain, at: now() },
  }));
  for (const edit of edits) recovered.set(edit.id, edit);
  const items = lost.map(({ item }) => item);
  remove(replica, new Set(items));
  keeper.keep({ settled: keysOf(items), recovered: edits });
  ledger.lost(new Set(edits.map(({ id }) => id)));
  ledger.settled();
};

const forget = ({ replica, keeper, settled }: Ledger, items: readonly Pending[]): void => {
  if (items.length === 0) return;
  remove(replica, new Set(items));
  keeper.keep({ settled: keysOf(items) });
  settled();
};

const tell = ({ emitter }: Ledger, { operation }: Pending, how: Pick<Outcome, 'status' | 'reason'>): void => {
  const { status, reason } = how;
  if (status === 'applied' || status === 'duplicate') return;
  emitter.emit({ kind: 'notice', notice: { opId: operation.opId, operation, status, reason } });
};

/** They are in the document. */
const confirm = ({ keeper, acknowledged }: Ledger, items: readonly Pending[]): void => {
  if (items.length > 0) keeper.keep(acknowledge(acknowledged, items));
};

/**
 * Everything that is settled by the present version and was not seen in it. Where nobody knows whether it came to something, it is kept
 * aside.
 */
export const sweep = (ledger: Ledger): void => {
  const { replica } = ledger;
  const due = pendingIn(replica).filter(({ settledAt }) => settledAt !== undefined && settledAt <= replica.version);
  const isDone = ({ isAccepted, came }: Pending): boolean => isAccepted || came === true;
  confirm(ledger, due.filter(isDone));
  forget(ledger, due.filter(isDone));
  const lost = due.filter((item) => !isDone(item));
  recover(
    ledger,
    lost.map((item) => ({ item, reason: 'unknown', isUncertain: item.isPerhapsSeen && item.came === undefined })),
  );
  for (const item of lost) tell(ledger, item, { status: 'dropped' });
};

/** In the order of versions, without a gap. */
export const committed = (ledger: Ledger, operations: readonly Operation[]): void => {
  const { replica, keeper } = ledger;
  const ids = new Set(operations.map(({ opId }) => opId));
  const mine = pendingIn(replica).filter(({ operation }) => ids.has(operation.opId));
  const fromVersion = replica.version + 1;
  commit(replica, operations);
  const frames = ledger.keepsFrames && operations.length > 0 ? [{ fromVersion, operations }] : [];
  if (mine.length > 0 || frames.length > 0) keeper.keep({ settled: keysOf(mine), frames });
  confirm(ledger, mine);
  sweep(ledger);
  ledger.grew(operations.length);
  if (mine.length > 0) ledger.settled();
};

export interface Judged {
  readonly item: Pending;
  readonly outcome: Pick<Outcome, 'status' | 'reason' | 'version'>;
}

/** The owner's word on a batch of them, which is settled by that version. */
export const judge = (ledger: Ledger, judged: readonly Judged[], version: number): void => {
  const isGone = ({ outcome: { status } }: Judged): boolean => status === 'dropped' || status === 'rejected';
  for (const { item, outcome } of judged.filter((one) => !isGone(one))) {
    item.settledAt = outcome.version ?? version;
    // Of one that came to nothing no version is known.
    item.isAccepted = outcome.status !== 'duplicate' || outcome.version !== undefined;
  }
  const gone = judged.filter(isGone);
  const isIdle = ({ outcome }: Judged): boolean => outcome.reason === 'nothing-changes';
  forget(
    ledger,
    gone.filter(isIdle).map(({ item }) => item),
  );
  const lost = gone.filter((one) => !isIdle(one));
  recover(
    ledger,
    lost.map(({ item, outcome }) => ({ item, reason: outcome.reason ?? 'unknown', isUncertain: false })),
  );
  for (const { item, outcome } of judged) tell(ledger, item, outcome);
  sweep(ledger);
};
