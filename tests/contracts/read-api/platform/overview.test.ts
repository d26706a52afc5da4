/** The platform's overview on real stores: for operators, for tenants, and while a store is away. */
import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../../../../domain/kernel/codec';
import { migrate } from '../../../../infra/adapters/postgres/migrate';
import { openProcessStatusReader } from '../../../../infra/adapters/postgres/processes/process-status-store';
import { openViewStatusReader, openViewStatusStore } from '../../../../infra/adapters/postgres/views/view-status-store';
import { openRedisMetricHistory, openRedisMetricHistoryReader } from '../../../../infra/adapters/redis/metric-history';
import { bind } from '../../../../infra/server/http/routing/route';
import { getOverview } from '../../../../read-api/platform/overview/overview';
import { startHttpService } from '../../../support/http/http-service';
import { freshDatabase, valkeyForTests } from '../../../support/servers/shared-servers';
import { admin, type Json, operator } from './fixture';

const stepMilliseconds = 15_000;
const nowhere = { postgres: 'postgres://septet@127.0.0.1:1/none', redis: 'redis://127.0.0.1:1' };

interface Stores {
  readonly postgres: string;
  readonly redis: string;
}

interface Answer extends Json {
  readonly audience: string;
  readonly views: readonly Json[] | null;
  readonly why: string | null;
  readonly history: { readonly series: readonly { name: string; values: unknown[] }[]; readonly why: string | null };
}

describe('the platform’s overview', () => {
  const now = Date.UTC(2026, 5, 1) + 3_000;
  const closing: (() => Promise<unknown>)[] = [];
  let stores: Stores;
  before(async () => {
    const url = await freshDatabase();
    const migrated = await migrate({ url, readerPassword: 'reads' });
    if (isLeft(migrated)) throw new Error(migrated.left.detail);
    stores = { postgres: migrated.right, redis: (await valkeyForTests()).url };
    const [ledger, history] = [openViewStatusStore({ url }), openRedisMetricHistory(stores.redis)];
    const lag = { phase: 'live', position: '7', lagSeconds: 2, lagEvents: 1, skippedEvents: 0 };
    const saved = await ledger.saveViews([{ view: 'sample_things', version: 1, store: 'postgres', ...lag }]);
    const at = now - 3_000 - stepMilliseconds;
    const recorded = await history.record(at, [{ series: 'commands', value: 2.5, merge: 'sum' }]);
    assert.ok(!isLeft(saved) && !isLeft(recorded));
    await Promise.all([ledger.close(), history.close()]);
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const overview = async ({ identity = operator, at = stores, query = '' } = {}) => {
    const ledger = openViewStatusReader({ url: at.postgres });
    const processes = openProcessStatusReader({ url: at.postgres });
    const history = openRedisMetricHistoryReader(at.redis);
    const clock = { now: () => new Date(now).toISOString() as Instant };
    const deps = { ledger, processes, history, clock, operators: 'main' };
    const service = await startHttpService([bind(deps, getOverview)]);
    closing.push(ledger.close, processes.close, history.close, service.close);
    const response = await service.call(`/v1/platform/overview${query}`, { identity });
    return { status: response.status, body: (await response.json()) as Answer };
  };

  it('has views, queues, and one value per step of what was recorded, for operators', async () => {
    const { status, body } = await overview();
    assert.equal(status, 200);
    assert.equal(body.audience, 'platform');
    assert.deepEqual(
      body.views?.map(({ name, lagSeconds }) => [name, lagSeconds]),
      [['sample_things', 2]],
    );
    assert.deepEqual([body.processes, body.queues, body.why], [[], [], null]);
    const [series, ...others] = body.history.series;
    assert.deepEqual([series?.name, others, body.history.why], ['commands', [], null]);
    assert.equal(series?.values.length, 240);
    assert.deepEqual(series.values.slice(-2), [null, 2.5]);
    const day = (await overview({ query: '?window=day' })).body.history.series[0]?.values;
    assert.deepEqual([day?.length, day?.at(-1)], [288, 0.125]);
  });

  it('has no metrics for tenants, and is forbidden to others', async () => {
    const { body } = await overview({ identity: admin });
    assert.deepEqual([body.audience, body.history.series], ['tenant', []]);
    assert.equal(body.history.why, 'Metrics of the platform are for its operators.');
    assert.equal((await overview({ identity: { ...operator, scopes: [] } })).status, 403);
  });

  it('answers without Redis and without Postgres, and says what is not known', async () => {
    const withoutRedis = (await overview({ at: { ...stores, redis: nowhere.redis } })).body;
    assert.equal(withoutRedis.views?.length, 1);
    assert.deepEqual(withoutRedis.history.series, []);
    assert.equal(withoutRedis.history.why, 'Redis does not answer.');
    const withoutPostgres = (await overview({ at: { ...stores, postgres: nowhere.postgres } })).body;
    assert.deepEqual([withoutPostgres.views, withoutPostgres.queues], [null, null]);
    assert.equal(withoutPostgres.why, 'Postgres cannot be reached right now.');
    assert.equal(withoutPostgres.history.series.length, 1);
  });
});
