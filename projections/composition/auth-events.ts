/** Indexes authorization decisions of gateways. Runs in the projectors, which have Redis, Elasticsearch and the log. */
import { isLeft } from 'fp-ts/Either';
import { openAuthEventIndex } from '../../infra/adapters/elastic/auth-events/auth-event-index';
import { createAuthEventStream } from '../../infra/adapters/redis/auth-events/auth-event-stream';
import { createDetectionForwarder } from '../../infra/adapters/redis/auth-events/detection-stream';
import { openRedis } from '../../infra/adapters/redis/connection';
import { subjectHash as subjectOf } from '../../infra/adapters/vault/subject-keys';
import type { EventStore } from '../../infra/ports/event-store';
import type { LogGuard } from '../../infra/server/log-identity/log-guard';
import { resumeUntilAborted } from '../../infra/server/runtime/backoff';
import { type ConfigOf, listOf, wholeNumber, withDefault } from '../../infra/server/runtime/config';
import { logOutage } from '../../infra/server/runtime/outage';
import type { ServiceContext } from '../../infra/server/runtime/service';
import { forgetPeople } from '../identity/auth-events/forget-people';
import { runAuthEventIndexing } from '../identity/auth-events/index-auth-events';
import type { storeVariables } from './view-writers';

export const authEventVariables = {
  /** How long authorization decisions stay in the index. */
  AUTH_EVENT_DAYS: withDefault(wholeNumber(1, 3_650), 90),
  /** Where a tenant's stay shorter or longer. */
  AUTH_EVENT_DAYS_BY_TENANT: withDefault(
    listOf('tenants with days, such as acme=30', (item) => /^[a-z0-9][a-z0-9-]*=[1-9]\d{0,3}$/.test(item)),
    [],
  ),
};

type Config = ConfigOf<typeof authEventVariables> & Partial<ConfigOf<typeof storeVariables>>;

const daysByTenant = (items: readonly string[]): ReadonlyMap<string, number> =>
  new Map(items.map((item) => [item.split('=', 1).join(), Number(item.slice(item.indexOf('=') + 1))]));

export interface AuthEventIndexer {
  readonly close: () => Promise<void>;
}

interface IndexedLog {
  readonly store: EventStore;
  readonly guard: LogGuard | undefined;
}

/** Undefined without Redis or Elasticsearch. */
export const indexAuthEvents = (
  values: Config,
  { store, guard }: IndexedLog,
  { log, signal }: ServiceContext,
): AuthEventIndexer | undefined => {
  const { REDIS_URL: redisUrl, ELASTICSEARCH_URL: url, ELASTICSEARCH_PREFIX: prefix } = values;
  if (redisUrl === undefined || url === undefined) return undefined;
  // Of its own each: erasures do not wait for batches.
  const [reading, erasing] = [openRedis(redisUrl), openRedis(redisUrl)];
  const stream = createAuthEventStream(reading, { subjectOf, log });
  const forgetting = createAuthEventStream(erasing, { subjectOf, log });
  const detection = createDetectionForwarder(reading);
  const index = openAuthEventIndex({ url, prefix, subjectOf });
  const retention = {
    days: values.AUTH_EVENT_DAYS,
    byTenant: daysByTenant(values.AUTH_EVENT_DAYS_BY_TENANT),
  };
  const logId = async (): Promise<string> => {
    const known = await guard?.logId();
    if (known === undefined) return 'unknown';
    if (isLeft(known)) throw new Error(known.left.detail);
    return known.right;
  };
  const running = [
    runAuthEventIndexing({ stream, index, detection, subjectOf, retention, log, signal }),
    resumeUntilAborted(
      async (progress) => forgetPeople({ store, stream: forgetting, index, log: await logId(), signal }, progress),
      {
        signal,
        ...logOutage(log, {
          failing: 'people who were forgotten could not be removed from authorization decisions; it is tried again',
          recovered: 'people who were forgotten are removed from authorization decisions again',
        }),
      },
    ),
  ];
  return {
    close: async () => {
      await Promise.all(running);
      await index.close();
      for (const redis of [reading, erasing]) redis.disconnect();
    },
  };
};
