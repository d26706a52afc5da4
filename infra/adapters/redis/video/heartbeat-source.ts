/** Reads heartbeats of a partition in pages. How far they are counted stands in Postgres, beside the counts. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decodeStored } from '../../../../domain/kernel/codec';
import { fault } from '../../../../domain/kernel/rejection';
import type { HeartbeatFault, HeartbeatSource, ReceivedHeartbeat } from '../../../ports/video/heartbeats';
import { type RedisConnection, script } from '../connection';
import { epochKey, heartbeatPartitions, heartbeatsKey } from './heartbeat-keys';
import { StoredHeartbeat } from './stored-heartbeat';

const pageSize = 2_000;

/** KEYS: stream, epoch. ARGV: epoch and id of the position, page size. After another epoch, from the beginning. */
const readScript = `
local epoch = redis.call('GET', KEYS[2])
if not epoch then return {} end
local from = '-'
if epoch == ARGV[1] then from = '(' .. ARGV[2] end
return { epoch, redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', ARGV[3]) }`;

/** KEYS: stream, epoch. ARGV: epoch, first id that stays. What came after a loss of everything is not removed by an id of before. */
const trimScript = `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
return redis.call('XTRIM', KEYS[1], 'MINID', ARGV[2])`;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type Entry = readonly [id: string, fields: readonly string[]];

/** Undefined: of another version. */
const heartbeatIn = ([id, [, text = '']]: Entry): ReceivedHeartbeat | undefined => {
  const stored = decodeStored(StoredHeartbeat, parsed(text));
  return isLeft(stored) ? undefined : { ...stored.right, id, receivedAt: Number(id.split('-', 1).join()) };
};

const attempt = async <A>(work: () => Promise<A>): Promise<Either<HeartbeatFault, A>> => {
  try {
    return right(await work());
  } catch {
    return left(fault('heartbeats-unavailable', 'Redis, which has the heartbeats, does not answer.'));
  }
};

export const createHeartbeatSource = (redis: RedisConnection): HeartbeatSource => {
  const readPage = script(redis, 'readHeartbeats', readScript);
  const trimPage = script(redis, 'trimHeartbeats', trimScript);
  return {
    partitions: heartbeatPartitions,
    read: (partition, after) =>
      attempt(async () => {
        const keys = [heartbeatsKey(partition), epochKey(partition)];
        const answer = await readPage(keys, after?.epoch ?? '', after?.id ?? '', pageSize);
        const [epoch, entries = []] = answer as readonly [epoch?: string, entries?: readonly Entry[]];
        const last = entries.at(-1);
        if (epoch === undefined || last === undefined) return { position: after, heartbeats: [] };
        const heartbeats = entries.map(heartbeatIn).filter((one) => one !== undefined);
        return { position: { epoch, id: last[0] }, heartbeats };
      }),
    trim: (partition, { epoch, id }) =>
      attempt(async () => {
        const [milliseconds = '0', sequence = '0'] = id.split('-');
        const keys = [heartbeatsKey(partition), epochKey(partition)];
        await trimPage(keys, epoch, `${milliseconds}-${BigInt(sequence) + 1n}`);
      }),
  };
};
