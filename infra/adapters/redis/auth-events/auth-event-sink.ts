/**
 * Sends AuthEvents of a gateway to Redis, in batches. While Redis does not take them they wait, within bounds; a batch with an unknown outcome is sent
 * again, and its events keep their ids.
 */
import { isLeft } from 'fp-ts/Either';
import type { AuthEvent } from '../../../../domain/identity/protocol/auth-event';
import type { AuthEventSink } from '../../../ports/identity/auth-events';
import type { Log } from '../../../ports/runtime/log';
import type { Metrics } from '../../../ports/runtime/metrics';
import { backoffMilliseconds } from '../../../server/runtime/backoff';
import { trackOutage } from '../../../server/runtime/outage';
import { type RedisConnection, script } from '../connection';
import { droppedField, droppedKey, type Lane, laneOf, lanes, streamKey } from './lanes';
import { attempt } from './outcome';
import { encodeEntry } from './stored-auth-event';

/** How long the first event of a batch waits for others. */
const batchMilliseconds = 250;
/** In one script, which holds up all others of its server. */
const maxBatch = 200;
/** Tenants whose drops are counted apart until they are written; the metric has all. */
const maxCountedTenants = 1_000;
const longestPause = 5_000;

/** KEYS: stream. ARGV: room of the stream, entries. Answers how many were appended; -1: no consumer has made the stream yet. */
const appendScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end
local room = tonumber(ARGV[1]) - redis.call('XLEN', KEYS[1])
local appended = math.max(0, math.min(room, #ARGV - 1))
for index = 1, appended do redis.call('XADD', KEYS[1], '*', 'e', ARGV[index + 1]) end
return appended`;

interface DropCounts {
  readonly add: (event: AuthEvent) => void;
  /** Writes them; they stay where that fails. */
  readonly write: () => Promise<void>;
}

const createDropCounts = (redis: Pick<RedisConnection, 'pipeline'>, metrics: Metrics): DropCounts => {
  const dropped = metrics.counter({
    name: 'gateway_auth_events_dropped_total',
    help: 'Authorization decisions that were not recorded, because their buffer or stream was full.',
    labels: ['result'],
  });
  const counts = new Map<string, number>();
  return {
    add: ({ tenantId, result }) => {
      dropped({ result });
      const field = droppedField(tenantId, result);
      if (counts.has(field) || counts.size < maxCountedTenants) counts.set(field, (counts.get(field) ?? 0) + 1);
    },
    write: async () => {
      if (counts.size === 0) return;
      const written = [...counts];
      counts.clear();
      const pipeline = redis.pipeline();
      for (const [field, count] of written) pipeline.hincrby(droppedKey, field, count);
      const sent = await attempt(() => pipeline.exec());
      if (isLeft(sent)) for (const [field, count] of written) counts.set(field, (counts.get(field) ?? 0) + count);
    },
  };
};

export interface AuthEventSinkOptions {
  readonly metrics: Metrics;
  readonly log: Pick<Log, 'debug' | 'info' | 'warn'>;
  /** For tests. */
  readonly lanes?: readonly Lane[];
}

export const createAuthEventSink = (
  redis: RedisConnection,
  { metrics, log, lanes: used = lanes }: AuthEventSinkOptions,
): AuthEventSink => {
  const append = script(redis, 'appendAuthEvents', appendScript);
  const drops = createDropCounts(redis, metrics);
  const outage = trackOutage(log as Log, {
    failing: 'authorization decisions cannot be recorded; they wait in this process',
    recovered: 'authorization decisions are recorded again',
  });
  const waiting = new Map(used.map((lane) => [lane.name, [] as AuthEvent[]]));
  const of = ({ name }: Lane): AuthEvent[] => waiting.get(name) as AuthEvent[];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let failures = 0;

  /** False: Redis does not take what waits. */
  const sendLane = async (lane: Lane): Promise<boolean> => {
    const queue = of(lane);
    while (queue.length > 0) {
      const batch = queue.slice(0, maxBatch);
      const sent = await attempt(() => append([streamKey(lane)], lane.stored, batch.map(encodeEntry)));
      if (isLeft(sent)) return false;
      const appended = Number(sent.right);
      queue.splice(0, Math.max(0, appended));
      if (appended === batch.length) continue;
      if (lane.whenFull === 'wait' || appended < 0) return false;
      for (const event of queue.splice(0, batch.length - appended)) drops.add(event);
    }
    return true;
  };
  const send = async (): Promise<void> => {
    let isTaken = true;
    for (const lane of used) isTaken = (await sendLane(lane)) && isTaken;
    await drops.write();
    failures = isTaken ? 0 : failures + 1;
    if (isTaken) outage.recovered();
    else outage.failed({});
  };
  const schedule = (): void => {
    if (timer !== undefined || sending !== undefined) return;
    const pause = failures === 0 ? batchMilliseconds : backoffMilliseconds(failures, batchMilliseconds, longestPause);
    timer = setTimeout(() => {
      timer = undefined;
      sending = send().finally(() => {
        sending = undefined;
        if (used.some((lane) => of(lane).length > 0)) schedule();
      });
    }, pause).unref();
  };
  return {
    record: (event) => {
      const { name } = laneOf(event);
      const lane = used.find((one) => one.name === name) as Lane;
      if (of(lane).length >= lane.buffered) drops.add(event);
      else of(lane).push(event);
      schedule();
    },
    close: async () => {
      clearTimeout(timer);
      await sending;
      clearTimeout(timer);
      await send();
      clearTimeout(timer);
      outage.end();
    },
  };
};
