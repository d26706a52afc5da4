/** Opens the stores of sign-in: in Redis, or in memory for a single process. */

import { accountCookies } from '../../../infra/http/account-cookies';
import { ownOrigins } from '../../../infra/http/origins';
import { openIdentityProviders } from '../../../infra/oidc/identity-providers';
import { openRedisAttempts } from '../../../infra/redis/attempts';
import { openRedisKept } from '../../../infra/redis/kept';
import { openRedisLiveSessions } from '../../../infra/redis/live-sessions';
import { memoryExpiringStore } from '../../../infra/redis/memory-expiring-store';
import { memoryReplayCache } from '../../../infra/redis/memory-replay-cache';
import { memoryAttempts, memoryLiveSessions } from '../../../infra/redis/memory-sign-in';
import { openRedisOnce } from '../../../infra/redis/once';
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
      live: memoryLiveSessions(),
      attempts: memoryAttempts(),
      kept: memoryExpiringStore(),
      once: memoryReplayCache(),
    };
  return {
    live: openRedisLiveSessions(url),
    attempts: openRedisAttempts(url),
    kept: openRedisKept(url, 'sign-in'),
    once: openRedisOnce(url, 'sign-in'),
  };
};

export const openSignIn = ({ ISSUER, REDIS_URL, PRIVATE_ADDRESSES }: SignInConfig) => {
  const { live, attempts, kept, once } = openSignInStores(REDIS_URL);
  const deps: Pick<SignInDeps, 'browsers' | 'people'> = {
    browsers: { cookies: accountCookies(ISSUER), origins: ownOrigins(ISSUER), live },
    people: {
      passwords: createPasswordHasher(),
      attempts,
      kept,
      once,
      providers: openIdentityProviders({ allowPrivate: PRIVATE_ADDRESSES === 'allow' }),
    },
  };
  const close = async (): Promise<void> => {
    await Promise.all([live.close(), attempts.close(), kept.close(), once.close()]);
  };
  return { deps, close };
};
