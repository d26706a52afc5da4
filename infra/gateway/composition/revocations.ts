/** Opens the security state and follows its sources. */

import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import {
  createSecurityState,
  type RevocableJwksCache,
  type SecurityState,
} from '../../../packages/resource-server/src/verification/index';
import { openRedisGatewayPositions } from '../../adapters/redis/identity/gateway-positions';
import { createRedisChangeFeed } from '../../adapters/redis/views/change-feed-reader';
import type { EventStore } from '../../ports/event-store';
import { pollEventLog, subscribeEventLog } from '../../server/security-state/event-log-feed';
import { applyFeed } from '../../server/security-state/follow-feed';
import { paceByDemand } from '../../server/security-state/poll-pace';
import { readRedisFeed, redisFeedName } from '../../server/security-state/redis-feed';
import { forwardKeyRevocations } from '../authentication/revocation-freshness';
import type { GatewayContext } from '../config';

/** The relay sends revocations every two seconds: where it runs, a gateway without requests need not poll. */
const idleMilliseconds = 3_000;

/** Often, because the containment of incidents waits for it. */
const reportMilliseconds = 200;
/** Below the time after which a gateway that does not report counts as gone. */
const repeatMilliseconds = 5_000;

/** Reports how far revocations are known here, as evidence that they are enforced. */
const reportPosition = ({ closing }: GatewayContext, url: string, state: Pick<SecurityState, 'sequence'>): void => {
  const positions = openRedisGatewayPositions(url);
  const gatewayId = randomUUID();
  let [reported, reportedAt, isReporting] = [-1n, Number.NEGATIVE_INFINITY, false];
  const report = async (): Promise<void> => {
    const sequence = state.sequence();
    const isNews = sequence !== reported || performance.now() - reportedAt > repeatMilliseconds;
    if (sequence === null || isReporting || !isNews) return;
    isReporting = true;
    const done = await positions.report(gatewayId, sequence);
    isReporting = false;
    if (!isLeft(done)) [reported, reportedAt] = [sequence, performance.now()];
  };
  const timer = setInterval(() => void report(), reportMilliseconds);
  closing.add('position of revocations', async () => {
    clearInterval(timer);
    await positions.close();
  });
};

/**
 * The log subscription and Redis deliver changes immediately; polling the log proves that none was missed. One of log and Redis is enough;
 * both are followed when both are configured.
 */
export const openRevocations = (
  opened: GatewayContext,
  keys: RevocableJwksCache,
  store: EventStore | undefined,
): SecurityState => {
  const {
    config: { REDIS_URL },
    context,
  } = opened;
  const state = createSecurityState(Date.now, () => performance.now());
  const hearing = forwardKeyRevocations(state, keys);
  const pace = paceByDemand({ stalenessMilliseconds: state.stalenessMilliseconds, idleMilliseconds });
  if (store !== undefined) {
    void applyFeed(hearing, pollEventLog(store, { pace }), context);
    void applyFeed(hearing, subscribeEventLog(store), context);
  }
  if (REDIS_URL !== undefined) reportPosition(opened, REDIS_URL, state);
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
