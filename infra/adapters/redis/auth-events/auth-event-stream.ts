/** Reads AuthEvents as a consumer of a group. What was delivered stays in its stream until it is acknowledged. */
import { randomUUID } from 'node:crypto';
import type { Either } from 'fp-ts/Either';
import { hasPersonal, withoutPersonal } from '../../../../domain/identity/protocol/auth-event';
import type {
  AuthEventFault,
  AuthEventStream,
  DeliveredAuthEvent,
  ForgottenSubject,
} from '../../../ports/identity/auth-events';
import type { Log } from '../../../ports/runtime/log';
import { type RedisConnection, script } from '../connection';
import { detectionKey, forgottenKey, forgottenToKey, lanes, streamKey } from './lanes';
import { attempt } from './outcome';
import { encodeEntry, eventIn, type StreamEntry } from './stored-auth-event';

const group = 'indexer';
/** Longer than a gateway may hold an event while Redis is away. */
const rememberedMilliseconds = 7 * 86_400_000;
/** Of each lane, in one read. */
const pageSize = 500;

/** KEYS: stream. ARGV: id of an entry, what takes its place. An entry that is gone was read and acknowledged. */
const replaceScript = `
if redis.call('XDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('XADD', KEYS[1], '*', 'e', ARGV[2])
return 1`;

export interface AuthEventStreamOptions {
  /** The vault's hash of a principal. */
  readonly subjectOf: (tenantId: string, principalId: string) => string;
  readonly log: Pick<Log, 'error'>;
  /** After so long without a sign of it, a consumer's deliveries are another's. */
  readonly abandonedMilliseconds?: number;
}

type Read = readonly (readonly [key: string, entries: readonly StreamEntry[]])[] | null;

const isWithoutGroup = (error: unknown): boolean => error instanceof Error && error.message.startsWith('NOGROUP');

export const createAuthEventStream = (
  redis: RedisConnection,
  { subjectOf, log, abandonedMilliseconds = 30_000 }: AuthEventStreamOptions,
): AuthEventStream => {
  const consumer = randomUUID();
  const replace = script(redis, 'replaceAuthEvent', replaceScript);
  const keys = lanes.map(streamKey);
  /** Whether this consumer may have deliveries that it did not acknowledge. */
  let hasPending = false;
  let claimedAt = 0;

  const makeGroups = async (): Promise<void> => {
    for (const key of keys)
      await redis.xgroup('CREATE', key, group, '0', 'MKSTREAM').catch((error: unknown) => {
        if (!(error instanceof Error && error.message.startsWith('BUSYGROUP'))) throw error;
      });
  };
  /** What consumers that are gone left; they themselves go once they have nothing. */
  const claimAbandoned = async (): Promise<void> => {
    for (const key of keys) {
      await redis.xautoclaim(key, group, consumer, abandonedMilliseconds, '0-0', 'COUNT', pageSize, 'JUSTID');
      const known = (await redis.xinfo('CONSUMERS', key, group)) as readonly (readonly unknown[])[];
      for (const [, name, , pending, , idle] of known)
        if (pending === 0 && Number(idle) > 10 * abandonedMilliseconds && name !== consumer)
          await redis.xgroup('DELCONSUMER', key, group, String(name));
    }
    hasPending = true;
  };
  const readFrom = async (from: '0' | '>'): Promise<readonly DeliveredAuthEvent[]> => {
    const read = (await redis.xreadgroup(
      'GROUP',
      group,
      consumer,
      'COUNT',
      pageSize,
      'STREAMS',
      ...keys,
      ...keys.map(() => from),
    )) as Read;
    const delivered: DeliveredAuthEvent[] = [];
    for (const [key, entries] of read ?? [])
      for (const entry of entries) {
        const event = eventIn(entry);
        if (event !== undefined) delivered.push({ delivery: `${key} ${entry[0]}`, event });
        else {
          // Removed by an erasure that put another in its place, or of no version that is known.
          if (entry[1] !== null) log.error({ entry: entry[0] }, 'an authorization decision cannot be decoded');
          await acknowledgeEntries(key, [entry[0]]);
        }
      }
    return delivered;
  };
  const acknowledgeEntries = async (key: string, ids: readonly string[]): Promise<void> => {
    await redis
      .multi()
      .xack(key, group, ...ids)
      .xdel(key, ...ids)
      .exec();
  };
  const readNext = async (): Promise<readonly DeliveredAuthEvent[]> => {
    if (Date.now() - claimedAt > abandonedMilliseconds) {
      await claimAbandoned();
      claimedAt = Date.now();
    }
    if (hasPending) {
      const pending = await readFrom('0');
      if (pending.length > 0) return pending;
    }
    hasPending = true;
    const delivered = await readFrom('>');
    hasPending = delivered.length > 0;
    return delivered;
  };
  const forgetIn = async (key: string, { subject, until }: ForgottenSubject): Promise<void> => {
    for (let from = '-'; ; ) {
      const entries = (await redis.xrange(key, from, '+', 'COUNT', pageSize)) as StreamEntry[];
      for (const entry of entries) {
        const event = eventIn(entry);
        if (event === undefined || !hasPersonal(event) || Date.parse(event.timestamp) > until) continue;
        const { tenantId, principalId } = event;
        if (tenantId === null || principalId === null || subjectOf(tenantId, principalId) !== subject) continue;
        await replace([key], entry[0], encodeEntry(withoutPersonal(event)));
      }
      const last = entries.at(-1);
      if (entries.length < pageSize || last === undefined) return;
      from = `(${last[0]}`;
    }
  };
  const reading = <A>(work: () => Promise<A>): Promise<Either<AuthEventFault, A>> =>
    attempt(async () => {
      try {
        return await work();
      } catch (error) {
        // At the first start, and when Redis has lost everything.
        if (!isWithoutGroup(error)) throw error;
        await makeGroups();
        return work();
      }
    });
  return {
    read: () => reading(readNext),
    acknowledge: (deliveries) =>
      attempt(async () => {
        for (const key of keys) {
          const ids = deliveries.filter((one) => one.startsWith(`${key} `)).map((one) => one.slice(key.length + 1));
          if (ids.length > 0) await acknowledgeEntries(key, ids);
        }
        hasPending = false;
      }),
    forget: (forgotten) =>
      attempt(async () => {
        // First, so that consumers find the mark with events that are appended meanwhile.
        await redis.zadd(forgottenKey, forgotten.until, forgotten.subject);
        await redis.zremrangebyscore(forgottenKey, '-inf', forgotten.until - rememberedMilliseconds);
        for (const key of [...keys, detectionKey]) await forgetIn(key, forgotten);
      }),
    forgottenAmong: (subjects) =>
      attempt(async () => {
        if (subjects.length === 0) return new Map();
        const until = await redis.zmscore(forgottenKey, ...subjects);
        const found = subjects.map((subject, index): [string, number] => [subject, Number(until[index] ?? Number.NaN)]);
        return new Map(found.filter(([, moment]) => !Number.isNaN(moment)));
      }),
    forgottenTo: (of) =>
      attempt(async () => {
        const position = await redis.hget(forgottenToKey, of);
        return position === null ? null : BigInt(position);
      }),
    recordForgottenTo: (of, position) =>
      attempt(async () => void (await redis.hset(forgottenToKey, of, String(position)))),
  };
};
