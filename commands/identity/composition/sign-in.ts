/** Opens the stores of sign-in: in Redis, or in memory for a single process. */

import { openIdentityProviders } from '../../../infra/adapters/oidc/identity-providers';
import { openRedisAttemptLimiter } from '../../../infra/adapters/redis/identity/attempt-limiter';
import { openRedisExpiringStore } from '../../../infra/adapters/redis/identity/expiring-store';
import { memoryExpiringStore } from '../../../infra/adapters/redis/identity/memory-expiring-store';
import { memoryReplayCache } from '../../../infra/adapters/redis/identity/memory-replay-cache';
import {
  createMemoryAttemptLimiter,
  createMemorySessionActivity,
} from '../../../infra/adapters/redis/identity/memory-sign-in-stores';
import { openRedisReplayCache } from '../../../infra/adapters/redis/identity/replay-cache';
import { openRedisSessionActivity } from '../../../infra/adapters/redis/identity/session-activity';
import type { Log } from '../../../infra/ports/runtime/log';
import { accountCookies } from '../../../infra/server/http/identity/account-cookies';
import { watchOriginMismatch } from '../../../infra/server/http/identity/origin-mismatch';
import { ownOrigins } from '../../../infra/server/http/identity/own-origins';
import type { SignInDeps } from '../sign-in/dependencies';
import { createPasswordHasher } from '../sign-in/password-hashing';

export interface SignInConfig {
  readonly ISSUER: string;
  readonly REDIS_URL?: string;
  /** Whether identity providers may have private addresses. */
  readonly PRIVATE_ADDRESSES: 'refuse' | 'allow';
}

const openSignInStores = (url: string | undefined) => {
  if (url === undefined)
    return {
      live: createMemorySessionActivity(),
      attempts: createMemoryAttemptLimiter(),
      flowStates: memoryExpiringStore(),
      once: memoryReplayCache(),
    };
  return {
    live: openRedisSessionActivity(url),
    attempts: openRedisAttemptLimiter(url),
    flowStates: openRedisExpiringStore(url, 'sign-in'),
    once: openRedisReplayCache(url, 'sign-in'),
  };
};

export const openSignIn = ({ ISSUER, REDIS_URL, PRIVATE_ADDRESSES }: SignInConfig, log: Log) => {
  const origins = ownOrigins(ISSUER);
  const { live, attempts, flowStates, once } = openSignInStores(REDIS_URL);
  const deps: Pick<SignInDeps, 'browsers' | 'people'> = {
    browsers: { cookies: accountCookies(ISSUER), origins, originMismatch: watchOriginMismatch(log, origins), live },
    people: {
      passwords: createPasswordHasher(),
      attempts,
      flowStates,
      once,
      providers: openIdentityProviders({ allowPrivate: PRIVATE_ADDRESSES === 'allow' }),
    },
  };
  const close = async (): Promise<void> => {
    await Promise.all([live.close(), attempts.close(), flowStates.close(), once.close()]);
  };
  return { deps, close };
};
