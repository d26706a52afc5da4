/** A service with one stream of numbered things over a log in memory, behind a gateway, all on loopback. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import type * as t from 'io-ts';
import type { Instant } from '../../../domain/kernel/codec';
import { text } from '../../../domain/kernel/codec';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import type { EventStore, StoredEvent } from '../../../infra/ports/event-store';
import { httpApp } from '../../../infra/server/http/routing/app';
import { bind } from '../../../infra/server/http/routing/route';
import { listen } from '../../../infra/server/http/server/listener';
import { openMetrics } from '../../../infra/server/runtime/metrics';
import { webSocketEndpoint } from '../../../infra/server/ws/endpoint';
import { type ConnectionLimits, defaultConnectionLimits } from '../../../infra/server/ws/socket';
import { cursorsSignedWith } from '../../../read-api/kernel/pagination';
import { createConnectionQuota, type QuotaLimits } from '../../../read-api/kernel/streams/connection-quota';
import { streamRoute } from '../../../read-api/kernel/streams/sse-route';
import { type StreamSpec, stream } from '../../../read-api/kernel/streams/stream-definition';
import { createStreamMetrics } from '../../../read-api/kernel/streams/stream-metrics';
import { openStreamService } from '../../../read-api/kernel/streams/stream-service';
import { issueStreamTicket } from '../../../read-api/kernel/streams/ticket-route';
import { streamSocket } from '../../../read-api/kernel/streams/websocket-route';
import { jwksRoute, startGateway } from '../gateway/gateway';
import type { TestGateway } from '../gateway/gateway-options';
import { createTestRevocationWatch } from '../gateway/revocations';
import { capturedLog, startHttpService } from './http-service';
import { callerKeys } from './internal-keys';

const thingsSpec = {
  name: 'things',
  path: '/v1/things/stream',
  operation: 'followThings',
  summary: 'Things.',
  scopes: ['things:read'],
  filters: { kind: text('Kind', { maxLength: 20 }) },
  followed: {
    streams: ['test.thing-'],
    show: ({ data }: StoredEvent) => ({ event: 'Thing', body: data as object }),
  },
};

export interface StreamService {
  /** The stream's own part of its declaration. */
  readonly declared?: Partial<StreamSpec<t.Props>>;
  readonly store?: EventStore;
  readonly limits?: Partial<QuotaLimits>;
  readonly pace?: Partial<ConnectionLimits>;
  readonly capacity?: number;
  readonly idleMilliseconds?: number;
}

export const startStreamService = async (options: StreamService = {}) => {
  const { store = openMemoryEventStore(), limits, pace, capacity, idleMilliseconds, declared } = options;
  const things = stream<t.Props>({ ...thingsSpec, ...declared });
  const draining = new AbortController();
  const log = capturedLog();
  const metrics = openMetrics('streams');
  const clock = { now: () => new Date().toISOString() as Instant };
  const rights = createTestRevocationWatch();
  const streaming = openStreamService({
    store,
    log,
    clock,
    rights,
    signal: draining.signal,
    cursors: cursorsSignedWith('c'.repeat(43)),
    quota: createConnectionQuota({ inAll: 1_000, ofOneTenant: 1_000, ofOnePrincipal: 1_000, ...limits }),
    streamMetrics: createStreamMetrics(metrics),
    ...(capacity === undefined ? {} : { capacity }),
  });
  const ticketing = { callerKeys, clock };
  const routes = [bind(streaming, streamRoute(things)), bind(ticketing, issueStreamTicket)];
  const health = async () => ({ ready: true, parts: {} });
  const app = httpApp({ name: 'streams', routes, callerKeys, log, metrics, health, signal: draining.signal });
  const idle = idleMilliseconds === undefined ? {} : { idleMilliseconds };
  const socket = streamSocket({ streaming, streams: [things], callerKeys, log, ...idle });
  const doors = {
    routes: [socket],
    callerKeys,
    log,
    signal: draining.signal,
    pace: { ...defaultConnectionLimits, ...pace },
  };
  const listener = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    graceMilliseconds: 2_000,
    upgrade: webSocketEndpoint(doors),
  });
  let number = 0;
  const append = async (tenant = 'acme', data: object = {}): Promise<bigint> => {
    number += 1;
    const event = { id: randomUUID(), type: 'test.Thing.v1', data: { number, ...data }, metadata: {} };
    const appended = await store.append(`test.thing-${tenant}.${number % 3}`, 'any', [event]);
    assert.ok(isRight(appended));
    return appended.right.position;
  };
  const close = async (): Promise<void> => {
    draining.abort();
    await listener.close();
  };
  return { port: listener.port, append, rights, metrics, log, store, drain: () => draining.abort(), close };
};

/** The same behind a gateway. */
export const startStreams = async (options: StreamService & Partial<TestGateway> = {}) => {
  const service = await startStreamService(options);
  const commands = await startHttpService([jwksRoute]);
  const gateway = await startGateway({ ...options, commandsPort: commands.port, readApiPort: service.port });
  const url = `ws://127.0.0.1:${gateway.port}/v1/streams`;
  const authorized = (changes: object = {}) => ({ authorization: `Bearer ${gateway.token(changes)}` });
  const close = async (): Promise<void> => {
    gateway.drain();
    await gateway.close();
    await service.close();
    await commands.close();
  };
  return { service, gateway, url, authorized, close };
};
