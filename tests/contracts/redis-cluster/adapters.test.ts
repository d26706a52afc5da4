/**
 * Everything that we keep in Redis, on a cluster of three nodes: the same contracts as on one server where there are some, and for each adapter keys
 * enough that every node has some of them.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import type { AuthEvent } from '../../../domain/identity/protocol/auth-event';
import type { Instant } from '../../../domain/kernel/codec';
import type { VideoId } from '../../../domain/video/ids';
import { createAuthEventSink } from '../../../infra/adapters/redis/auth-events/auth-event-sink';
import { createAuthEventStream } from '../../../infra/adapters/redis/auth-events/auth-event-stream';
import {
  createDetectionForwarder,
  createDetectionSource,
} from '../../../infra/adapters/redis/auth-events/detection-stream';
import { expectedAddress } from '../../../infra/adapters/redis/cluster-mode';
import { openRedis, openRedisAt, openRedisCluster, serversOf } from '../../../infra/adapters/redis/connection';
import { openRedisDocumentLeases } from '../../../infra/adapters/redis/editor/document-leases';
import { openRedisPresenceStore } from '../../../infra/adapters/redis/editor/presence-store';
import { createRedisHealth } from '../../../infra/adapters/redis/health';
import { openRedisAttemptLimiter } from '../../../infra/adapters/redis/identity/attempt-limiter';
import { openRedisExpiringStore } from '../../../infra/adapters/redis/identity/expiring-store';
import { openRedisGatewayPositions } from '../../../infra/adapters/redis/identity/gateway-positions';
import { createShadowReader, createShadowRecorder } from '../../../infra/adapters/redis/identity/policy-differences';
import {
  createRefusedRequestReader,
  createRefusedRequestRecorder,
} from '../../../infra/adapters/redis/identity/refused-requests';
import { openRedisReplayCache } from '../../../infra/adapters/redis/identity/replay-cache';
import { openRedisSessionActivity } from '../../../infra/adapters/redis/identity/session-activity';
import { openMemorySize } from '../../../infra/adapters/redis/memory-size';
import { openRedisMetricHistory, openRedisMetricHistoryReader } from '../../../infra/adapters/redis/metric-history';
import { openRedisLeaseStore } from '../../../infra/adapters/redis/process-lease-store';
import { createRefusalRecorder } from '../../../infra/adapters/redis/ratelimit/refusal-recorder';
import { createReportReader, reportGatewayPolicy } from '../../../infra/adapters/redis/ratelimit/report-reader';
import { createHeartbeatSink } from '../../../infra/adapters/redis/video/heartbeat-sink';
import { createHeartbeatSource } from '../../../infra/adapters/redis/video/heartbeat-source';
import { createRedisChangeFeed } from '../../../infra/adapters/redis/views/change-feed-reader';
import { openRedisChangeFeedWriter } from '../../../infra/adapters/redis/views/change-feed-writer';
import { openRedisReader } from '../../../infra/adapters/redis/views/view-reader';
import { openRedisWriter } from '../../../infra/adapters/redis/views/view-writer';
import { requireEmptyRedis } from '../../../infra/operate/backup/parts/redis-preflight';
import type { Leases } from '../../../infra/ports/processes/leases';
import type { Refusal } from '../../../infra/ports/rate-limit-reports';
import type { ChangeFeedEntry } from '../../../infra/ports/views/change-feed';
import { createAppend } from '../../../infra/ratelimit/service/decision-stream';
import { redisAt } from '../../../infra/server/runtime/redis-address';
import { service } from '../../../infra/server/runtime/service';
import { type DedicatedCluster, startDedicatedCluster } from '../../support/servers/dedicated-valkey-cluster';
import { valkeyForTests } from '../../support/servers/shared-servers';
import { heartbeatOf } from '../../support/video/view-counting';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { leaseContract } from '../processes/lease/lease-contract';
import { erasuresContract } from '../views/suite/erasures';
import { generationsContract } from '../views/suite/generations';
import { rowsContract } from '../views/suite/rows';
import { unfinishedBuildsContract } from '../views/suite/unfinished-builds';
import { ok, type Stores, type StoreUnderTest } from '../views/suite/view-store';

const names = Array.from({ length: 60 }, () => randomUUID());
const minute = 60_000;

describe('everything in Redis, on a cluster', function () {
  this.timeout(60_000);
  let cluster: DedicatedCluster;
  /** By one of its nodes, as an operator may write it. */
  let address = '';
  const closing: (() => Promise<unknown>)[] = [];
  const closed = <Opened extends { readonly close: () => Promise<unknown> }>(opened: Opened): Opened => {
    closing.push(opened.close);
    return opened;
  };

  before(async () => {
    cluster = await startDedicatedCluster();
    address = String(cluster.urls[0]).replace('redis://', 'redis+cluster://');
    await requireEmptyRedis(address);
  });
  after(async () => {
    await Promise.all(closing.map((close) => close()));
    await cluster.stop();
  });

  const keysOn = (): Promise<readonly number[]> => Promise.all(cluster.masters.map(({ admin }) => admin.dbsize()));
  const spread = async (work: () => Promise<unknown>): Promise<void> => {
    const before = await keysOn();
    await work();
    const after = await keysOn();
    assert.ok(
      after.every((count, node) => count > (before[node] ?? 0)),
      `${before} became ${after}`,
    );
  };

  it('is tried here: no adapter of infra/adapters/redis is left out', () => {
    const root = join(__dirname, '..', '..', '..', 'infra', 'adapters', 'redis');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
      statSync(join(root, path)).isFile(),
    );
    const opened = files
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => [
        ...readFileSync(join(root, path), 'utf8').matchAll(/^export const ((?:open|create)[A-Z]\w+)/gm),
      ])
      .map(([, name = '']) => name)
      // Twins in memory, and parts of the adapters.
      .filter((name) => !/Memory(?!Size)|Lifecycle|IntegrityCheck|Script|createCluster/.test(name));
    assert.ok(opened.length > 12, opened.join());
    const own = readFileSync(__filename, 'utf8');
    assert.deepEqual(
      opened.filter((name) => !own.includes(`${name}(`)),
      [],
    );
    // None opens a connection past `connection.ts`, which knows clusters; the feed's ends with its follower.
    const others = files.filter((path) => /new (Redis|Cluster)\(/.test(readFileSync(join(root, path), 'utf8')));
    assert.deepEqual(others.sort(), ['cluster-mode.ts', 'connection.ts', 'views/change-feed-reader.ts']);
  });

  describe('views', () => {
    const open = async (): Promise<Stores> => ({
      writer: closed(openRedisWriter(address)),
      other: closed(openRedisWriter(cluster.urls.join())),
      another: () => openRedisWriter(address),
      reader: closed(openRedisReader(address)),
    });
    const suite: StoreUnderTest = { store: 'redis', open, apart: true, patches: true, pages: false };
    describe('rows', () => rowsContract(suite));
    describe('generations', () => generationsContract(suite));
    describe('erasures', () => erasuresContract(suite));
    describe('unfinished generations', () => unfinishedBuildsContract(suite));
  });

  describe('leases', () => {
    let leases: readonly [Leases, Leases];
    before(() => {
      leases = [closed(openRedisLeaseStore(address)), closed(openRedisLeaseStore(address))];
    });
    leaseContract(() => leases);
  });

  it('takes heartbeats of any video, and reads and trims them', async () => {
    const redis = openRedis(address);
    const [sink, source] = [createHeartbeatSink(redis), createHeartbeatSource(redis)];
    const heartbeats = names.map((videoId) => heartbeatOf({ videoId: videoId as VideoId }));
    for (const receipt of ['received', 'repeated'])
      for (const sent of await Promise.all(heartbeats.map(sink.send))) assert.equal(ok(sent), receipt);
    const read: string[] = [];
    for (let partition = 0; partition < source.partitions; partition += 1) {
      const { heartbeats: found, position } = ok(await source.read(partition, undefined));
      read.push(...found.map(({ videoId }) => videoId));
      if (position !== undefined) ok(await source.trim(partition, position));
      assert.deepEqual(ok(await source.read(partition, undefined)).heartbeats, []);
    }
    assert.deepEqual(read.toSorted(), names.toSorted());
    redis.disconnect();
  });

  const authEventOf = (result: 'ALLOW' | 'DENY'): AuthEvent => ({
    eventId: randomUUID(),
    timestamp: new Date().toISOString() as Instant,
    jti: 'jti-1',
    principalId: 'p-1',
    principalType: 'HUMAN',
    tenantId: 'acme',
    audience: 'septet',
    scopes: [],
    sourceIp: '192.0.2.7',
    result,
  });

  it('brings decisions to the detector, and saves what it knows', async () => {
    const redis = openRedis(address);
    const source = createDetectionSource(redis);
    assert.equal(ok(await source.read(null)), undefined);
    const event = authEventOf('DENY');
    ok(await createDetectionForwarder(redis).forward([event]));
    const { cursor, events } = ok(await source.read(null)) ?? assert.fail();
    assert.deepEqual(
      events.map(({ eventId }) => eventId),
      [event.eventId],
    );
    ok(await source.saveSnapshot({ cursor, text: '{}' }));
    assert.deepEqual(ok(await source.loadSnapshot()), { cursor, text: '{}' });
    assert.equal(ok(await source.read(cursor)), undefined);
    redis.disconnect();
  });

  it('has the positions of gateways, and outcomes of policies in shadow', async () => {
    const positions = closed(openRedisGatewayPositions(address));
    for (const name of names.slice(0, 3)) ok(await positions.report(name, 12n));
    const reported = ok(await positions.reportedWithin(minute));
    assert.deepEqual(reported.map(({ gatewayId }) => gatewayId).toSorted(), names.slice(0, 3).toSorted());
    assert.ok(reported.every(({ sequence }) => sequence === 12n));
    const redis = openRedis(address);
    const recorder = createShadowRecorder(redis);
    const difference = {
      ...{ principalId: 'p-1', method: 'GET', operation: null, enforced: null },
      ...{ enforcedEffect: 'ALLOW', shadowEffect: 'DENY', ruleId: 'r-1' },
    };
    for (const tenantId of names) recorder.record({ tenantId, version: 1, difference });
    await recorder.close();
    for (const tenantId of names) {
      const { evaluated, different, items } = ok(await createShadowReader(redis).find(tenantId, 1));
      assert.deepEqual([evaluated, different, items.length], [1, 1, 1]);
    }
    redis.disconnect();
  });

  it('takes authorization decisions, delivers them once, and forgets a person in them', async () => {
    const redis = openRedis(address);
    const log = recordingLog();
    const stream = createAuthEventStream(redis, { subjectOf: (_, principalId) => principalId, log });
    assert.deepEqual(ok(await stream.read()), []);
    const sink = createAuthEventSink(redis, { metrics: noopMetrics, log });
    for (const result of ['ALLOW', 'DENY'] as const) sink.record(authEventOf(result));
    await sink.close();
    ok(await stream.forget({ subject: 'p-1', until: Date.now() + minute }));
    assert.equal(ok(await stream.forgottenAmong(['p-1', 'p-2'])).size, 1);
    const delivered = ok(await stream.read());
    assert.deepEqual(
      delivered.map(({ event: { result, sourceIp } }) => [result, sourceIp]),
      [
        ['DENY', undefined],
        ['ALLOW', undefined],
      ],
    );
    ok(await stream.acknowledge(delivered.map(({ delivery }) => delivery)));
    assert.deepEqual(ok(await stream.read()), []);
    redis.disconnect();
  });

  it('sees each one-time id once', () =>
    spread(async () => {
      const caches = [openRedisReplayCache(address, 'dpop'), openRedisReplayCache(address, 'dpop')].map(closed);
      const seen = await Promise.all(names.flatMap((name) => caches.map((cache) => cache.first(name, minute))));
      assert.equal(seen.filter((one) => ok(one)).length, names.length);
    }));

  it('keeps sessions of consoles, and states of sign-ins', () =>
    spread(async () => {
      const store = closed(openRedisExpiringStore(address, 'console-session'));
      await Promise.all(names.map(async (name) => ok(await store.put(name, `value ${name}`, minute))));
      for (const name of names) assert.equal(ok(await store.find(name)), `value ${name}`);
      assert.equal(ok(await store.replace(names[0] ?? '', 'other', minute)), true);
      await Promise.all(names.map(async (name) => ok(await store.remove(name))));
      assert.equal(ok(await store.find(names[0] ?? '')), undefined);
      await Promise.all(names.map(async (name) => ok(await store.put(name, '', minute))));
    }));

  it('knows which sessions of a person are in use', () =>
    spread(async () => {
      const live = closed(openRedisSessionActivity(address));
      for (const name of names) ok(await live.begin(name, 'a browser', minute));
      for (const name of names) assert.deepEqual(ok(await live.of(name)), ['a browser']);
      ok(await live.end(names[0] ?? '', 'a browser'));
      assert.equal(ok(await live.use(names[0] ?? '', 'a browser', minute)), false);
    }));

  it('counts attempts of a login and a place together, though they lie on different nodes', () =>
    spread(async () => {
      const attempts = closed(openRedisAttemptLimiter(address));
      for (const name of names) {
        const tries = [`login ${name}`, `place ${name}`].map((key) => ({ name: key, most: 2, milliseconds: minute }));
        const taken = [await attempts.take(tries), await attempts.take(tries), await attempts.take(tries)].map(ok);
        assert.deepEqual(
          taken.map(({ retryAfterSeconds }) => retryAfterSeconds > 0),
          [false, false, true],
        );
        await taken[0]?.refund();
        assert.equal(ok(await attempts.take(tries)).retryAfterSeconds, 0);
      }
    }));

  it('gives documents to owners, and keeps who is there', () =>
    spread(async () => {
      const leases = closed(openRedisDocumentLeases({ ...redisAt(address), address: 'one:1' }));
      for (const name of names) assert.ok(ok(await leases.acquire(name, minute)).isHeld);
      assert.deepEqual(ok(await leases.renew(names, minute)), []);
      const presence = closed(openRedisPresenceStore(redisAt(address)));
      for (const name of names)
        ok(await presence.write(name, { upserted: [['ada', 'here']], removed: ['bob'] }, minute));
      for (const name of names) assert.deepEqual(ok(await presence.read(name)), ['here']);
      ok(await leases.release(names));
      assert.equal(ok(await leases.holderAddress(names[0] ?? '')), undefined);
      ok(await leases.acquire(names[0] ?? '', minute));
    }));

  it('adds up metrics', async () => {
    const [writer, reader] = [closed(openRedisMetricHistory(address)), closed(openRedisMetricHistoryReader(address))];
    const at = Date.UTC(2026, 0, 1, 12);
    ok(await writer.record(at, [{ series: 'commands', merge: 'sum', value: 3 }]));
    ok(await writer.record(at, [{ series: 'commands', merge: 'sum', value: 4 }]));
    const { buckets } = ok(await reader.read('hour', at + minute));
    assert.ok(buckets.some((bucket) => bucket.get('commands') === 7));
  });

  it('records refusals of many tenants in one second, policies and decisions', () =>
    spread(async () => {
      const redis = openRedis(address);
      closing.push(async () => redis.disconnect());
      const recorder = createRefusalRecorder(redis);
      const refusal = (tenantId: string): Refusal => ({
        enforcedBy: 'gateway',
        tenantId,
        principalId: null,
        clientId: null,
        group: null,
        reason: 'limited',
        rules: ['read-user'],
        retryAfterSeconds: 1,
        requestId: null,
      });
      for (const name of names) for (let time = 0; time < 2; time += 1) recorder.record(refusal(name));
      await recorder.close();
      const reports = createReportReader(redis);
      for (const name of names) {
        const found = ok(await reports.refusals(name, { limit: 10 } as never));
        assert.deepEqual(
          found.map(({ refusals }) => refusals),
          [2],
        );
      }
      const refusedRequests = createRefusedRequestRecorder(redis);
      const caller = { principalId: null, clientId: null, isProven: false };
      const request = { method: 'GET', route: '/v1/principals', status: 401, code: 'c', reason: 'r', requestId: 'i' };
      for (const tenantId of [...names, null]) refusedRequests.record({ tenantId, ...caller, ...request });
      await refusedRequests.close();
      const requests = createRefusedRequestReader(redis);
      const all = ok(await requests.find(names, { limit: 100 }));
      assert.deepEqual(all.map(({ tenantId }) => tenantId).sort(), names.toSorted());
      await reportGatewayPolicy(redis, { rules: [] } as never);
      assert.deepEqual(ok(await reports.gatewayPolicy()), { rules: [], origin: 'built-in', file: null });
      assert.deepEqual(await createRedisHealth(redis)(), { ok: true });
      await createAppend(redis)({ batch: 'b', from: 1, to: 2, decisions: [] } as never);
    }));

  it('tells changes to followers, whose feed ends when its slot moves to another node, and goes on there without a gap', async () => {
    const feed = 'security_state';
    const writer = closed(openRedisChangeFeedWriter(address, feed, minute));
    ok(await writer.append([{ number: 1 }], '5'));
    const rows: unknown[] = [];
    const follow = async (until: number): Promise<void> => {
      const stop = new AbortController();
      const entries: AsyncIterable<ChangeFeedEntry> = createRedisChangeFeed(cluster.urls.join(), feed).follow(
        stop.signal,
      );
      for await (const entry of entries) {
        if (entry.kind === 'row') rows.push((entry.row as { readonly number: number }).number);
        if (rows.includes(until)) stop.abort();
      }
    };
    await follow(1);
    const slot = await cluster.slotOf(`septet:{${feed}}:feed`);
    const owners = await Promise.all(
      cluster.masters.map(async ({ admin }) => Number(await admin.cluster('COUNTKEYSINSLOT', slot)) > 0),
    );
    const from = owners.indexOf(true);
    const to = (from + 1) % cluster.masters.length;
    const [source, target] = [cluster.masters[from], cluster.masters[to]];
    assert.ok(source !== undefined && target !== undefined);
    const following = follow(2);
    const broken = assert.rejects(following);
    await target.admin.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', await cluster.idOf(source));
    await source.admin.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', await cluster.idOf(target));
    const keys = (await source.admin.call('CLUSTER', 'GETKEYSINSLOT', slot, 100)) as string[];
    await source.admin.call('MIGRATE', '127.0.0.1', target.port, '', 0, 5_000, 'KEYS', ...keys);
    for (const { admin } of [target, source, ...cluster.masters])
      await admin.call('CLUSTER', 'SETSLOT', slot, 'NODE', await cluster.idOf(target));
    await broken;
    assert.equal(ok(await writer.lastPosition()), '5');
    ok(await writer.append([{ number: 2 }], '6'));
    rows.length = 0;
    await follow(2);
    assert.deepEqual(rows, [1, 2]);
  });

  it('measures the memory of all servers together', async () => {
    const size = closed(openMemorySize(address));
    const texts = await Promise.all(cluster.masters.map(({ admin }) => admin.info('memory')));
    const most = Math.max(...texts.map((text) => Number(/^used_memory:(\d+)/m.exec(text)?.[1])));
    assert.ok(ok(await size.bytes()) > 2 * most);
    const redis = openRedisAt(redisAt(address));
    assert.equal((await serversOf(redis)).length, 3);
    redis.disconnect();
  });

  it('is not taken for empty by a restore', () => assert.rejects(requireEmptyRedis(address), /Redis is in use/));

  it('goes on when a copy takes over from a node', async () => {
    const tag = await cluster.tagOn(0);
    const cache = closed(openRedisReplayCache(address, tag));
    assert.equal(ok(await cache.first('an id', minute)), true);
    await cluster.copy.admin.call('CLUSTER', 'FAILOVER');
    await eventually(async () => assert.match(await cluster.copy.admin.info('replication'), /role:master/));
    await eventually(async () => assert.equal(ok(await cache.first('an id', minute)), false));
  });

  it('answers faults in time while no node can be reached', async () => {
    const away = closed(openRedisReplayCache('redis+cluster://127.0.0.1:1', 'test'));
    assert.ok(!isRight(await away.first('x', 1_000)));
    const began = performance.now();
    assert.ok(!isRight(await away.first('x', 1_000)));
    assert.ok(performance.now() - began < 4_000);
    const cold = openRedisCluster(['redis://127.0.0.1:1']);
    await assert.rejects(cold.get('x'));
    cold.disconnect();
    await assert.rejects(requireEmptyRedis('redis+cluster://127.0.0.1:1'), /cannot be reached/);
  });

  describe('a process', () => {
    const process = service({
      name: 'sample',
      config: {},
      start: async () => ({ ready: async () => ({ ok: true, parts: {} }) as never, close: async () => undefined }),
    });
    const start = (REDIS_URL: string) => process.start({ REDIS_URL, LOG_LEVEL: 'error' });

    it('does not start with one node of a cluster as its server, nor with a server as a cluster, and says what to write', async () => {
      const node = await start(String(cluster.urls[1]));
      assert.ok(!isRight(node));
      assert.deepEqual(
        node.left.map(({ variable }) => variable),
        ['REDIS_URL'],
      );
      assert.match(node.left[0]?.expected ?? '', /redis\+cluster:\/\/ .* the server is a node of a cluster/);
      const { url } = await valkeyForTests();
      const server = await start(new URL('/', url).href.replace('redis://', 'redis+cluster://'));
      assert.ok(!isRight(server));
      assert.match(server.left[0]?.expected ?? '', /redis:\/\/ and one server/);
    });

    it('starts with a cluster, with a server, and while neither answers', async () => {
      for (const each of [
        address,
        (await valkeyForTests()).url,
        'redis://127.0.0.1:1',
        'redis+cluster://127.0.0.1:1',
      ]) {
        assert.equal(await expectedAddress(each), undefined, each);
        const started = await start(each);
        assert.ok(isRight(started));
        await started.right.close();
      }
    });
  });
});
