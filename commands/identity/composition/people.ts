/** What people's sign-ins need of adapters: Redis where there is one, else this process' own memory. */

import { memoryOnce } from '../../../infra/gateway/once';
import { memoryKept } from '../../../infra/gateway/session-kept';
import { accountCookies } from '../../../infra/http/account-cookies';
import { ownOrigins } from '../../../infra/http/origins';
import { openProviders } from '../../../infra/oidc/providers';
import { openRedisAttempts } from '../../../infra/redis/attempts';
import { openRedisKept } from '../../../infra/redis/kept';
import { openRedisLiveSessions } from '../../../infra/redis/live-sessions';
import { memoryAttempts, memoryLiveSessions } from '../../../infra/redis/memory-sign-in';
import { openRedisOnce } from '../../../infra/redis/once';
import type { PeopleDeps } from '../sign-in/deps';
import { openPasswords } from '../sign-in/passwords';

export interface PeopleValues {
  readonly ISSUER: string;
  readonly REDIS_URL?: string;
  /** Whether providers may be in the installation's own network. */
  readonly PRIVATE_ADDRESSES: 'refuse' | 'allow';
}

const openStores = (url: string | undefined) => {
  if (url === undefined)
    return { live: memoryLiveSessions(), attempts: memoryAttempts(), kept: memoryKept(), once: memoryOnce() };
  return {
    live: openRedisLiveSessions(url),
    attempts: openRedisAttempts(url),
    kept: openRedisKept(url, 'sign-in'),
    once: openRedisOnce(url, 'sign-in'),
  };
};

export const openPeople = ({ ISSUER, REDIS_URL, PRIVATE_ADDRESSES }: PeopleValues) => {
  const { live, attempts, kept, once } = openStores(REDIS_URL);
  const deps: Pick<PeopleDeps, 'browsers' | 'people'> = {
    browsers: { cookies: accountCookies(ISSUER), origins: ownOrigins(ISSUER), live },
    people: {
      passwords: openPasswords(),
      attempts,
      kept,
      once,
      providers: openProviders({ allowPrivate: PRIVATE_ADDRESSES === 'allow' }),
    },
  };
  const close = async (): Promise<void> => {
    await Promise.all([live.close(), attempts.close(), kept.close(), once.close()]);
  };
  return { deps, close };
};
