/** Refused requests in Redis: found by what is searched for, bounded in a flood, and gone after a day. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import Redis from 'ioredis';
import {
  createRefusedRequestReader,
  createRefusedRequestRecorder,
} from '../../../infra/adapters/redis/identity/refused-requests';
import type { RefusedRequest, RefusedRequestQuery } from '../../../infra/ports/identity/refused-requests';
import { valkeyForTests } from '../../support/servers/shared-servers';

const day = 86_400_000;

describe('refused requests in Redis', () => {
  let redis: Redis;
  before(async () => {
    redis = new Redis((await valkeyForTests()).url);
  });
  after(() => redis.disconnect());

  const refusalOf = (tenantId: string | null, changes: Partial<RefusedRequest> = {}): RefusedRequest => ({
    tenantId,
    principalId: null,
    clientId: null,
    isProven: false,
    method: 'GET',
    route: '/v1/principals',
    status: 401,
    code: 'unauthenticated',
    reason: 'The token has expired.',
    requestId: randomUUID(),
    ...changes,
  });
  const record = async (refusals: readonly RefusedRequest[]): Promise<void> => {
    const recorder = createRefusedRequestRecorder(redis);
    for (const one of refusals) recorder.record(one);
    await recorder.close();
  };
  const find = async (
    tenants: readonly (string | null)[],
    query: Partial<RefusedRequestQuery> = {},
    now: () => number = Date.now,
  ) => {
    const found = await createRefusedRequestReader(redis, { now }).find(tenants, { limit: 50, ...query });
    assert.ok(!isLeft(found));
    return found.right;
  };

  it('are the tenant’s own, found by principal, client, code and request id, the newest first', async () => {
    const [one, other] = [`one-${randomUUID()}`, `other-${randomUUID()}`];
    const first = refusalOf(one, { principalId: 'p-1', clientId: 'c-1' });
    const second = refusalOf(one, { principalId: 'p-2', code: 'forbidden' });
    const foreign = refusalOf(other, { principalId: 'p-1' });
    await record([first, second, foreign]);
    const ids = async (query: Partial<RefusedRequestQuery>) =>
      (await find([one], query)).map(({ requestId }) => requestId);
    assert.deepEqual(await ids({}), [second.requestId, first.requestId]);
    assert.deepEqual(await ids({ principalIds: ['p-1', 'p-3'] }), [first.requestId]);
    assert.deepEqual(await ids({ clientIds: ['c-1'] }), [first.requestId]);
    assert.deepEqual(await ids({ code: 'forbidden' }), [second.requestId]);
    assert.deepEqual(await ids({ requestId: second.requestId }), [second.requestId]);
    assert.deepEqual(await ids({ requestId: foreign.requestId }), []);
  });

  it('come a page at a time, also of two tenants together, each once', async () => {
    const tenants = [`one-${randomUUID()}`, `other-${randomUUID()}`];
    for (let round = 0; round < 4; round += 1)
      await record(tenants.map((tenantId) => refusalOf(tenantId, { code: `code-${round}` })));
    const seen: string[] = [];
    for (let before: string | undefined; ; ) {
      const page = await find(tenants, { limit: 3, before });
      seen.push(...page.map(({ requestId }) => requestId));
      before = page.at(-1)?.id;
      if (page.length < 3) break;
    }
    assert.equal(seen.length, 8);
    assert.equal(new Set(seen).size, 8);
  });

  it('that are alike are counted in a flood, and take no room of others', async () => {
    const tenant = `flood-${randomUUID()}`;
    let now = Date.now();
    const recorder = createRefusedRequestRecorder(redis, { now: () => now });
    const rare = refusalOf(tenant, { code: 'forbidden' });
    for (let count = 0; count < 5_000; count += 1) recorder.record(refusalOf(tenant));
    recorder.record(rare);
    now += 10_000;
    recorder.record(refusalOf(tenant));
    await recorder.close();
    const found = await find([tenant]);
    assert.equal(found.length, 12);
    const [latest, before] = found;
    assert.deepEqual([latest?.unlisted, before?.requestId], [4_990, rare.requestId]);
  });

  it('of ever other kinds are 200 at a time at most', async () => {
    const tenant = `kinds-${randomUUID()}`;
    await record(Array.from({ length: 1_000 }, (_, index) => refusalOf(tenant, { principalId: `p-${index}` })));
    let count = 0;
    for (let before: string | undefined; ; ) {
      const page = await find([tenant], { limit: 100, before });
      count += page.length;
      before = page.at(-1)?.id;
      if (page.length < 100) break;
    }
    assert.equal(count, 200);
  });

  it('are not shown after a day, and end with it in Redis', async () => {
    const tenant = `old-${randomUUID()}`;
    await record([refusalOf(tenant)]);
    assert.equal((await find([tenant])).length, 1);
    assert.deepEqual(await find([tenant], {}, () => Date.now() + day + 60_000), []);
    const left = await redis.pttl(`identity:refused:${tenant}`);
    assert.ok(left > 0 && left <= day, String(left));
    const later = createRefusedRequestRecorder(redis, { now: () => Date.now() + day + 60_000 });
    later.record(refusalOf(tenant, { code: 'forbidden' }));
    await later.close();
    assert.equal(await redis.xlen(`identity:refused:${tenant}`), 0, 'what is older than a day is trimmed');
  });
});
