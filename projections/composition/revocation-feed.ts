/** Publishes revocations to gateways through Redis. Runs in the projector, which follows the log anyway. */

import { openRedisChangeFeedWriter } from '../../infra/adapters/redis/views/change-feed-writer';
import type { EventStore } from '../../infra/ports/event-store';
import type { ServiceContext } from '../../infra/server/runtime/service';
import { pollEventLog, subscribeEventLog } from '../../infra/server/security-state/event-log-feed';
import { applyFeed } from '../../infra/server/security-state/follow-feed';
import { steadyPace } from '../../infra/server/security-state/poll-pace';
import { createFeedPublisher, redisFeedName } from '../../infra/server/security-state/redis-feed';
import { retentionMilliseconds } from '../../infra/server/security-state/retention';
import { createSecurityState } from '../../packages/resource-server/src/verification/index';

export interface RevocationRelay {
  readonly close: () => Promise<void>;
}

/** Changes are relayed at once. This proves that none was missed; gateways that have requests prove it by themselves. */
const proofMilliseconds = 2_000;

export const relayRevocations = (url: string, store: EventStore, context: ServiceContext): RevocationRelay => {
  const { log, signal } = context;
  const writer = openRedisChangeFeedWriter(url, redisFeedName, retentionMilliseconds);
  const state = createSecurityState(Date.now, () => performance.now());
  const relay = createFeedPublisher({ state, writer, log });
  const followed = [pollEventLog(store, { pace: steadyPace(proofMilliseconds) }), subscribeEventLog(store)].map(
    (feed) => applyFeed(relay, feed, { log, signal }),
  );
  return {
    close: async () => {
      await Promise.all(followed);
      await relay.settled();
      await writer.close();
    },
  };
};
