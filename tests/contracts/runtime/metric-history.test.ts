/** The history of metrics in Redis: several processes, both windows, what is bounded, and what an unavailable Redis answers. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Either, isLeft } from 'fp-ts/Either';
import { openRedis } from '../../../infra/adapters/redis/connection';
import { openRedisMetricHistory, openRedisMetricHistoryReader } from '../../../infra/adapters/redis/metric-history';
import { maxSeries, sampleSeconds } from '../../../infra/server/runtime/metric-history/history-windows';
import { valkeyForTests } from '../../support/servers/shared-servers';

const step = sampleSeconds * 1_000;
const settled = 3_000;

const rightOf = <Content>(answer: Either<{ readonly detail: string }, Content>): Content => {
  if (isLeft(answer)) throw new Error(answer.left.detail);
  return answer.right;
};

/** Each test has a time of its own. */
let hours = 0;
const freshTime = (): number => {
  hours += 48;
  return Date.UTC(2026, 0, 1, hours);
};

describe('the history of metrics', () => {
  let url: string;
  let writer: ReturnType<typeof openRedisMetricHistory>;
  let reader: ReturnType<typeof openRedisMetricHistoryReader>;
  before(async () => {
    ({ url } = await valkeyForTests());
    writer = openRedisMetricHistory(url);
    reader = openRedisMetricHistoryReader(url);
  });
  after(() => Promise.all([writer.close(), reader.close()]));

  const lastOf = async (window: 'hour' | 'day', now: number) => rightOf(await reader.read(window, now)).buckets.at(-1);

  it('adds the shares of all processes, and takes the highest of what several observe', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 6 }),
        async (values) => {
          const at = freshTime();
          for (const value of values)
            rightOf(
              await writer.record(at, [
                { series: 'commands', value, merge: 'sum' },
                { series: 'lag/sample', value, merge: 'max' },
              ]),
            );
          const bucket = await lastOf('hour', at + step + settled);
          const sum = values.reduce((total, value) => total + value, 0);
          assert.ok(Math.abs((bucket?.get('commands') ?? -1) - sum) <= Math.max(sum, 1e-5) * 1e-4);
          assert.ok(Math.abs((bucket?.get('lag/sample') ?? -1) - Math.max(...values)) <= Math.max(...values) * 1e-4);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('averages rates and levels over the steps of a day, and keeps the highest lag', async () => {
    const at = freshTime();
    for (let index = 0; index < 20; index += 1)
      rightOf(
        await writer.record(at + index * step, [
          { series: 'commands', value: index < 10 ? 4 : 0, merge: 'sum' },
          { series: 'lag/sample', value: index === 3 ? 9 : 0, merge: 'max' },
        ]),
      );
    const read = rightOf(await reader.read('day', at + 20 * step + settled));
    assert.equal(read.stepSeconds, 300);
    assert.equal(read.buckets.length, 288);
    assert.equal(read.from + 287 * 300_000, at);
    assert.deepEqual(
      [...(read.buckets.at(-1) ?? [])],
      [
        ['commands', 2],
        ['lag/sample', 9],
      ],
    );
  });

  it('answers only steps that are over, each at its place, and nothing where nothing was recorded', async () => {
    const at = freshTime();
    for (const index of [0, 2])
      rightOf(await writer.record(at + index * step, [{ series: 'commands', value: 1 + index, merge: 'sum' }]));
    const read = rightOf(await reader.read('hour', at + 2 * step + settled));
    assert.equal(read.from + (read.buckets.length - 2) * step, at);
    assert.deepEqual(
      read.buckets.slice(-2).map((bucket) => bucket.get('commands')),
      [1, undefined],
    );
    const later = rightOf(await reader.read('hour', at + 3 * step + settled));
    assert.equal(later.buckets.at(-1)?.get('commands'), 3);
  });

  it('bounds the series of a step, and lets every step expire', async () => {
    const at = freshTime();
    const samples = Array.from({ length: maxSeries + 50 }, (_, index) => ({
      series: `lag/view-${index}`,
      value: index,
      merge: 'max' as const,
    }));
    rightOf(await writer.record(at, samples));
    assert.equal((await lastOf('hour', at + step + settled))?.size, maxSeries);
    const redis = openRedis(url);
    const keys = await redis.keys('{metric-history}:*');
    for (const key of keys) {
      const seconds = await redis.ttl(key);
      assert.ok(seconds > 0 && seconds <= 300 * 290, `${key} ${seconds}`);
    }
    redis.disconnect();
  });

  it('says that Redis is away', async () => {
    const away = openRedisMetricHistoryReader('redis://127.0.0.1:1');
    const read = await away.read('hour', freshTime());
    assert.ok(isLeft(read));
    assert.equal(read.left.detail, 'Redis does not answer.');
    await away.close();
  });
});
