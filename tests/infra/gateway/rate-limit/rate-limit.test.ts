import assert from 'node:assert/strict';
import type { Refusal } from '../../../../infra/ports/rate-limit-reports';
import type { Rule } from '../../../../packages/ratelimit/src/policy/policy';
import type { LimitStore } from '../../../../packages/ratelimit/src/store/limit-store';
import { memoryStore } from '../../../../packages/ratelimit/src/store/memory-store';
import {
  jsonOf,
  postBody,
  startGatewayWithServices,
  type TestedGateway,
} from '../../../support/gateway/gateway-services';
import { gatewayPolicyOf, slowBucket } from '../../../support/gateway/small-limits';
import { assertRateLimited } from '../../../support/http/rate-limited';

const reads = (onStoreError: Rule['onStoreError'] = 'allow'): Rule => ({
  name: 'read-user',
  by: ['tenant', 'user'],
  when: { route: ['read'] },
  limit: slowBucket(2),
  onStoreError,
});

const away: LimitStore = {
  decide: async () => undefined,
  settle: async () => undefined,
  context: async () => undefined,
  callers: { block: async () => undefined, reset: async () => undefined },
  orphans: { add: async () => undefined, remove: async () => undefined, claimDue: async () => undefined },
  close: async () => undefined,
};

