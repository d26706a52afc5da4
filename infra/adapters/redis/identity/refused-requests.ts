/**
 * Refused requests in Redis: a stream per tenant, which lasts for a day and has room for 2,000. A flood takes little of it: of requests that are
 * alike, ten are written at once and then one in ten seconds, with the number of those left out.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { LRUCache } from 'lru-cache';
import { decodeStored, finite, nullable, record } from '../../../../domain/kernel/codec';
import { fault } from '../../../../domain/kernel/rejection';
import type {
  RecordedRefusedRequest,
  RefusedRequest,
  RefusedRequestQuery,
  RefusedRequestReader,
  RefusedRequestRecorder,
} from '../../../ports/identity/refused-requests';
import { createTokenBucket, type TokenBucket } from '../../../server/runtime/token-bucket';
import type { RedisConnection } from '../connection';

/** One day. */
const retentionMilliseconds = 86_400_000;
/** Per tenant; a flood of one tenant takes no room of another. */
const maxEntries = 2_000;
/** In one second of one process; more are left out. */
const maxWritten = 200;
const everyMilliseconds = 1_000;
const maxKinds = 2_000;
/** Of one kind. */
const burst = 10;
const millisecondsPerEntry = 10_000;

/** Tenants have no colon. */
const keyOf = (tenantId: string | null): string => `identity:refused:${tenantId ?? ':unknown'}`;

const StoredRefusal = record('StoredRefusal', {
  principalId: nullable(t.string),
  clientId: nullable(t.string),
  isProven: t.boolean,
  method: t.string,
  route: t.string,
  status: finite,
  code: t.string,
  reason: t.string,
  requestId: t.string,
  unlisted: finite,
});

type Entry = RefusedRequest & { readonly unlisted: number };

const nameOf = ({ requestId: _id, ...rest }: RefusedRequest): string => JSON.stringify(rest);

/** Decides which refusals are written one by one. */
const createKinds = (now: () => number) => {
  const kinds = new LRUCache<string, TokenBucket>({ max: maxKinds });
  return {
    /** Undefined: it is only counted. */
    take: (refused: RefusedRequest): Entry | undefined => {
      const name = nameOf(refused);
      const kind =
        kinds.get(name) ?? createTokenBucket({ capacity: burst, millisecondsPerToken: millisecondsPerEntry, now });
      kinds.set(name, kind);
      const unlisted = kind.take();
      return unlisted === undefined ? undefined : { ...refused, unlisted };
    },
  };
};

type Appending = Pick<RedisConnection, 'pipeline'>;

const append = async (redis: Appending, entries: readonly Entry[], now: number): Promise<void> => {
  // One for each tenant: their streams are in different slots of a cluster.
  const pipelines = new Map<string, ReturnType<Appending['pipeline']>>();
  for (const { tenantId, ...fields } of entries) {
    const key = keyOf(tenantId);
    const pipeline = pipelines.get(key) ?? redis.pipeline();
    pipelines.set(key, pipeline.xadd(key, 'MAXLEN', '~', maxEntries, '*', 'refused', JSON.stringify(fields)));
  }
  const sent = [...pipelines].map(([key, pipeline]) =>
    pipeline
      .xtrim(key, 'MINID', now - retentionMilliseconds)
      .pexpire(key, retentionMilliseconds)
      .exec(),
  );
  await Promise.all(sent);
};

