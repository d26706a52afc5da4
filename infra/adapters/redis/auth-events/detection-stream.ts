/** Decisions on their way from the indexer to the one detector, and what the detector knows. */
import type { AuthEvent } from '../../../../domain/identity/protocol/auth-event';
import type { DetectionForwarder, DetectionSource } from '../../../ports/identity/auth-events';
import { type RedisConnection, script } from '../connection';
import { detectionKey, detectionStateKey } from './lanes';
import { attempt } from './outcome';
import { encodeEntry, eventIn, type StreamEntry } from './stored-auth-event';

/** While the detector is away. Redis also counts limits, so the earliest go. */
const mostWaiting = 100_000;
const pageSize = 500;
const group = 'detector';

/** KEYS: stream. ARGV: most entries, entries. Without a detector nothing is kept. */
const forwardScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
for index = 2, #ARGV do redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'e', ARGV[index]) end
return #ARGV - 1`;

export const createDetectionForwarder = (redis: RedisConnection): DetectionForwarder => {
  const forward = script(redis, 'forwardAuthEvents', forwardScript);
  return {
    forward: (events) =>
      attempt(async () => {
        // In small scripts, which hold up all others of their server.
        for (let from = 0; from < events.length; from += 200)
          await forward([detectionKey], mostWaiting, ...events.slice(from, from + 200).map(encodeEntry));
      }),
  };
};

type Read = readonly (readonly [key: string, entries: readonly StreamEntry[]])[] | null;

/** The group is never read by: it makes the stream, and keeps it while it is empty. */
const makeStream = async (redis: RedisConnection): Promise<void> => {
  await redis.xgroup('CREATE', detectionKey, group, '0', 'MKSTREAM').catch((error: unknown) => {
    if (!(error instanceof Error && error.message.startsWith('BUSYGROUP'))) throw error;
  });
};

const eventsIn = (entries: readonly StreamEntry[]): readonly AuthEvent[] =>
  entries.flatMap((entry) => eventIn(entry) ?? []);

export const createDetectionSource = (redis: RedisConnection): DetectionSource => {
  let isMade = false;
  return {
    read: (cursor) =>
      attempt(async () => {
        if (!isMade) await makeStream(redis);
        isMade = true;
        const read = (await redis.xread('COUNT', pageSize, 'STREAMS', detectionKey, cursor ?? '0')) as Read;
        const [[, entries] = ['', []]] = read ?? [];
        const last = entries.at(-1);
        // Redis may have lost the stream.
        isMade = last !== undefined;
        return last === undefined ? undefined : { cursor: last[0], events: eventsIn(entries) };
      }),
    saveSnapshot: ({ cursor, text }) =>
      attempt(async () => {
        await redis.multi().hset(detectionStateKey, { cursor, text }).xtrim(detectionKey, 'MINID', cursor).exec();
      }),
    loadSnapshot: () =>
      attempt(async () => {
        const [cursor, text] = await redis.hmget(detectionStateKey, 'cursor', 'text');
        return typeof cursor === 'string' && typeof text === 'string' ? { cursor, text } : undefined;
      }),
  };
};
