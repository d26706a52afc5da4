/** Tells gateways of revocations through Redis: beside the views, as whoever follows the log is here anyway. */
import type { EventStore } from '../../infra/ports/event-store';
import { openRedisFeedWriter } from '../../infra/redis/feed-writer';
import { followSecurity } from '../../infra/security-state/follow';
import { logBell, logFeed } from '../../infra/security-state/log-feed';
import { openRelay } from '../../infra/security-state/relay';
import { securityFeedName } from '../../infra/security-state/shared-feed';
import { rememberMilliseconds } from '../../infra/security-state/window';
import type { ServiceContext } from '../../infra/service';
import { securityState } from '../../packages/resource-server/src/verification/index';

export interface SecurityRelay {
  readonly close: () => Promise<void>;
}

export const relaySecurity = (url: string, store: EventStore, context: ServiceContext): SecurityRelay => {
  const { log, signal } = context;
  const writer = openRedisFeedWriter(url, securityFeedName, rememberMilliseconds);
  const state = securityState(Date.now, () => performance.now());
  const relay = openRelay({ state, writer, log });
  const followed = [logFeed(store), logBell(store)].map((feed) => followSecurity(relay, feed, { log, signal }));
  return {
    close: async () => {
      await Promise.all(followed);
      await relay.settled();
      await writer.close();
    },
  };
};
