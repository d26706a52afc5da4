/** Opens the security state and follows its sources. */

import {
  createSecurityState,
  type RevocableJwksCache,
  type SecurityState,
} from '../../../packages/resource-server/src/verification/index';
import { openEventStore } from '../../adapters/eventstore/event-store';
import { createRedisChangeFeed } from '../../adapters/redis/views/change-feed-reader';
import { endForAnotherLog } from '../../server/log-identity/end-for-another-log';
import { pollEventLog, subscribeEventLog } from '../../server/security-state/event-log-feed';
import { applyFeed } from '../../server/security-state/follow-feed';
import { paceByDemand } from '../../server/security-state/poll-pace';
import { readRedisFeed, redisFeedName } from '../../server/security-state/redis-feed';
import { tracedEventStore } from '../../server/trace/traced-event-store';
import { forwardKeyRevocations } from '../authentication/revocation-freshness';
import type { GatewayContext } from '../config';

/** The relay sends revocations every two seconds: where it runs, a gateway without requests need not poll. */
const idleMilliseconds = 3_000;

/**
 * The log subscription and Redis deliver changes immediately; polling the log proves that none was missed. One of log and Redis is enough;
 * both are followed when both are configured.
 */
export const openRevocations = (opened: GatewayContext, keys: RevocableJwksCache): SecurityState => {
  const { EVENTSTORE_URL, REDIS_URL } = opened.config;
  const { context, closing } = opened;
  const state = createSecurityState(Date.now, () => performance.now());
  const hearing = forwardKeyRevocations(state, keys);
  const pace = paceByDemand({ stalenessMilliseconds: state.stalenessMilliseconds, idleMilliseconds });
  if (EVENTSTORE_URL !== undefined) {
    const store = tracedEventStore(
      openEventStore({
        url: EVENTSTORE_URL,
        log: context.log,
        signal: context.signal,
        replaced: endForAnotherLog(context.log),
      }),
      context,
    );
    closing.add('event store', store.close);
    void applyFeed(hearing, pollEventLog(store, { pace }), context);
    void applyFeed(hearing, subscribeEventLog(store), context);
  }
  if (REDIS_URL !== undefined)
    void applyFeed(hearing, readRedisFeed(createRedisChangeFeed(REDIS_URL, redisFeedName)), context);
  return {
    ...state,
    // Called for every request with a token, and repeatedly for open streams.
    refusal: (claims, kid) => {
      pace.demand();
      return state.refusal(claims, kid);
    },
  };
};
