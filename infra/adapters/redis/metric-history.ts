/**
 * The history of metrics in Redis: a hash per step, with a field per series, which expires when its window has passed. Each process adds its own share
 * of a sum, or raises a maximum, so that any number of processes record at once without knowing each other.
 */
import { type Either, left, right } from 'fp-ts/Either';
import { type Fault, fault } from '../../../domain/kernel/rejection';
import type {
  HistoryWindow,
  MetricHistoryReader,
  MetricHistoryWriter,
  MetricSample,
} from '../../ports/runtime/metric-history';
import { historyWindows, maxSeries } from '../../server/runtime/metric-history/history-windows';
import { openRedis, type RedisConnection, script } from './connection';

/** ARGV: most fields, then series, merge and value of each sample; the value's share for the second key. */
const lua = `
for key = 1, #KEYS do
  local most, share, seconds = tonumber(ARGV[1]), tonumber(ARGV[2 * key]), tonumber(ARGV[2 * key + 1])
  local fields = redis.call('HLEN', KEYS[key])
  for at = 6, #ARGV, 3 do
    local series, merge, value = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
    local before = redis.call('HGET', KEYS[key], series)
    if not before then fields = fields + 1 end
    if before or fields <= most then
      if merge == 'max' then
        if not before or value > tonumber(before) then redis.call('HSET', KEYS[key], series, value) end
      else
        redis.call('HSET', KEYS[key], series, string.format('%.6g', (tonumber(before or '0') + value * share)))
      end
    end
  end
  redis.call('EXPIRE', KEYS[key], seconds)
end
`;

const windows: readonly HistoryWindow[] = ['hour', 'day'];

/** In one slot of a cluster. */
const keyOf = (stepSeconds: number, step: number): string => `{metric-history}:${stepSeconds}:${step}`;

const rounded = (value: number): number => Number(value.toPrecision(5));

const toFault = async <A>(work: () => Promise<A>): Promise<Either<Fault<'service-unavailable'>, A>> => {
  try {
    return right(await work());
  } catch {
    return left(fault('service-unavailable', 'Redis does not answer.'));
  }
};

/** Connects when it is used first. */
const lazyConnection = <Opened>(url: string, open: (redis: RedisConnection) => Opened) => {
  let redis: RedisConnection | undefined;
  let opened: Opened | undefined;
  return {
    use: (): Opened => {
      redis ??= openRedis(url);
      opened ??= open(redis);
      return opened;
    },
    close: async (): Promise<void> => redis?.disconnect(),
  };
};

export const openRedisMetricHistory = (url: string): MetricHistoryWriter => {
  const { use, close } = lazyConnection(url, (redis) => script(redis, 'recordMetrics', lua));
  const argumentsOf = ({ series, merge, value }: MetricSample) => [series, merge, rounded(value)];
  return {
    record: (at, samples) =>
      toFault(async () => {
        const seconds = at / 1_000;
        const steps = windows.map((window) => historyWindows[window]);
        const keys = steps.map(({ stepSeconds }) => keyOf(stepSeconds, Math.floor(seconds / stepSeconds)));
        const shares = steps.flatMap(({ stepSeconds, steps: count }) => [
          historyWindows.hour.stepSeconds / stepSeconds,
          stepSeconds * (count + 2),
        ]);
        await use()(keys, maxSeries, ...shares, ...samples.flatMap(argumentsOf));
      }),
    close,
  };
};

/** After the end of a step, its processes have recorded it. */
const settleMilliseconds = 2_000;

const bucketOf = (fields: unknown): ReadonlyMap<string, number> =>
  new Map(
    Object.entries((fields ?? {}) as { readonly [series: string]: string }).map(([series, value]) => [
      series,
      Number(value),
    ]),
  );

export const openRedisMetricHistoryReader = (url: string): MetricHistoryReader => {
  const { use, close } = lazyConnection(url, (redis) => redis);
  return {
    read: (window, now) =>
      toFault(async () => {
        const { stepSeconds, steps } = historyWindows[window];
        const end = Math.floor((now - settleMilliseconds) / 1_000 / stepSeconds);
        const pipeline = use().pipeline();
        for (let step = end - steps; step < end; step += 1) pipeline.hgetall(keyOf(stepSeconds, step));
        const replies = (await pipeline.exec()) ?? [];
        const failed = replies.find(([error]) => error !== null)?.[0];
        if (failed !== undefined && failed !== null) throw failed;
        const buckets = replies.map(([, fields]) => bucketOf(fields));
        return { stepSeconds, from: (end - steps) * stepSeconds * 1_000, buckets };
      }),
    close,
  };
};
