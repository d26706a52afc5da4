import assert from 'node:assert/strict';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import type { SecuritySignal } from '../../../infra/ports/identity/security-state';
import { bind, type Identity } from '../../../infra/server/http/routing/route';
import { readChange } from '../../../infra/server/security-state/wire';
import { createSecurityState } from '../../../packages/resource-server/src/revocation/security-state';
import { followSecurityState, getSecurityState, streamSecurityState } from '../../../read-api/identity/security-state';
import { cursorsSignedWith } from '../../../read-api/kernel/pagination';
import { createConnectionQuota } from '../../../read-api/kernel/streams/connection-quota';
import { createStreamMetrics } from '../../../read-api/kernel/streams/stream-metrics';
import { openStreamService } from '../../../read-api/kernel/streams/stream-service';
import { createTestRevocationWatch, epochBump, revocation } from '../../support/gateway/revocations';
import { capturedLog, startHttpService } from '../../support/http/http-service';
import { noopMetrics } from '../../support/waiting/recording-log';
import { noon } from '../examples';
import { readServerSentEvents } from './server-sent-events';

const guard: Identity = {
  tenantId: 'acme',
  principalId: 'guard',
  principalType: 'PIPELINE',
  scopes: ['security:state'],
  tokenId: 'jti-guard',
  issuedAt: Date.now() + 60_000,
  securityEpoch: 1,
};
const operator = { ...guard, tenantId: 'main' };

