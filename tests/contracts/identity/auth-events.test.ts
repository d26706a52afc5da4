/** Authorization decisions from the gateway's buffer to the index, on real stores, which go away in between. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isLeft, right } from 'fp-ts/Either';
import type { AuthEvent } from '../../../domain/identity/protocol/auth-event';
import type { Instant } from '../../../domain/kernel/codec';
import { openAuthEventIndex } from '../../../infra/adapters/elastic/auth-events/auth-event-index';
import { openAuthEventSearch } from '../../../infra/adapters/elastic/auth-events/auth-event-search';
import { createAuthEventSink } from '../../../infra/adapters/redis/auth-events/auth-event-sink';
import { createAuthEventStream } from '../../../infra/adapters/redis/auth-events/auth-event-stream';
import { createDetectionForwarder } from '../../../infra/adapters/redis/auth-events/detection-stream';
import { readDropped } from '../../../infra/adapters/redis/auth-events/dropped-auth-events';
import { lanes, streamKey } from '../../../infra/adapters/redis/auth-events/lanes';
import { openRedis, type RedisConnection } from '../../../infra/adapters/redis/connection';
import { subjectHash as subjectOf } from '../../../infra/adapters/vault/subject-keys';
import type { AuthEventIndex, AuthEventStream } from '../../../infra/ports/identity/auth-events';
import { indexBatch } from '../../../projections/identity/auth-events/index-auth-events';
import { expectRight } from '../../support/domain/expect-right';
import { openProxy, type ServerProxy } from '../../support/servers/proxy';
import { elasticsearchForTests, indexPrefix, valkeyForTests } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';

const day = 86_400_000;
const at = (milliseconds: number): Instant => new Date(milliseconds).toISOString() as Instant;

const eventOf = (tenantId: string | null, changes: Partial<AuthEvent> = {}): AuthEvent => ({
  eventId: randomUUID(),
  timestamp: at(Date.now()),
  jti: randomUUID(),
  principalId: 'p-1',
  principalType: 'HUMAN',
  tenantId,
  audience: 'septet',
  scopes: ['things:read'],
  sourceIp: '192.0.2.7',
  result: 'ALLOW',
  ...changes,
});
const denied = (tenantId: string | null, changes: Partial<AuthEvent> = {}): AuthEvent =>
  eventOf(tenantId, { result: 'DENY', reason: 'insufficient_scope', ...changes });

describe('authorization decisions', function () {
  this.timeout(240_000);
  const log = recordingLog();
  const prefix = indexPrefix();
  let redisProxy: ServerProxy;
  let elasticProxy: ServerProxy;
  let redis: RedisConnection;
  /** Not through a proxy. */
  let straight: RedisConnection;
  let index: AuthEventIndex;
  let search: ReturnType<typeof openAuthEventSearch>;

  before(async () => {
    const elastic = await elasticsearchForTests();
    const valkey = await valkeyForTests();
    [redisProxy, elasticProxy] = await Promise.all([openProxy(valkey.url), openProxy(elastic.url)]);
    redis = openRedis(redisProxy.url);
    straight = openRedis(valkey.url);
    index = openAuthEventIndex({ url: elasticProxy.url, prefix, subjectOf });
    search = openAuthEventSearch({ url: elastic.url, prefix });
  });
  after(async () => {
    redis.disconnect();
    straight.disconnect();
    await Promise.all([index.close(), search.close(), redisProxy.close(), elasticProxy.close()]);
  });
  beforeEach(() => straight.flushdb());

  const consumer = (abandonedMilliseconds?: number) =>
    createAuthEventStream(straight, {
      subjectOf,
      log,
      ...(abandonedMilliseconds === undefined ? {} : { abandonedMilliseconds }),
    });
  /** With the streams, which a consumer makes. */
  const opened = async (): Promise<AuthEventStream> => {
    const stream = consumer();
    expectRight(await stream.read());
    return stream;
  };
  const detection = { forward: (events: readonly AuthEvent[]) => createDetectionForwarder(straight).forward(events) };
  const sinkOf = (used = lanes) => createAuthEventSink(redis, { metrics: noopMetrics, log, lanes: used });
  const send = async (events: readonly AuthEvent[]): Promise<void> => {
    const sink = sinkOf();
    for (const event of events) sink.record(event);
    await sink.close();
  };
  const drain = async (stream: AuthEventStream): Promise<number> => {
    for (let indexed = 0; ; ) {
      const count = await indexBatch({ stream, index, detection, subjectOf });
      if (count === 0) return indexed;
      indexed += count;
    }
  };
  const found = async (
    tenantId: string | null,
    query: Partial<Parameters<typeof search.find>[1]> = {},
  ): Promise<readonly AuthEvent[]> => expectRight(await search.find(tenantId, { limit: 1_000, ...query }));
  const idsOf = (events: readonly AuthEvent[]): readonly string[] => events.map(({ eventId }) => eventId).sort();
  const expectFound = (tenantId: string | null, events: readonly AuthEvent[]): Promise<void> =>
    eventually(async () => assert.deepEqual(idsOf(await found(tenantId)), idsOf(events)));
  const waitingIn = async (): Promise<string> =>
    JSON.stringify(await Promise.all(lanes.map((lane) => straight.xrange(streamKey(lane), '-', '+'))));
  const tenantOf = (): string => `t-${randomUUID()}`;

  it('arrive as they were recorded, are found by each filter, and leave the streams empty', async () => {
    const [tenant, other] = [tenantOf(), tenantOf()];
    const stream = await opened();
    const now = Date.now();
    const first = eventOf(tenant, { timestamp: at(now - 2 * day), dpopThumbprint: 'A'.repeat(43) });
    const second = denied(tenant, { timestamp: at(now - 1_000), principalId: 'p-2' });
    const foreign = denied(other);
    await send([first, second, foreign]);
    assert.equal(await drain(stream), 3);
    await expectFound(tenant, [first, second]);
    assert.deepEqual(await found(tenant), [second, first]);
    for (const [query, events] of [
      [{ principalIds: ['p-2', 'p-3'] }, [second]],
      [{ result: 'ALLOW' }, [first]],
      [{ reason: 'insufficient_scope' }, [second]],
      [{ reason: 'policy' }, []],
      [{ jti: first.jti ?? '' }, [first]],
      [{ jti: foreign.jti ?? '' }, []],
      [{ from: at(now - day) }, [second]],
      [{ to: at(now - day) }, [first]],
      [{ limit: 1 }, [second]],
      [{ after: second }, [first]],
    ] as const)
      assert.deepEqual(await found(tenant, query), events, JSON.stringify(query));
    assert.equal(await waitingIn(), '[[],[],[]]');
  });

  it('of nobody are found apart', async () => {
    const stream = await opened();
    const anonymous = denied(null, { jti: null, principalId: null, principalType: null, reason: 'missing_token' });
    await send([anonymous]);
    await drain(stream);
    await eventually(async () => assert.ok(idsOf(await found(null)).includes(anonymous.eventId)));
  });

  it('are indexed once when they are sent and delivered twice', async () => {
    const tenant = tenantOf();
    const stream = await opened();
    const events = Array.from({ length: 700 }, () => denied(tenant));
    await send([...events, ...events]);
    assert.equal(await drain(stream), 1_400);
    await expectFound(tenant, events);
  });

  it('are another consumer’s when one is killed after it indexed and before it acknowledged', async () => {
    const tenant = tenantOf();
    const killed = await opened();
    const events = [denied(tenant), eventOf(tenant)];
    await send(events);
    const dying = {
      ...killed,
      acknowledge: async () => {
        throw new Error('killed');
      },
    };
    await assert.rejects(indexBatch({ stream: dying, index, detection, subjectOf }), /killed/);
    assert.notEqual(await waitingIn(), '[[],[],[]]');
    const successor = consumer(1);
    await eventually(async () => {
      await drain(successor);
      assert.equal(await waitingIn(), '[[],[],[]]');
    });
    await expectFound(tenant, events);
  });

  it('wait in the streams while Elasticsearch is away', async () => {
    const tenant = tenantOf();
    const stream = await opened();
    elasticProxy.away();
    const events = [denied(tenant), eventOf(tenant)];
    await send(events);
    await assert.rejects(indexBatch({ stream, index, detection, subjectOf }));
    await assert.rejects(indexBatch({ stream, index, detection, subjectOf }));
    elasticProxy.back();
    await eventually(() => drain(stream));
    await expectFound(tenant, events);
  });

  it('wait in the gateway while Redis is away, and what finds no room there is counted, of each kind by itself', async () => {
    const tenant = tenantOf();
    const stream = await opened();
    redisProxy.away();
    const sink = sinkOf(lanes.map((lane) => ({ ...lane, buffered: 3 })));
    const allowed = Array.from({ length: 5 }, () => eventOf(tenant));
    const refusals = Array.from({ length: 3 }, () => denied(tenant));
    for (const event of [...allowed, ...refusals]) sink.record(event);
    redisProxy.back();
    await eventually(async () => {
      await drain(stream);
      assert.deepEqual(idsOf(await found(tenant)), idsOf([...allowed.slice(0, 3), ...refusals]));
      assert.deepEqual(await readDropped(straight)(tenant), right({ ALLOW: 2, DENY: 0 }));
    });
    assert.deepEqual(await readDropped(straight)(tenantOf()), right({ ALLOW: 0, DENY: 0 }));
    await sink.close();
  });

  it('that allow are dropped where their stream is full, and those that deny wait for room', async () => {
    const tenant = tenantOf();
    const stream = await opened();
    const sink = sinkOf(lanes.map((lane) => ({ ...lane, stored: 2 })));
    const allowed = Array.from({ length: 5 }, () => eventOf(tenant));
    const refusals = Array.from({ length: 5 }, () => denied(tenant));
    for (const event of [...allowed, ...refusals]) sink.record(event);
    await eventually(async () => assert.deepEqual(await readDropped(straight)(tenant), right({ ALLOW: 3, DENY: 0 })));
    await eventually(async () => {
      await drain(stream);
      assert.deepEqual(idsOf(await found(tenant)), idsOf([...allowed.slice(0, 2), ...refusals]));
    });
    await sink.close();
  });

  it('go on when Redis has lost everything', async () => {
    const tenant = tenantOf();
    const stream = await opened();
    await straight.flushdb();
    assert.equal(await drain(stream), 0);
    const event = denied(tenant);
    await send([event]);
    await drain(stream);
    await expectFound(tenant, [event]);
  });

  it('that cannot be decoded hold nothing up', async () => {
    const tenant = tenantOf();
    const stream = await opened();
    const [lane] = lanes;
    assert.ok(lane !== undefined);
    await straight.xadd(streamKey(lane), '*', 'e', '{"result":"MAYBE"}');
    const event = denied(tenant);
    await send([event]);
    assert.equal(await drain(stream), 1);
    assert.equal(await waitingIn(), '[[],[],[]]');
    assert.ok(log.lines.some(({ message }) => message === 'an authorization decision cannot be decoded'));
  });

  describe('of a person who is forgotten', () => {
    const whole = async (tenant: string): Promise<string> => JSON.stringify([await found(tenant), await waitingIn()]);
    const forget = async (stream: AuthEventStream, tenant: string, until = Date.now()): Promise<void> => {
      const forgotten = { subject: subjectOf(tenant, 'p-1'), until };
      expectRight(await stream.forget(forgotten));
      expectRight(await index.forget(forgotten));
    };

    it('lose the address in the index and in the streams, and those of others keep it', async () => {
      const tenant = tenantOf();
      const stream = await opened();
      const indexed = denied(tenant, { sourceIp: '192.0.2.1', deviceId: 'laptop-7' });
      const another = denied(tenant, { sourceIp: '192.0.2.2', principalId: 'p-2' });
      const waiting = eventOf(tenant, { sourceIp: '192.0.2.3' });
      await send([indexed, another]);
      await drain(stream);
      await send([waiting]);
      await forget(stream, tenant);
      const left = await whole(tenant);
      for (const gone of ['192.0.2.1', 'laptop-7', '192.0.2.3']) assert.ok(!left.includes(gone), gone);
      assert.ok(left.includes('192.0.2.2'));
      await drain(stream);
      await expectFound(tenant, [indexed, another, waiting]);
      assert.ok(!(await whole(tenant)).includes('192.0.2.3'));
    });

    it('lose it when they were read before, and are indexed afterwards', async () => {
      const tenant = tenantOf();
      const stream = await opened();
      const event = denied(tenant);
      await send([event]);
      const slow = {
        ...index,
        add: async (events: readonly AuthEvent[]) => {
          await forget(consumer(), tenant);
          return index.add(events);
        },
      };
      await indexBatch({ stream, index: slow, detection, subjectOf });
      await drain(stream);
      await expectFound(tenant, [event]);
      assert.ok(!(await whole(tenant)).includes('192.0.2.7'));
    });

    it('lose it when a gateway held them until then, and what is recorded later keeps its own', async () => {
      const tenant = tenantOf();
      const stream = await opened();
      const before = Date.now();
      await forget(stream, tenant, before);
      const late = denied(tenant, { timestamp: at(before - 1), sourceIp: '192.0.2.4' });
      const later = denied(tenant, { timestamp: at(before + 1), sourceIp: '192.0.2.5' });
      await send([late, later]);
      await drain(stream);
      await expectFound(tenant, [late, later]);
      const left = await whole(tenant);
      assert.ok(!left.includes('192.0.2.4') && left.includes('192.0.2.5'));
    });
  });

  it('stay as long as their tenant says', async () => {
    const [short, usual, long] = [tenantOf(), tenantOf(), tenantOf()];
    const now = Date.now();
    const aged = (tenantId: string, days: number) => denied(tenantId, { timestamp: at(now - days * day) });
    const staying = [aged(short, 1), aged(usual, 8), aged(long, 30)];
    const gone = [aged(short, 9), aged(usual, 30), aged(long, 300)];
    expectRight(await index.add([...staying, ...gone]));
    await Promise.all([
      expectFound(short, [staying[0], gone[0]] as AuthEvent[]),
      expectFound(long, [staying[2], gone[2]] as AuthEvent[]),
    ]);
    const byTenant = new Map([
      [short, 5],
      [long, 90],
    ]);
    expectRight(await index.expire({ days: 20, byTenant }, now));
    for (const [position, tenant] of [short, usual, long].entries())
      await expectFound(tenant, [staying[position] as AuthEvent]);
    expectRight(await index.expire({ days: 20, byTenant }, now));
  });

  it('are not known to be none while Elasticsearch is away', async () => {
    const away = openAuthEventSearch({ url: elasticProxy.url, prefix });
    elasticProxy.away();
    assert.ok(isLeft(await away.find('acme', { limit: 1 })));
    elasticProxy.back();
    await away.close();
  });
});
