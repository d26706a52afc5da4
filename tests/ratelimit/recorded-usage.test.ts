import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { noCommandMetrics } from '../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../commands/kernel/exclusive-aggregates';
import { ratelimitRoutes } from '../../commands/ratelimit/routes';
import { adminScopes } from '../../domain/identity/scopes';
import type { Instant } from '../../domain/kernel/codec';
import { openMemoryEventStore } from '../../infra/adapters/eventstore/memory-event-store';
import type { StoredEvent } from '../../infra/ports/event-store';
import type { Identity } from '../../infra/server/http/routing/route';
import { usageProjection } from '../../projections/ratelimit/usage/project';
import type { UsageRow } from '../../projections/ratelimit/usage/view';
import { rowsAfter } from '../identity/projections/rows';
import { startHttpService } from '../support/http/http-service';

const limiter: Identity = {
  tenantId: 'acme',
  principalId: 'limiter',
  principalType: 'SERVICE',
  scopes: ['ratelimit:record'],
  tokenId: 'jti-1',
};
const now = '2026-01-31T12:30:00.000Z';
const quota = {
  quotaId: 'q'.repeat(27),
  startsAt: '2026-01-01T00:00:00.000Z',
  endsAt: '2026-02-01T00:00:00.000Z',
};

describe('usage that limiters record', () => {
  let service: Awaited<ReturnType<typeof startHttpService>>;
  const store = openMemoryEventStore();
  before(async () => {
    const clock = { now: () => now as Instant };
    const random = { uuid: randomUUID, token: () => randomUUID() };
    service = await startHttpService(
      ratelimitRoutes({ store, commandMetrics: noCommandMetrics, clock, random, warm: createExclusiveAggregates() }),
    );
  });
  after(() => service.close());

  const send = (body: object, { key = randomUUID() as string, identity = limiter } = {}): Promise<Response> =>
    service.call('/v1/ratelimit/usage', {
      method: 'POST',
      identity,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });

  it('is taken from limiters alone: the scopes of administrators do not suffice to lower what was used', async () => {
    const identity = { ...limiter, principalType: 'HUMAN' as const, scopes: adminScopes };
    const body = { usedAt: now, quotas: [{ ...quota, amount: -1_000 }] };
    assert.equal((await send(body, { identity })).status, 403);
  });

  const recorded = async (): Promise<readonly StoredEvent[]> => {
    const events: StoredEvent[] = [];
    for await (const event of store.readAll({ after: null })) events.push(event);
    return events;
  };

  it('counts once, however often a batch is sent', async () => {
    const key = randomUUID();
    const body = { usedAt: now, quotas: [{ ...quota, amount: 5 }] };
    assert.deepEqual(
      (await Promise.all([send(body, { key }), send(body, { key }), send(body, { key })])).map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal((await send({ usedAt: now, quotas: [{ ...quota, amount: 2 }] })).status, 200);
    const events = await recorded();
    assert.deepEqual(
      events.map(({ data }) => (data as { quotas: readonly { total: number }[] }).quotas.map(({ total }) => total)),
      [[5], [7]],
    );
    assert.ok(events.every(({ stream }) => stream === 'ratelimit.usage-acme.2026013112'));
  });

  it('is one row per hour', async () => {
    const rows = (await rowsAfter(usageProjection, [await recorded()])) as readonly UsageRow[];
    assert.deepEqual(rows, [{ tenantId: 'acme', ...quota, hour: '2026013112', used: '7', usedAt: now, revision: 1 }]);
  });

  it('names what is wrong', async () => {
    const pointers = async (body: object): Promise<readonly string[]> => {
      const response = await send(body);
      assert.equal(response.status, 400);
      const { errors } = (await response.json()) as { errors: readonly { pointer: string }[] };
      return errors.map(({ pointer }) => pointer);
    };
    assert.deepEqual(await pointers({ usedAt: '2026-01-29T12:30:00.000Z', quotas: [] }), ['/body/usedAt']);
    assert.deepEqual(await pointers({ usedAt: '2026-01-31T12:32:00.000Z', quotas: [] }), ['/body/usedAt']);
    assert.deepEqual(await pointers({ usedAt: now, quotas: Array(101).fill({ ...quota, amount: 1 }) }), [
      '/body/quotas',
    ]);
    assert.deepEqual(await pointers({ usedAt: now, quotas: [{ ...quota, amount: 0.5 }] }), ['/body/quotas/0/amount']);
    assert.deepEqual(await pointers({ usedAt: now, quotas: [{ ...quota, quotaId: 'a.b', amount: 1 }] }), [
      '/body/quotas/0/quotaId',
    ]);
  });

  it('requires the scope', async () => {
    const identity = { ...limiter, scopes: ['ratelimit:read'] };
    assert.equal((await send({ usedAt: now, quotas: [] }, { identity })).status, 403);
  });
});
