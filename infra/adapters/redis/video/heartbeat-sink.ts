/** Appends heartbeats to a stream of Redis, each after a check of its playback's last one: in one script, so that none is counted twice. */
import { randomUUID } from 'node:crypto';
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { HeartbeatFault, HeartbeatReceipt, HeartbeatSink, SentHeartbeat } from '../../../ports/video/heartbeats';
import { createBatcher } from '../../../server/runtime/batcher';
import { type RedisConnection, script } from '../connection';
import { epochKey, heartbeatPartitions, heartbeatsKey, partitionOf, playbackKey } from './heartbeat-keys';
import { StoredHeartbeat } from './stored-heartbeat';

/** Of one partition. While nothing reads them, Redis must not fill up. */
const maxWaiting = 500_000;
/** Players send each 30 s, and at a pause or the end. */
const minMilliseconds = 1_000;

/**
 * KEYS: stream, epoch, the playback of each heartbeat. ARGV: shortest pause, new epoch; of each heartbeat its sequence number, the milliseconds until the proof
 * expires, and itself. By Redis' own clock, so that all copies agree; a clock that was set back makes no heartbeat too soon.
 */
const sendScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local room = ${maxWaiting} - redis.call('XLEN', KEYS[1])
local receipts = {}
for index = 3, #KEYS do
  local argument = 3 * (index - 2)
  local known = redis.call('GET', KEYS[index])
  local receipt = 'received'
  if known then
    local at = string.find(known, ':', 1, true)
    local since = now - tonumber(string.sub(known, at + 1))
    if tonumber(ARGV[argument]) <= tonumber(string.sub(known, 1, at - 1)) then receipt = 'repeated'
    elseif since >= 0 and since < tonumber(ARGV[1]) then receipt = 'too-soon' end
  end
  if receipt == 'received' and room <= 0 then receipt = 'full' end
  if receipt == 'received' then
    room = room - 1
    redis.call('SET', KEYS[2], ARGV[2], 'NX')
    redis.call('XADD', KEYS[1], '*', 'h', ARGV[argument + 2])
    redis.call('SET', KEYS[index], ARGV[argument] .. ':' .. string.format('%.0f', now), 'PX', ARGV[argument + 1])
  end
  receipts[index - 2] = receipt
end
return receipts`;

const unavailable = (detail: string) => left(fault('heartbeats-unavailable', detail));

const isReceipt = (answer: unknown): answer is HeartbeatReceipt =>
  answer === 'received' || answer === 'repeated' || answer === 'too-soon';

interface SinkOptions {
  readonly now?: () => number;
  readonly shortestPause?: number;
}

/** In one script, which holds up all others of its server. */
const maxBatch = 200;

type Receipt = Either<HeartbeatFault, HeartbeatReceipt>;

const receiptOf = (answer: unknown): Receipt =>
  isReceipt(answer) ? right(answer) : unavailable('Heartbeats are not counted right now; send this one again later.');

export const createHeartbeatSink = (
  redis: RedisConnection,
  { now = Date.now, shortestPause = minMilliseconds }: SinkOptions = {},
): HeartbeatSink => {
  const run = script(redis, 'sendHeartbeats', sendScript);
  const sendBatch = async (partition: number, batch: readonly SentHeartbeat[]): Promise<readonly Receipt[]> => {
    const playbacks = batch.map(({ sessionId }) => playbackKey(partition, sessionId));
    const sent = batch.map((one) => [
      one.sequence,
      Math.max(1, Math.ceil(one.expiresAt - now())),
      JSON.stringify(StoredHeartbeat.encode(one)),
    ]);
    try {
      const keys = [heartbeatsKey(partition), epochKey(partition), ...playbacks];
      return ((await run(keys, shortestPause, randomUUID(), ...sent)) as unknown[]).map(receiptOf);
    } catch {
      const away = unavailable('Redis, which takes heartbeats, does not answer; send this one again later.');
      return batch.map(() => away);
    }
  };
  const sendAll = async (partition: number, heartbeats: readonly SentHeartbeat[]): Promise<readonly Receipt[]> => {
    const receipts: Receipt[] = [];
    for (let from = 0; from < heartbeats.length; from += maxBatch)
      receipts.push(...(await sendBatch(partition, heartbeats.slice(from, from + maxBatch))));
    return receipts;
  };
  const batchers = Array.from({ length: heartbeatPartitions }, (_, partition) =>
    createBatcher((heartbeats: readonly SentHeartbeat[]) => sendAll(partition, heartbeats)),
  );
  return { send: (heartbeat) => (batchers[partitionOf(heartbeat.videoId)] as (typeof batchers)[number])(heartbeat) };
};
