/** Whether an owner goes on from what is known here. A log that was put back to an earlier time does not, though its versions may. */
import type { FromServer } from '../../../../domain/editor/messages/from-server';
import { takeAbove } from '../acknowledged';
import { type Ledger, type Lost, recover } from '../ledger';
import type { Mark } from '../ports/store';
import type { Pending } from '../scene/pending';
import { pendingIn } from '../scene/replica';

type Joined = FromServer<'joined'>;

/** `unsure`: what is known here came without a name. */
export type Lineage = 'same' | 'other' | 'unsure';

const lacks = ({ acknowledged }: Ledger, { clientId, committedClientSeq }: Joined): boolean =>
  committedClientSeq !== undefined &&
  acknowledged.items.some((item) => item.clientId === clientId && item.operation.clientSeq > committedClientSeq);

/** `known` is what was named in the join. */
export const lineageOf = (ledger: Ledger, known: Mark, joined: Joined): Lineage => {
  const { committedVersion, opIdThere } = joined;
  if (committedVersion < known.version || lacks(ledger, joined)) return 'other';
  if (known.version === 0 || opIdThere === undefined || opIdThere === known.opId) return 'same';
  return known.opId === undefined ? 'unsure' : 'other';
};

/** What of a client is not in the log: what was committed before and is gone, and what is pending. Nothing of it is sent into another history. */
export const setAside = (ledger: Ledger, { clientId, committedClientSeq }: Joined, items: readonly Pending[]): void => {
  const isThere = (item: Pending): boolean =>
    item.clientId === clientId && committedClientSeq !== undefined && item.operation.clientSeq <= committedClientSeq;
  const reached = committedClientSeq ?? Number.POSITIVE_INFINITY;
  const { taken, change } = takeAbove(ledger.acknowledged, clientId, reached);
  const lostAs = (item: Pending, isUncertain: boolean): Lost => ({ item, reason: 'history-replaced', isUncertain });
  const isKnown = (item: Pending): boolean => item.clientId === clientId && committedClientSeq !== undefined;
  ledger.keeper.keep(change);
  recover(ledger, [
    ...taken.map((item) => lostAs(item, false)),
    ...items.filter((item) => !isThere(item)).map((item) => lostAs(item, item.isSent && !isKnown(item))),
  ]);
};

export const setAllAside = (ledger: Ledger, joined: Joined): void =>
  setAside(ledger, joined, pendingIn(ledger.replica));