export interface RefusedRequestRecorderOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export const createRefusedRequestRecorder = (
  redis: Appending,
  { now = Date.now }: RefusedRequestRecorderOptions = {},
): RefusedRequestRecorder => {
  const kinds = createKinds(now);
  let waiting: Entry[] = [];
  let sending: Promise<void> = Promise.resolve();
  let isSending = false;
  const send = (): void => {
    // While Redis does not answer, `waiting` holds one second's worth, and the rest is lost: nothing depends on it.
    if (waiting.length === 0 || isSending) return;
    const entries = waiting;
    waiting = [];
    isSending = true;
    sending = append(redis, entries, now())
      .catch(() => undefined)
      .finally(() => {
        isSending = false;
      });
  };
  const timer = setInterval(send, everyMilliseconds).unref();
  return {
    record: (refused) => {
      if (waiting.length >= maxWritten) return;
      const entry = kinds.take(refused);
      if (entry !== undefined) waiting.push(entry);
    },
    close: async () => {
      clearInterval(timer);
      await sending;
      send();
      await sending;
    },
  };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type StreamEntry = readonly [id: string, fields: readonly string[]];

/** Undefined: of another version. */
const refusalIn = (tenantId: string | null, [id, [, text = '']]: StreamEntry): RecordedRefusedRequest | undefined => {
  const stored = decodeStored(StoredRefusal, parsed(text));
  return isLeft(stored) ? undefined : { ...stored.right, tenantId, id, at: Number(id.split('-', 1).join()) };
};

const isOneOf = (ids: readonly string[] | undefined, id: string | null): boolean =>
  ids === undefined || (id !== null && ids.includes(id));

const isWanted = (refused: RecordedRefusedRequest, query: RefusedRequestQuery): boolean =>
  isOneOf(query.principalIds, refused.principalId) &&
  isOneOf(query.clientIds, refused.clientId) &&
  (['code', 'requestId'] as const).every((field) => query[field] === undefined || query[field] === refused[field]);

const pageSize = 500;
/** `MAXLEN ~` leaves some more entries than the number. */
const maxExamined = 2 * maxEntries;

type Reading = Pick<RedisConnection, 'xrevrange'>;

const findOfTenant = async (
  redis: Reading,
  tenantId: string | null,
  query: RefusedRequestQuery & { readonly since: number },
): Promise<readonly RecordedRefusedRequest[]> => {
  const found: RecordedRefusedRequest[] = [];
  let from = query.before === undefined ? '+' : `(${query.before}`;
  for (let examined = 0; examined < maxExamined && found.length < query.limit; examined += pageSize) {
    const entries = (await redis.xrevrange(
      keyOf(tenantId),
      from,
      String(query.since),
      'COUNT',
      pageSize,
    )) as StreamEntry[];
    for (const entry of entries) {
      const refused = refusalIn(tenantId, entry);
      if (refused !== undefined && isWanted(refused, query)) found.push(refused);
    }
    if (entries.length < pageSize) break;
    from = `(${entries.at(-1)?.[0] ?? '0'}`;
  }
  return found;
};

const orderOf = ({ id }: RecordedRefusedRequest): readonly [milliseconds: number, sequence: number] => {
  const [milliseconds = 0, sequence = 0] = id.split('-').map(Number);
  return [milliseconds, sequence];
};

const newestFirst = (one: RecordedRefusedRequest, other: RecordedRefusedRequest): number => {
  const [milliseconds, sequence] = orderOf(one);
  const [otherMilliseconds, otherSequence] = orderOf(other);
  return otherMilliseconds - milliseconds || otherSequence - sequence;
};

/** A page ends with all that have its last id, which two streams may have in common: the next page begins after it. */
const pageOf = (found: readonly RecordedRefusedRequest[], limit: number): readonly RecordedRefusedRequest[] => {
  const last = found[limit - 1]?.id;
  return last === undefined ? found : found.filter(({ id }, index) => index < limit || id === last);
};

const unavailable: Either<ReturnType<typeof fault<'service-unavailable'>>, never> = left(
  fault('service-unavailable', 'Redis, which stores refused requests, does not answer.'),
);

export const createRefusedRequestReader = (
  redis: Reading,
  { now = Date.now }: RefusedRequestRecorderOptions = {},
): Pick<RefusedRequestReader, 'find'> => ({
  find: async (tenants, query) => {
    const wanted = { ...query, since: now() - retentionMilliseconds };
    try {
      const found = await Promise.all(tenants.map((tenantId) => findOfTenant(redis, tenantId, wanted)));
      return right(pageOf(found.flat().toSorted(newestFirst), query.limit));
    } catch {
      return unavailable;
    }
  },
});
