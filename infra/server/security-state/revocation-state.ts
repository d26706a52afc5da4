/** Revocations of a process, from the log: streams and sockets end with the token that opened them. */
import { createSecurityState, type RevocationChecker } from '../../../packages/resource-server/src/verification/index';
import type { EventStore } from '../../ports/event-store';
import type { SecurityKnowledge, SecuritySignal } from '../../ports/identity/security-state';
import { revocableOf } from '../http/identity/revocable-claims';
import { createRevocationWatch, type RevocationWatch } from '../http/streaming/revocation-watch';
import type { ServiceContext } from '../runtime/service';
import { pollEventLog, subscribeEventLog } from './event-log-feed';
import { applyFeed } from './follow-feed';
import { paceByDemand } from './poll-pace';

/** Far below the minute after which tokens are refused here. */
const idleMilliseconds = 5_000;

/** Runs until the service's signal aborts. `knowledge` is for guards outside of this process. */
export const openRevocationState = (store: EventStore, context: ServiceContext) => {
  const state = createSecurityState(Date.now, () => performance.now());
  const rights = createRevocationWatch(
    (identity) => state.refusal(revocableOf(identity), identity.keyId ?? '') !== undefined,
  );
  const listeners = new Set<(signal: SecuritySignal) => void>();
  const { stalenessMilliseconds } = state;
  const isFollowed = (): boolean => rights.isWatching() || listeners.size > 0;
  const pace = paceByDemand({ isFollowed, stalenessMilliseconds, idleMilliseconds });
  const apply = (signal: SecuritySignal): void => {
    state.apply(signal);
    if (signal.kind !== 'heartbeat') rights.apply(signal);
    for (const listener of [...listeners]) listener(signal);
  };
  void applyFeed({ apply }, pollEventLog(store, { pace }), context);
  void applyFeed({ apply }, subscribeEventLog(store), context);
  const knowledge: SecurityKnowledge & RevocationChecker = {
    ...state,
    refusal: (claims, kid) => {
      pace.demand();
      return state.refusal(claims, kid);
    },
    changesAfter: (sequence) => {
      pace.demand();
      return state.changesAfter(sequence);
    },
    watch: (listener) => {
      listeners.add(listener);
      pace.demand();
      return () => void listeners.delete(listener);
    },
  };
  const watch: RevocationWatch['watch'] = (identity, revoked) => {
    const leave = rights.watch(identity, revoked);
    pace.demand();
    return leave;
  };
  return { knowledge, rights: { ...rights, watch } };
};
