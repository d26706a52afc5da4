import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import Redis from 'ioredis';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { ratelimitRoutes } from '../../../commands/ratelimit/routes';
import type { Instant } from '../../../domain/kernel/codec';
import { createUsageLedger } from '../../../infra/ratelimit/service/quota-usage-client';
import { createLimiter } from '../../../packages/ratelimit/src/decision/limiter';
import type { Policy } from '../../../packages/ratelimit/src/policy/policy';
import { openQuotaCounts, type QuotaCountsOptions } from '../../../packages/ratelimit/src/quota/quota-counters';
import { openRedisStore } from '../../../packages/ratelimit/src/redis/redis-store';
import type { QuotaPeriod } from '../../../packages/ratelimit/src/store/limit-store';
import { startHttpService } from '../../support/http/http-service';
import { limiterKey, signerWith } from '../../support/http/internal-keys';
import { valkeyForTests } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';
import { metadataOf, type Platform, startPlatform } from '../read-api/platform/fixture';

const startsAt = Date.UTC(2026, 0, 1);
const endsAt = Date.UTC(2026, 1, 1);
const never = 3_600_000;

const quotaOf = (letter: string, tenant = 'acme'): QuotaPeriod => ({
  key: `limit:{t}:${letter.repeat(27)}`,
  tenant,
  startsAt,
  endsAt,
});

describe('counts of quotas in the log and its read model', () => {
  let platform: Platform;
  let commands: Awaited<ReturnType<typeof startHttpService>>;
  before(async () => {
    platform = await startPlatform();
    const clock = { now: () => new Date().toISOString() as Instant };
    const random = { uuid: randomUUID, token: () => randomUUID() };
    commands = await startHttpService(
      ratelimitRoutes({
        store: platform.store,
        commandMetrics: noCommandMetrics,
        clock,
        random,
        warm: createExclusiveAggregates(),
      }),
    );
  });
  after(async () => {
    await commands.close();
    await platform.close();
  });

  const ledger = (commandsUrl = `http://127.0.0.1:${commands.port}`) =>
    createUsageLedger({ commandsUrl, readApiUrl: platform.url, signer: signerWith(limiterKey) });
  const open = (options: Partial<QuotaCountsOptions> = {}) =>
    openQuotaCounts({ ledger: ledger(), everyMilliseconds: never, ...options });
  /** The view may be behind at the first query. */
  const countOf = async (counts: ReturnType<typeof open>, quota: QuotaPeriod): Promise<number | undefined> => {
    let found: number | undefined;
    await eventually(async () => {
      found = await counts.of(quota);
      assert.notEqual(found, undefined);
    });
    return found;
  };

  it('are the sum of all processes, per tenant', async () => {
    const [one, other] = [open(), open()];
    one.used(quotaOf('a'), 3);
    other.used(quotaOf('a'), 4);
    other.used(quotaOf('a', 'other'), 100);
    other.used(quotaOf('b'), 1);
    await one.close();
    assert.equal(await countOf(other, quotaOf('a')), 7);
    assert.equal(await countOf(other, quotaOf('a', 'other')), 100);
    assert.equal(await countOf(other, quotaOf('b')), 1);
    assert.equal(await countOf(other, { ...quotaOf('a'), startsAt: endsAt }), 0);
    await other.close();
  });

  it('are unknown while the ledger is unavailable, and complete afterwards', async () => {
    const lost: unknown[] = [];
    const onLost: QuotaCountsOptions['onLost'] = (...usage) => void lost.push(usage);
    const away = ledger('http://127.0.0.1:9');
    let reached = away;
    const counts = open({ onLost, ledger: { record: (batch) => reached.record(batch), used: ledger().used } });
    counts.used(quotaOf('c'), 5);
    assert.equal(await counts.of(quotaOf('c')), undefined);
    reached = ledger();
    assert.equal(await countOf(counts, quotaOf('c')), 5);
    assert.deepEqual(lost, []);
    await counts.close();
  });

  it('are where a limiter goes on from when Redis has lost everything', async () => {
    const url = `${(await valkeyForTests()).url}/13`;
    const redis = new Redis(url);
    await redis.flushdb();
    const counts = open();
    const store = openRedisStore({ url, answerMilliseconds: 10_000 });
    const policy: Policy = {
      version: '1',
      defaults: [
        {
          name: 'monthly',
          by: ['tenant'],
          limit: { algorithm: 'quota', limit: 5, per: 'month' },
          onStoreError: 'deny',
        },
      ],
    };
    const limiter = createLimiter({ policy, store, counts });
    const tenant = `t-${randomUUID()}`;
    const take = async (): Promise<readonly [string, number | undefined]> => {
      const { outcome, limits } = await limiter.check({ dimensions: { tenant } });
      return [outcome, limits[0]?.remaining];
    };
    await eventually(async () => assert.equal((await take())[0], 'allow'));
    assert.deepEqual(
      [await take(), await take()],
      [
        ['allow', 3],
        ['allow', 2],
      ],
    );
    await redis.flushdb();
    assert.deepEqual(
      [await take(), await take(), await take()],
      [
        ['allow', 1],
        ['allow', 0],
        ['deny', 0],
      ],
    );
    await limiter.close();
    await Promise.all([store.close(), counts.close()]);
    redis.disconnect();
  });

  it('are added up over all hours of a period, however many there are', async () => {
    const counts = open();
    const quotaId = 'd'.repeat(27);
    const period = { startsAt: new Date(startsAt).toISOString(), endsAt: new Date(endsAt).toISOString() };
    for (let hour = 0; hour < 130; hour += 1) {
      const usedAt = new Date(startsAt + hour * 3_600_000).toISOString();
      await platform.record({
        stream: `ratelimit.usage-acme.${usedAt.slice(0, 13).replaceAll(/[-T]/g, '')}`,
        type: 'ratelimit.UsageAggregated.v1',
        data: { usedAt, quotas: [{ quotaId, ...period, amount: 2, total: 2 }] },
        metadata: metadataOf('acme'),
      });
    }
    counts.used(quotaOf('d'), 1);
    assert.equal(await countOf(counts, quotaOf('d')), 261);
    await counts.close();
  });
});
