/** Revocations of a process, from the log: streams and sockets end with the token that opened them. */
import { createSecurityState } from '../../packages/resource-server/src/verification/index';
import { revocableOf } from '../http/identity/revocable-claims';
import { createRevocationWatch } from '../http/streaming/revocation-watch';
import type { EventStore } from '../ports/event-store';
import type { SecurityKnowledge, SecuritySignal } from '../ports/identity/security-state';
import type { ServiceContext } from '../runtime/service';
import { pollEventLog, subscribeEventLog } from './event-log-feed';
import { applyFeed } from './follow-feed';

/** Runs until the service's signal aborts. `knowledge` is for guards outside of this process. */
export const openRevocationState = (store: EventStore, context: ServiceContext) => {
  const state = createSecurityState(Date.now, () => performance.now());
  const rights = createRevocationWatch(
    (identity) => state.refusal(revocableOf(identity), identity.keyId ?? '') !== undefined,
  );
  const listeners = new Set<(signal: SecuritySignal) => void>();
  const apply = (signal: SecuritySignal): void => {
    state.apply(signal);
    if (signal.kind !== 'heartbeat') rights.apply(signal);
    for (const listener of [...listeners]) listener(signal);
  };
  void applyFeed({ apply }, pollEventLog(store), context);
  void applyFeed({ apply }, subscribeEventLog(store), context);
  const watch: SecurityKnowledge['watch'] = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { knowledge: { ...state, watch }, rights };
};