const open = async (ticks: () => number = Date.now) => {
  const state = createSecurityState(Date.now, ticks);
  const rights = createTestRevocationWatch();
  const watching = new Set<(signal: SecuritySignal) => void>();
  const watch = (listener: (signal: SecuritySignal) => void) => {
    watching.add(listener);
    return () => void watching.delete(listener);
  };
  const draining = new AbortController();
  const streaming = openStreamService({
    store: openMemoryEventStore(),
    log: capturedLog(),
    signal: draining.signal,
    rights,
    clock: { now: () => noon },
    cursors: cursorsSignedWith('c'.repeat(43)),
    quota: createConnectionQuota({ inAll: 2, ofOneTenant: 2, ofOnePrincipal: 2 }),
    streamMetrics: createStreamMetrics(noopMetrics),
  });
  let log: { readonly id: string; readonly isFirst: boolean } | undefined;
  const deps = { streaming, security: { ...state, watch }, operators: 'main', log: () => log };
  const service = await startHttpService([bind(deps, getSecurityState), bind(deps, followSecurityState)]);
  const receive = (...signals: readonly SecuritySignal[]): void => {
    for (const signal of signals) {
      state.apply(signal);
      if (signal.kind !== 'heartbeat') rights.apply(signal);
      for (const listener of [...watching]) listener(signal);
    }
  };
  const get = async (identity: Identity = guard) => {
    const response = await service.call('/v1/security/state', { identity });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const follow = async (headers: Record<string, string> = {}, identity: Identity = guard) => {
    const client = new AbortController();
    const path = '/v1/security/state/stream';
    const response = await service.call(path, { headers, identity, signal: client.signal });
    return { status: response.status, next: readServerSentEvents(response), leave: () => client.abort(), watching };
  };
  const isOnLog = (known: typeof log): void => {
    log = known;
  };
  return { ...service, receive, get, follow, watching, isOnLog, security: deps.security };
};

const heartbeat = (sequence: bigint) => ({ kind: 'heartbeat', sequence }) as const;
const denied = revocation({ kind: 'jti', subject: 'j-1', sequence: 5n });
const foreign = revocation({ kind: 'grant', subject: 'g-1', sequence: 6n, tenantId: 'other' });
const floor = revocation({ kind: 'globalEpoch', subject: '', tenantId: '', minimum: Date.now(), sequence: 7n });

describe('the security state over HTTP', () => {
  let api: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    api = await open();
  });
  afterEach(async () => {
    api.drain();
    await api.close();
  });
  const changeOf = ({ data }: { data?: string | undefined }) => readChange(JSON.parse(data ?? ''));
  type StreamEvent = NonNullable<Awaited<ReturnType<Awaited<ReturnType<typeof api.follow>>['next']>>>;
  const took = async (next: () => Promise<StreamEvent | undefined>, count: number): Promise<readonly StreamEvent[]> => {
    const events: StreamEvent[] = [];
    while (events.length < count) events.push((await next()) as StreamEvent);
    return events;
  };

  it('is returned completely, up to its position', async () => {
    api.receive(denied, floor, heartbeat(9n));
    const { status, body } = await api.get();
    assert.deepEqual([status, body.sequence], [200, '9']);
    assert.deepEqual((body.changes as object[]).map(readChange), [denied, floor]);
  });
  it('keeps what concerns another tenant from all but operators', async () => {
    api.receive(denied, foreign, floor, heartbeat(9n));
    const kinds = async (identity: Identity) =>
      ((await api.get(identity)).body.changes as { kind: string }[]).map(({ kind }) => kind);
    assert.deepEqual(await kinds(guard), ['jti', 'globalEpoch']);
    assert.deepEqual(await kinds({ ...guard, tenantId: 'other' }), ['grant', 'globalEpoch']);
    assert.deepEqual(await kinds(operator), ['jti', 'grant', 'globalEpoch']);
  });
  it('is unavailable until it is known', async () => {
    api.receive(denied);
    assert.equal((await api.get()).status, 503);
    assert.equal((await api.follow()).status, 503);
  });
  it('needs the scope', async () => assert.equal((await api.get({ ...guard, scopes: ['security:read'] })).status, 403));

  it('is followed: first what matters, then a sign of life, then what comes, for one’s own tenant', async () => {
    api.receive(denied, foreign, heartbeat(6n));
    const { next } = await api.follow();
    const [first, life] = await took(next, 2);
    assert.deepEqual(changeOf(first as StreamEvent), denied);
    assert.deepEqual([life?.event, life?.id, life?.data], ['heartbeat', '6', '{"sequence":"6","tenantId":"acme"}']);
    api.receive({ ...foreign, sequence: 8n }, floor);
    const [later] = await took(next, 1);
    assert.equal(later?.event, 'security_state_changed');
    assert.deepEqual(changeOf(later as StreamEvent), floor);
  });
  it('says to operators that it is of all tenants', async () => {
    api.receive(foreign, heartbeat(6n));
    const { next } = await api.follow({}, operator);
    const [first, life] = await took(next, 2);
    assert.deepEqual([changeOf(first as StreamEvent), life?.data], [foreign, '{"sequence":"6","tenantId":null}']);
  });
  it('is resumed behind what was proven, which what came ahead of it does not move', async () => {
    api.receive(denied, heartbeat(5n), floor);
    const { next } = await api.follow({ 'last-event-id': '5' });
    const [again] = await took(next, 1);
    assert.deepEqual([again?.id, changeOf(again as StreamEvent).sequence], ['5', 7n]);
  });
  it('is sent completely to a client that reconnects from a log that was ahead', async () => {
    api.receive(denied, heartbeat(5n));
    const { next } = await api.follow({ 'last-event-id': '99' });
    assert.deepEqual(changeOf((await took(next, 1))[0] as StreamEvent), denied);
  });
  it('is sent completely to a client that reconnects after the log has moved, to smaller positions or larger ones', async () => {
    api.receive(denied, heartbeat(5n));
    api.isOnLog({ id: 'one', isFirst: true });
    const { next } = await api.follow();
    const [, life] = await took(next, 2);
    const id = life?.id as string;
    assert.match(id, /^5\.[\w-]{8}$/);
    const again = await api.follow({ 'last-event-id': id });
    assert.equal((await took(again.next, 1))[0]?.event, 'heartbeat', 'nothing is missing');
    again.leave();
    while (api.watching.size > 1) await new Promise(setImmediate);
    api.isOnLog({ id: 'two', isFirst: false });
    for (const before of [id, '5']) {
      const moved = await api.follow({ 'last-event-id': before });
      assert.deepEqual(changeOf((await took(moved.next, 1))[0] as StreamEvent), denied, before);
      moved.leave();
      while (api.watching.size > 1) await new Promise(setImmediate);
    }
  });
  it('is sent completely again after an interrupted initial transfer', async () => {
    const another = revocation({ kind: 'jti', subject: 'j-2', sequence: 6n });
    api.receive(denied, another, heartbeat(9n));
    const { next } = await api.follow();
    const [cutOffAt] = await took(next, 1);
    const again = await api.follow({ 'last-event-id': cutOffAt?.id ?? '' });
    const changes = (await took(again.next, 2)).map(changeOf);
    assert.deepEqual(changes, [denied, another]);
  });
  it('says no more than was known when it began to tell', async () => {
    api.receive(denied, heartbeat(5n));
    const tail = {
      mayKnow: () => true,
      tenantId: null,
      after: null,
      log: undefined,
      heartbeatMilliseconds: 1_000,
      signal: new AbortController().signal,
    };
    const stream = streamSecurityState(api.security, tail);
    await stream.next();
    api.receive({ ...denied, subject: 'j-2', sequence: 8n }, heartbeat(8n));
    const ids = [await stream.next(), await stream.next()].map(({ value }) => value?.id);
    assert.deepEqual(ids, ['5', '5']);
    await stream.return();
  });
  it('sends no heartbeat of its own: repeated queries do not make stale state fresh', async () => {
    const clock = { ahead: 0 };
    const old = await open(() => performance.now() + clock.ahead);
    old.receive(heartbeat(5n), denied);
    clock.ahead += 30_000;
    const { next } = await old.follow();
    const [first] = await took(next, 1);
    old.receive(floor);
    const [second] = await took(next, 1);
    assert.deepEqual([first?.event, second?.event], ['security_state_changed', 'security_state_changed']);
    old.drain();
    await old.close();
  });
  it('refuses an id that is none', async () => assert.equal((await api.follow({ 'last-event-id': 'x' })).status, 400));

  it('ends for a guard whose own token is revoked, and says so', async () => {
    api.receive(heartbeat(5n));
    const { next } = await api.follow();
    await took(next, 1);
    api.receive(epochBump('guard', 2));
    const events = [await next(), await next()];
    assert.ok(events.some((event) => event?.event === 'end' && event.data?.includes('token_revoked')));
  });
  it('gives places back, and stops telling who has left', async () => {
    api.receive(heartbeat(5n));
    const [one] = [await api.follow(), await api.follow()];
    assert.equal((await api.follow()).status, 503);
    one.leave();
    while (api.watching.size > 1) await new Promise(setImmediate);
    assert.equal((await api.follow()).status, 200);
  });
});
