/** Outcomes of policies in shadow, in Redis: counts by tenant and version, and the last differences, for a day after the last one. */
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeStored, finite, nullable, record } from '../../../../domain/kernel/codec';
import { fault } from '../../../../domain/kernel/rejection';
import type {
  PolicyDifference,
  ShadowOutcome,
  ShadowReader,
  ShadowRecorder,
  ShadowReport,
} from '../../../ports/identity/policy-differences';
import type { RedisConnection } from '../connection';

const retentionMilliseconds = 86_400_000;
const everyMilliseconds = 1_000;
/** Listed of a tenant. */
const maxEntries = 500;
/** Of one second of one process, of all tenants; more are only counted. */
const maxWritten = 200;

const StoredDifference = record('StoredDifference', {
  principalId: t.string,
  method: t.string,
  operation: nullable(t.string),
  enforced: nullable(finite),
  enforcedEffect: t.string,
  shadowEffect: t.string,
  ruleId: nullable(t.string),
});

const countsKey = (tenantId: string, version: number): string => `identity:policy-shadow:{${tenantId}}:${version}`;
const listKey = (tenantId: string, version: number): string => `${countsKey(tenantId, version)}:list`;

interface Counts {
  readonly tenantId: string;
  readonly version: number;
  evaluated: number;
  different: number;
  readonly listed: PolicyDifference[];
}

const write = async (redis: Pick<RedisConnection, 'pipeline'>, counts: Iterable<Counts>): Promise<void> => {
  for (const { tenantId, version, evaluated, different, listed } of counts) {
    const [key, list] = [countsKey(tenantId, version), listKey(tenantId, version)];
    const pipeline = redis
      .pipeline()
      .hincrby(key, 'evaluated', evaluated)
      .hincrby(key, 'different', different)
      .pexpire(key, retentionMilliseconds);
    for (const one of listed) pipeline.xadd(list, 'MAXLEN', '~', maxEntries, '*', 'difference', JSON.stringify(one));
    if (listed.length > 0) pipeline.pexpire(list, retentionMilliseconds);
    await pipeline.exec();
  }
};

export const createShadowRecorder = (redis: Pick<RedisConnection, 'pipeline'>): ShadowRecorder => {
  let waiting = new Map<string, Counts>();
  let written = 0;
  let sending: Promise<void> = Promise.resolve();
  const send = (): void => {
    if (waiting.size === 0) return;
    const counts = [...waiting.values()];
    waiting = new Map();
    written = 0;
    // While Redis does not answer, outcomes are lost: nothing depends on them.
    sending = write(redis, counts).catch(() => undefined);
  };
  const timer = setInterval(send, everyMilliseconds).unref();
  return {
    record: ({ tenantId, version, difference }: ShadowOutcome) => {
      const key = countsKey(tenantId, version);
      const counts = waiting.get(key) ?? { tenantId, version, evaluated: 0, different: 0, listed: [] };
      waiting.set(key, counts);
      counts.evaluated += 1;
      if (difference === undefined) return;
      counts.different += 1;
      if (written >= maxWritten) return;
      written += 1;
      counts.listed.push(difference);
    },
    close: async () => {
      clearInterval(timer);
      await sending;
      send();
      await sending;
    },
  };
};

const maxAnswered = 100;

export const createShadowReader = (redis: Pick<RedisConnection, 'hgetall' | 'xrevrange'>): ShadowReader => ({
  find: async (tenantId, version): Promise<Either<ReturnType<typeof unavailable>, ShadowReport>> => {
    try {
      const counts = await redis.hgetall(countsKey(tenantId, version));
      const entries = await redis.xrevrange(listKey(tenantId, version), '+', '-', 'COUNT', maxAnswered);
      const items = entries.flatMap(([id, [, content = '']]) => {
        const decoded = decodeStored(StoredDifference, JSON.parse(content));
        return decoded._tag === 'Left' ? [] : [{ ...decoded.right, at: Number(id.split('-')[0]) }];
      });
      return right({ evaluated: Number(counts.evaluated ?? 0), different: Number(counts.different ?? 0), items });
    } catch {
      return left(unavailable());
    }
  },
});

const unavailable = () => fault('service-unavailable', 'Outcomes of the shadow cannot be read right now.');
