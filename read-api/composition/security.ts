/** What the query API knows of revocations: only this side can tell a client why its stream ends, and it tells other guards. */
import { revocableOf } from '../../infra/http/revocable';
import { openRights } from '../../infra/http/stream-rights';
import type { EventStore } from '../../infra/ports/event-store';
import type { SecurityKnowledge, SecuritySignal } from '../../infra/ports/security-state';
import { followSecurity } from '../../infra/security-state/follow';
import { logBell, logFeed } from '../../infra/security-state/log-feed';
import type { ServiceContext } from '../../infra/service';
import { securityState } from '../../packages/resource-server/src/verification/index';

export const openSecurity = (store: EventStore, context: ServiceContext) => {
  const state = securityState(Date.now, () => performance.now());
  const rights = openRights((identity) => state.refusal(revocableOf(identity), identity.keyId ?? '') !== undefined);
  const watching = new Set<(signal: SecuritySignal) => void>();
  const apply = (signal: SecuritySignal): void => {
    state.apply(signal);
    if (signal.kind !== 'heartbeat') rights.apply(signal);
    for (const told of [...watching]) told(signal);
  };
  void followSecurity({ apply }, logFeed(store), context);
  void followSecurity({ apply }, logBell(store), context);
  const watch: SecurityKnowledge['watch'] = (told) => {
    watching.add(told);
    return () => void watching.delete(told);
  };
  return { knowledge: { ...state, watch }, rights };
};
