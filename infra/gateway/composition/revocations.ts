/** What this gateway hears of revocations, and from whom. */

import {
  type FollowedKeyring,
  type SecurityState,
  securityState,
} from '../../../packages/resource-server/src/verification/index';
import { openEventStore } from '../../eventstore/client';
import { redisFeed } from '../../redis/feed';
import { followSecurity } from '../../security-state/follow';
import { logBell, logFeed } from '../../security-state/log-feed';
import { securityFeedName, sharedFeed } from '../../security-state/shared-feed';
import { observedStore } from '../../trace/observed-store';
import { hearingOfKeys } from '../freshness';
import type { Opened } from '../opened';

/**
 * The log's bell and Redis tell at once, the log proves that nothing was missed. Log or Redis alone is enough; both are
 * followed where both are given.
 */
export const openRevocations = (opened: Opened, keys: FollowedKeyring): SecurityState => {
  const { EVENTSTORE_URL, REDIS_URL } = opened.config;
  const { context, closing } = opened;
  const state = securityState(Date.now, () => performance.now());
  const hearing = hearingOfKeys(state, keys);
  if (EVENTSTORE_URL !== undefined) {
    const store = observedStore(openEventStore({ url: EVENTSTORE_URL, log: context.log }), context);
    closing.add('event store', store.close);
    void followSecurity(hearing, logFeed(store), context);
    void followSecurity(hearing, logBell(store), context);
  }
  if (REDIS_URL !== undefined)
    void followSecurity(hearing, sharedFeed(redisFeed(REDIS_URL, securityFeedName)), context);
  return state;
};
