/** Who follows with which epoch: when a principal's rises, whatever it follows with an older token ends. */

import type { Identity } from '../../infra/http/route';
import type { EpochBump } from '../../infra/ports/epochs';

export interface Rights {
  /** Calls back once the token is revoked, at once when it is already; answers how to stop watching. */
  readonly watch: (identity: Identity, revoked: () => void) => () => void;
  readonly apply: (bump: EpochBump) => void;
}

interface Watched {
  readonly securityEpoch: number;
  readonly revoked: () => void;
}

/** `current`: the highest epoch that was heard of, for tokens that were let in just before it was. */
export const openRights = (current: (tenantId: string, principalId: string) => number): Rights => {
  const watched = new Map<string, Set<Watched>>();
  const keyOf = (tenantId: string, principalId: string): string => `${tenantId}.${principalId}`;
  return {
    watch: ({ tenantId, principalId, securityEpoch = 0 }, revoked) => {
      const key = keyOf(tenantId, principalId);
      const one = { securityEpoch, revoked };
      const others = watched.get(key);
      if (others === undefined) watched.set(key, new Set([one]));
      else others.add(one);
      if (securityEpoch < current(tenantId, principalId)) revoked();
      return () => {
        const left = watched.get(key);
        left?.delete(one);
        if (left?.size === 0) watched.delete(key);
      };
    },
    apply: ({ tenantId, principalId, securityEpoch }) => {
      for (const one of [...(watched.get(keyOf(tenantId, principalId)) ?? [])])
        if (one.securityEpoch < securityEpoch) one.revoked();
    },
  };
};
