/** What the documents of this process come to, looked at now and then. */
import type { HeldFigures } from './figures';
import { type All, nodesOf } from './holding';
import type { Owned } from './owned';
import { isMuch } from './snapshotting';

/** Since when a snapshot of it is due, by the monotonic clock. */
type Due = WeakMap<Owned, number>;

/** While one is tried it is not known whether it is due still. */
const dueSecondsOf = (due: Due, owned: Owned, now: number): number => {
  if (owned.taking === undefined && !isMuch(owned)) {
    due.delete(owned);
    return 0;
  }
  const since = due.get(owned) ?? now;
  if (isMuch(owned)) due.set(owned, since);
  return (now - since) / 1_000;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);
const most = (numbers: readonly number[]): number => numbers.reduce((one, other) => Math.max(one, other), 0);

export const openGauging = (now: () => number = () => performance.now()): ((all: All) => HeldFigures) => {
  const due: Due = new WeakMap();
  return (all) => {
    const owneds = [...all.held.values()].map(({ owned }) => owned);
    const at = now();
    return {
      documents: owneds.length,
      nodes: nodesOf(all),
      waiting: sum(owneds.map(({ waiting }) => waiting.length)),
      underWay: owneds.filter(({ turn }) => turn !== undefined).length,
      mostUnkeptBytes: most(owneds.map(({ content }) => content.tail.bytes)),
      snapshotDueSeconds: most(owneds.map((owned) => dueSecondsOf(due, owned, at))),
    };
  };
};
