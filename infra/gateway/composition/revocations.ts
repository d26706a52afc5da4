/** Opens the security state and follows its sources. */

import {
  createSecurityState,
  type RevocableJwksCache,
  type SecurityState,
} from '../../../packages/resource-server/src/verification/index';
import { openEventStore } from '../../eventstore/event-store';
import { createRedisChangeFeed } from '../../redis/views/change-feed-reader';
import { pollEventLog, subscribeEventLog } from '../../security-state/event-log-feed';
import { applyFeed } from '../../security-state/follow-feed';
import { readRedisFeed, redisFeedName } from '../../security-state/redis-feed';
import { tracedEventStore } from '../../trace/traced-event-store';
import { forwardKeyRevocations } from '../authentication/revocation-freshness';
import type { GatewayContext } from '../config';

/**
 * The log subscription and Redis deliver changes immediately; polling the log proves that none was missed. One of log and Redis is enough;
 * both are followed when both are configured.
 */
export const openRevocations = (opened: GatewayContext, keys: RevocableJwksCache): SecurityState => {
  const { EVENTSTORE_URL, REDIS_URL } = opened.config;
  const { context, closing } = opened;
  const state = createSecurityState(Date.now, () => performance.now());
  const hearing = forwardKeyRevocations(state, keys);
  if (EVENTSTORE_URL !== undefined) {
    const store = tracedEventStore(
      openEventStore({ url: EVENTSTORE_URL, log: context.log, signal: context.signal }),
      context,
    );
    closing.add('event store', store.close);
    void applyFeed(hearing, pollEventLog(store), context);
    void applyFeed(hearing, subscribeEventLog(store), context);
  }
  if (REDIS_URL !== undefined)
    void applyFeed(hearing, readRedisFeed(createRedisChangeFeed(REDIS_URL, redisFeedName)), context);
  return state;
};
