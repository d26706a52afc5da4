import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Rule } from '../../../packages/ratelimit/src/policy/policy';
import { openRedisStore, type RedisStore } from '../../../packages/ratelimit/src/redis/redis-store';
import { postBody, startGatewayWithServices, type TestedGateway } from '../../support/gateway/gateway-services';
import { gatewayPolicyOf, slowBucket, smallGatewayPolicy } from '../../support/gateway/small-limits';
import { openProxy, type ServerProxy } from '../../support/servers/proxy';
import { valkeyForTests } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';

const byUser = (route: string, onStoreError: Rule['onStoreError'], burst: number): Rule => ({
  name: `${route}-${burst}`,
  by: ['tenant', 'user'],
  when: { route: [route] },
  limit: slowBucket(burst),
  onStoreError,
});

describe('gateways that share their limits', () => {
  let gateways: readonly TestedGateway[];
  let stores: readonly RedisStore[];
  const policy = gatewayPolicyOf(byUser('read', 'allow', 20));
  before(async () => {
    const { url } = await valkeyForTests();
    stores = [openRedisStore({ url, answerMilliseconds: 5_000 }), openRedisStore({ url, answerMilliseconds: 5_000 })];
    gateways = await Promise.all(stores.map((store) => startGatewayWithServices({ policy, limitStore: store })));
  });
  after(() => Promise.all([...gateways, ...stores].map(({ close }) => close())));

  it('let exactly so many of all at once pass, whichever they come through', async () => {
    const sub = randomUUID();
    const requests = Array.from({ length: 80 }, async (_, index) => {
      const gateway = gateways[index % gateways.length] as TestedGateway;
      const answer = await gateway.call('/v1/things', {
        headers: { authorization: `Bearer ${gateway.token({ sub })}` },
      });
      await answer.arrayBuffer();
      return answer.status;
    });
    const statuses = await Promise.all(requests);
    assert.equal(statuses.filter((status) => status === 200).length, 20);
    assert.equal(statuses.filter((status) => status === 429).length, 60);
  });
});

describe('gateways that share counts of failures', () => {
  let gateways: readonly TestedGateway[];
  let stores: readonly RedisStore[];
  const policy = gatewayPolicyOf(
    ...smallGatewayPolicy(6, 'refused-caller').defaults,
    ...smallGatewayPolicy(500, 'refused-place').defaults,
  );
  before(async () => {
    const { url } = await valkeyForTests();
    stores = [openRedisStore({ url, answerMilliseconds: 5_000 }), openRedisStore({ url, answerMilliseconds: 5_000 })];
    const trustedProxies = ['127.0.0.0/8'];
    gateways = await Promise.all(
      stores.map((store) => startGatewayWithServices({ policy, limitStore: store, trustedProxies })),
    );
  });
  after(() => Promise.all([...gateways, ...stores].map(({ close }) => close())));

  it('count a failing caller together, without refusing others at its address or the same name elsewhere', async () => {
    const broken = randomUUID();
    const statusOf = async (index: number, token: string, address: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address };
      return (await fetch(`${gateways[index]?.url}/v1/things`, { headers })).status;
    };
    let tries = 0;
    for (const index of [0, 1])
      await eventually(async () => {
        tries += 1;
        assert.equal(await statusOf(index, broken, '203.0.113.80'), 429);
      });
    assert.ok(tries < 12, `${tries} tries at both, not six at each`);
    const good = (): string => (gateways[1] as TestedGateway).token({ jti: randomUUID() });
    // One token in 256 shares the broken client's limit.
    await eventually(async () => assert.equal(await statusOf(1, good(), '203.0.113.80'), 200));
    await eventually(async () => assert.equal(await statusOf(1, randomUUID(), '203.0.113.80'), 401));
    assert.equal(await statusOf(1, broken, '203.0.113.81'), 401);
  });
});

describe('a gateway whose Redis fails', () => {
  let proxy: ServerProxy;
  let store: RedisStore;
  let gateway: TestedGateway;
  beforeEach(async () => {
    proxy = await openProxy((await valkeyForTests()).url);
    store = openRedisStore({ url: proxy.url });
    const rules = [
      byUser('read', 'allow', 1_000),
      byUser('command', { local: 0.5 }, 4),
      byUser('danger', 'deny', 1_000),
    ];
    gateway = await startGatewayWithServices({ policy: gatewayPolicyOf(...rules), limitStore: store });
  });
  afterEach(async () => {
    await gateway.close();
    await store.close();
    await proxy.close();
  });

  const headers = () => ({
    authorization: `Bearer ${gateway.token({ sub: randomUUID(), scopes: ['things:read', 'things:write'] })}`,
  });
  const caller = () => {
    const who = headers();
    const send = async (path: string, init: RequestInit = {}): Promise<Response> =>
      gateway.call(path, { ...init, headers: { ...(init.headers as object), ...who } });
    return {
      read: () => send('/v1/things'),
      command: () => send('/v1/things', postBody('x')),
      danger: () => {
        // Such a route waits for fresh word of revocations, which is not what is looked at here.
        gateway.revocations.apply({ kind: 'heartbeat', sequence: null });
        return send('/v1/sign-in-policy', { ...postBody('x'), method: 'PUT' });
      },
    };
  };
  const isCounted = (answer: Response): boolean => answer.headers.get('x-ratelimit-limit') !== null;

  for (const [name, fail, mend] of [
    ['is gone', (): void => proxy.away(), (): void => proxy.back()],
    ['stands still', (): void => proxy.freeze(), (): void => proxy.thaw()],
    ['is slow', (): void => proxy.slow(400), (): void => proxy.slow(0)],
  ] as const)
    it(`goes on as each rule sets while it ${name}, and counts with all others again afterwards`, async () => {
      const { read, command, danger } = caller();
      await eventually(async () => assert.ok(isCounted(await read())));
      assert.equal((await danger()).status, 200);
      fail();
      await eventually(async () =>
        assert.equal(store.breakerMetrics().state, 'open', JSON.stringify([(await read()).status])),
      );
      for (let time = 0; time < 30; time += 1) assert.equal((await read()).status, 200);
      assert.equal((await danger()).status, 503);
      const statuses: number[] = [];
      for (let time = 0; time < 4; time += 1) statuses.push((await command()).status);
      assert.deepEqual(statuses, [200, 200, 429, 429]);
      mend();
      await eventually(async () => assert.equal((await danger()).status, 200));
      await eventually(async () => assert.ok(isCounted(await read())));
    });
});
