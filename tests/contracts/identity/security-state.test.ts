/** Revocations on their way to two gateways over a real log and a real Redis, each of which goes away in turn. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import Redis from 'ioredis';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { createRedisChangeFeed } from '../../../infra/adapters/redis/views/change-feed-reader';
import { openRedisChangeFeedWriter } from '../../../infra/adapters/redis/views/change-feed-writer';
import { checkRevocationFreshness } from '../../../infra/gateway/authentication/revocation-freshness';
import { pollEventLog, subscribeEventLog } from '../../../infra/server/security-state/event-log-feed';
import { applyFeed } from '../../../infra/server/security-state/follow-feed';
import { steadyPace } from '../../../infra/server/security-state/poll-pace';
import { createFeedPublisher, readRedisFeed, redisFeedName } from '../../../infra/server/security-state/redis-feed';
import { retentionMilliseconds } from '../../../infra/server/security-state/retention';
import { checkRevoked } from '../../../packages/resource-server/src/access-token/check-claims';
import { createSecurityState } from '../../../packages/resource-server/src/revocation/security-state';
import { capturedLog } from '../../support/http/http-service';
import { routeIn } from '../../support/http/served-routes';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { openProxy, type ServerProxy } from '../../support/servers/proxy';
import { valkeyForTests } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';

const sensitive = routeIn('commands')('POST', '/v1/tokens/revoke');
const keys = ['feed', 'told'].map((part) => `septet:{${redisFeedName}}:${part}`);
const now = () => Math.floor(Date.now() / 1000);
const claimsOf = (jti: string) => ({ tenant_id: 'acme', sub: 'p-1', jti, iat: now(), security_epoch: 1 });

describe('revocations on their way', function () {
  this.timeout(60_000);
  const log = logOnNode('security-state');
  const stop = new AbortController();
  const { signal } = stop;
  const following = { log: capturedLog(), signal, pauseMilliseconds: 50 };
  const followed: Promise<void>[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  let redis: Redis;
  let proxies: { readonly log: ServerProxy; readonly redis: ServerProxy };
  let first: ReturnType<typeof openGateway>;
  let second: ReturnType<typeof openGateway>;

  /** The security state of a gateway, with a settable clock. */
  const openGateway = (urls: { readonly log: string; readonly redis: string }) => {
    const clock = { ahead: 0 };
    const state = createSecurityState(Date.now, () => performance.now() + clock.ahead);
    const store = openEventStore({ url: urls.log });
    closing.push(store.close);
    const feeds = [
      pollEventLog(store, { pace: steadyPace(50) }),
      subscribeEventLog(store),
      readRedisFeed(createRedisChangeFeed(urls.redis, redisFeedName)),
    ];
    for (const feed of feeds) followed.push(applyFeed(state, feed, following));
    const refuses = (jti: string) => state.refusal(claimsOf(jti), 'key-1') === 'revoked';
    return { ...state, clock, refuses };
  };

  before(async () => {
    const { url } = await valkeyForTests();
    redis = new Redis(url);
    await redis.del(...keys);
    proxies = { log: await openProxy(log.node.url), redis: await openProxy(url) };
    const writer = openRedisChangeFeedWriter(url, redisFeedName, retentionMilliseconds);
    const relay = createFeedPublisher({ state: createSecurityState(), writer, log: capturedLog() });
    for (const feed of [pollEventLog(log.store, { pace: steadyPace(50) }), subscribeEventLog(log.store)])
      followed.push(applyFeed(relay, feed, following));
    closing.push(writer.close);
    first = openGateway({ log: proxies.log.url, redis: proxies.redis.url });
    second = openGateway({ log: log.node.url, redis: url });
    await eventually(async () => assert.ok(first.stalenessMilliseconds() < 1_000));
  });
  after(async () => {
    stop.abort();
    await Promise.all([proxies.log.close(), proxies.redis.close()]);
    await Promise.all(followed);
    await Promise.all(closing.map((close) => close()));
    redis.disconnect();
  });

  const deny = async (): Promise<string> => {
    const jti = randomUUID();
    const at = new Date().toISOString();
    const metadata = {
      $correlationId: 'c',
      $causationId: 'c',
      commandId: jti,
      commandHash: 'h',
      tenant: 'acme',
      actor: 'system:test',
      at,
    };
    const expiresAt = new Date(Date.now() + 900_000).toISOString();
    const data = { jti, expiresAt, principalId: null, reason: 'test' };
    const event = { id: randomUUID(), type: 'identity.TokenDenied.v1', data, metadata };
    assert.ok(isRight(await log.store.append('identity.denials-acme.x', 'any', [event])));
    return jti;
  };
  const isFresh = ({ stalenessMilliseconds }: typeof first) =>
    eventually(async () => assert.ok(stalenessMilliseconds() < 2_000));

  it('reach every gateway: a token that one refuses cannot be replayed at the other', async () => {
    const jti = await deny();
    await eventually(async () => assert.ok(first.refuses(jti) && second.refuses(jti)));
    assert.ok(!first.refuses(randomUUID()));
  });
  it('come through Redis where a gateway does not reach the log, and it stays fresh', async () => {
    proxies.log.away();
    const jti = await deny();
    await eventually(async () => assert.ok(first.refuses(jti)));
    first.clock.ahead += 10_000;
    await isFresh(first);
    proxies.log.back();
  });
  it('come through the log where Redis is away, and it stays fresh', async () => {
    proxies.redis.away();
    const jti = await deny();
    await eventually(async () => assert.ok(first.refuses(jti)));
    first.clock.ahead += 10_000;
    await isFresh(first);
    proxies.redis.back();
  });
  it('are published again when Redis has lost its data', async () => {
    const jti = await deny();
    await eventually(async () => assert.ok(first.refuses(jti)));
    await redis.del(...keys);
    await eventually(async () => {
      const third = createSecurityState();
      const short = new AbortController();
      for await (const change of readRedisFeed(createRedisChangeFeed(proxies.redis.url, redisFeedName)).follow(
        short.signal,
      )) {
        third.apply(change);
        if (change.kind === 'heartbeat') short.abort();
      }
      assert.equal(third.refusal(claimsOf(jti), 'key-1'), 'revoked');
    });
  });
  it('are waited for where both are away: sensitive requests at once, all after a minute; and are made up for', async () => {
    proxies.log.away();
    proxies.redis.away();
    const signature = { kid: 'key-1', scheme: 'Bearer' } as const;
    const check = (jti: string) => checkRevoked(claimsOf(jti), signature, first);
    const jti = await deny();
    first.clock.ahead += 6_000;
    assert.equal(check('another'), undefined);
    assert.equal(checkRevocationFreshness(sensitive, 'POST', first)?.problem.code, 'revocation-state-stale');
    assert.equal(checkRevocationFreshness(sensitive, 'POST', second), undefined);
    first.clock.ahead += 60_000;
    assert.equal(check('another')?.code, 'revocation-state-stale');
    assert.ok(!first.refuses(jti));
    proxies.log.back();
    proxies.redis.back();
    await isFresh(first);
    assert.equal(check(jti)?.code, 'revoked');
    assert.equal(check('another'), undefined);
  });
});
