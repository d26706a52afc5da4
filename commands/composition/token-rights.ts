/** What a process of the write side knows of revocations: sockets that stay open end with what they were opened with. */
import { revocableOf } from '../../infra/http/revocable';
import { openRights, type Rights } from '../../infra/http/stream-rights';
import type { EventStore } from '../../infra/ports/event-store';
import type { SecuritySignal } from '../../infra/ports/security-state';
import { followSecurity } from '../../infra/security-state/follow';
import { logBell, logFeed } from '../../infra/security-state/log-feed';
import type { ServiceContext } from '../../infra/service';
import { securityState } from '../../packages/resource-server/src/verification/index';

export const openTokenRights = (store: EventStore, context: ServiceContext): Rights => {
  const state = securityState(Date.now, () => performance.now());
  const rights = openRights((identity) => state.refusal(revocableOf(identity), identity.keyId ?? '') !== undefined);
  const apply = (signal: SecuritySignal): void => {
    state.apply(signal);
    if (signal.kind !== 'heartbeat') rights.apply(signal);
  };
  void followSecurity({ apply }, logFeed(store), context);
  void followSecurity({ apply }, logBell(store), context);
  return rights;
};