describe('limits at the gateway', () => {
  let gateway: TestedGateway;
  afterEach(() => gateway.close());

  it('are shown with every answer, and those of services behind are not', async () => {
    gateway = await startGatewayWithServices({ policy: gatewayPolicyOf(reads()) });
    const answer = await gateway.call('/v1/things');
    assert.equal(answer.status, 200);
    const { headers } = answer;
    assert.deepEqual(
      ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`)),
      ['2', '1', '3600'],
    );
    assert.equal(headers.get('ratelimit-policy'), '"requests";q=2;w=7200');
    assert.equal(headers.get('ratelimit'), '"requests";r=1;t=3600');
    assert.equal(headers.get('retry-after'), null);
  });

  it('refuse with what the specification says, and with no name of a rule', async () => {
    gateway = await startGatewayWithServices({ policy: gatewayPolicyOf(reads()) });
    await gateway.call('/v1/things');
    await gateway.call('/v1/things');
    const answer = await gateway.call('/v1/things');
    const text = await answer.clone().text();
    await assertRateLimited(answer, { limit: 2 });
    const retryAfterSeconds = answer.headers.get('retry-after');
    assert.ok(Number(retryAfterSeconds) > 3_000 && Number(retryAfterSeconds) <= 3_600);
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '0');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.ok(answer.headers.get('x-request-id'));
    assert.ok(!/read-user|test/.test(text + JSON.stringify([...answer.headers])));
  });

  it('report refusals by principal and rule, with the id that the caller was given, and no address', async () => {
    const refusals: Refusal[] = [];
    const recordRefusal = (refusal: Refusal): void => void refusals.push(refusal);
    gateway = await startGatewayWithServices({ policy: gatewayPolicyOf(reads()), recordRefusal });
    for (let time = 0; time < 2; time += 1) await gateway.call('/v1/things');
    assert.deepEqual(refusals, []);
    const refused = await gateway.call('/v1/things');
    const [{ retryAfterSeconds, ...refusal } = {} as Refusal] = refusals;
    assert.ok(retryAfterSeconds > 3_000);
    assert.deepEqual([refusals.length, refusal.requestId], [1, refused.headers.get('x-request-id')]);
    assert.deepEqual([refusal.enforcedBy, refusal.group, refusal.reason], ['gateway', 'read', 'limited']);
    assert.deepEqual(refusal.rules, ['read-user']);
    assert.ok(refusal.tenantId !== null && refusal.principalId !== null);
    assert.doesNotMatch(JSON.stringify(refusal), /127\.0\.0\.1|::1/);
  });

  it('count per caller, and anonymous callers cannot exhaust those of authenticated ones', async () => {
    gateway = await startGatewayWithServices({ policy: gatewayPolicyOf(reads()) });
    const as = (sub: string) => ({ headers: { authorization: `Bearer ${gateway.token({ sub })}` } });
    for (let time = 0; time < 5; time += 1)
      assert.equal((await gateway.call('/v1/things', { headers: { authorization: 'Bearer x' } })).status, 401);
    const statusOf = async (sub: string) => (await gateway.call('/v1/things', as(sub))).status;
    assert.deepEqual([await statusOf('a'), await statusOf('a'), await statusOf('a')], [200, 200, 429]);
    assert.deepEqual([await statusOf('b'), await statusOf('b'), await statusOf('b')], [200, 200, 429]);
  });

  it('end a request with a body so that the next one on the connection is not mistaken', async () => {
    const writes: Rule = { ...reads(), name: 'command-user', when: { route: ['command'] }, limit: slowBucket(1) };
    gateway = await startGatewayWithServices({ policy: gatewayPolicyOf(writes) });
    assert.equal((await gateway.call('/v1/things', postBody('first'))).status, 200);
    assert.equal((await gateway.call('/v1/things', postBody('x'.repeat(200_000)))).status, 429);
    assert.equal((await gateway.call('/v1/things')).status, 200);
  });

  it('say to operators what they decided, by what requests are for', async () => {
    gateway = await startGatewayWithServices({ policy: gatewayPolicyOf(reads()) });
    for (let time = 0; time < 3; time += 1) await gateway.call('/v1/things');
    const text = await gateway.metrics.text();
    assert.match(text, /ratelimit_decisions_total{outcome="deny",reason="limited",source="store",group="read",.*} 1\n/);
    assert.match(text, /ratelimit_decisions_total{outcome="allow",reason="none",source="store",group="read",.*} 2\n/);
    assert.match(text, /gateway_decisions_total{decision="refused",reason="rate-limited",.*} 1\n/);
  });

  it('follow each rule while the store is unavailable: open, closed, or with a share', async () => {
    gateway = await startGatewayWithServices({ policy: gatewayPolicyOf(reads('allow')), limitStore: away });
    for (let time = 0; time < 5; time += 1) assert.equal((await gateway.call('/v1/things')).status, 200);
    await gateway.close();
    gateway = await startGatewayWithServices({ policy: gatewayPolicyOf(reads('deny')), limitStore: away });
    const closed = await gateway.call('/v1/things');
    assert.deepEqual([closed.status, (await jsonOf(closed)).error], [503, 'limiter_unavailable']);
    assert.ok(Number(closed.headers.get('retry-after')) >= 1);
    await gateway.close();
    gateway = await startGatewayWithServices({ policy: gatewayPolicyOf(reads({ local: 0.5 })), limitStore: away });
    assert.deepEqual(
      [(await gateway.call('/v1/things')).status, (await gateway.call('/v1/things')).status],
      [200, 429],
    );
  });

  it('wait a little before they refuse because the store is unavailable', async () => {
    let attempts = 0;
    const counts = memoryStore();
    const stumbles: LimitStore = {
      ...counts,
      decide: async (...of) => {
        attempts += 1;
        return attempts < 3 ? undefined : counts.decide(...of);
      },
    };
    gateway = await startGatewayWithServices({ policy: gatewayPolicyOf(reads('deny')), limitStore: stumbles });
    assert.deepEqual([(await gateway.call('/v1/things')).status, attempts], [200, 3]);
    attempts = 0;
    await gateway.close();
    gateway = await startGatewayWithServices({ policy: gatewayPolicyOf(reads('allow')), limitStore: stumbles });
    assert.deepEqual([(await gateway.call('/v1/things')).status, attempts], [200, 1]);
  });

  it('refuse a caller that makes the limiter throw, and no other', async () => {
    const breaks: LimitStore = { ...away, decide: () => Promise.reject(new Error('a defect')) };
    gateway = await startGatewayWithServices({ policy: gatewayPolicyOf(reads()), limitStore: breaks });
    assert.equal((await gateway.call('/v1/things')).status, 503);
    assert.ok(gateway.log.lines.some(({ message }) => message === 'defect in the limiter'));
  });
});
