/** Pending edits of which nobody knows whether they are kept any more. */
import type { Ledger } from '../ledger';
import { pendingIn } from '../scene/replica';

export const keepAgain = ({ replica, keeper }: Ledger): void => {
  for (const item of pendingIn(replica)) {
    const { clientId, operation } = item;
    item.isOnDisk = false;
    keeper.keep({ pending: [{ clientId, operation }] }, (isOnDisk) => {
      item.isOnDisk = isOnDisk;
    });
  }
};
