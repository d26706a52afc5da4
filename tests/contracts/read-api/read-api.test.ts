/** The query API over the real stores: what is recorded is served, found, paged and followed. */
import assert from 'node:assert/strict';
import type { PrincipalEvent } from '../../../domain/identity/principal/events';
import type { TenantId } from '../../../domain/kernel/ids';
import { noon, registered, suspended, tenantId } from '../../identity/examples';
import { reader, stranger } from '../../identity/read-api/fixture';
import { readServerSentEvents } from '../../identity/read-api/server-sent-events';
import { signedHeader } from '../../support/http/http-service';
import { startEventStoreNode } from '../../support/servers/event-store-node';
import { eventually } from '../../support/waiting/eventually';

import { type ReadApiFixture, recordIn, startReadApiFixture } from './fixture';

const of = (event: PrincipalEvent, principalId: string): PrincipalEvent =>
  ({ ...event, data: { ...event.data, principalId } }) as PrincipalEvent;

describe('the query API on real stores', function () {
  this.timeout(120_000);
  let stage: ReadApiFixture;
  before(async () => {
    stage = await startReadApiFixture();
  });
  after(() => stage.close(stage.node));

  const call = (path: string, headers: Record<string, string> = {}, identity = reader()) =>
    fetch(`http://127.0.0.1:${stage.port}${path}`, {
      headers: { 'septet-identity': signedHeader('GET', path, identity), ...headers },
    });
  /** Retries while the read model is behind, as 503 with Retry-After requires of clients. */
  const get = async (path: string, position: bigint, identity = reader()) => {
    for (;;) {
      const response = await call(path, { 'min-position': String(position) }, identity);
      const body = (await response.json()) as {
        code?: string;
        items: { [field: string]: unknown }[];
        next_cursor: string | null;
      };
      if (body.code !== 'not-yet-visible') return { response, body };
    }
  };
  const record = (event: PrincipalEvent, tenant?: TenantId): Promise<bigint> => recordIn(stage.store, event, tenant);

  it('shows a row as soon as its event is said to be visible, and its changes', async () => {
    const first = await get('/v1/principals/seen', await record(of(registered, 'seen')));
    assert.deepEqual(
      [first.response.status, first.body, first.response.headers.get('etag')],
      [
        200,
        {
          principalId: 'seen',
          principalType: 'PIPELINE',
          tenantId,
          status: 'ACTIVE',
          securityEpoch: 1,
          createdAt: noon,
          name: null,
          login: null,
          roles: [],
        } as never,
        'W/"0"',
      ],
    );
    const position = await record(of(suspended, 'seen'));
    const { response } = await get('/v1/principals/seen', position);
    assert.equal(response.headers.get('etag'), 'W/"1"');
    assert.ok(BigInt(response.headers.get('position') ?? '0') >= position);
    const history = await get('/v1/principals/seen/history', position);
    assert.deepEqual(
      history.body.items.map(({ type, at }) => [type, at]),
      [
        ['PrincipalSuspended', noon],
        ['PrincipalRegistered', noon],
      ],
    );
  });

  it('reports the position of every view to operators of the platform only', async () => {
    const path = '/v1/platform/views';
    const operator = { ...reader(), scopes: ['platform:read'] };
    await eventually(async () => {
      const answer = await call(path, {}, operator);
      assert.equal(answer.status, 200);
      const { items } = (await answer.json()) as { items: { [field: string]: unknown }[] };
      const found = items.find(({ name }) => name === 'identity_principals');
      const { store, phase, version, checkpoint, lastRebuild, skippedEvents } = found ?? assert.fail();
      assert.deepEqual([store, phase, lastRebuild, skippedEvents], ['postgres', 'live', null, 0]);
      assert.ok(Number(version) >= 1 && /^\d+$/.test(String(checkpoint)));
    });
    assert.equal((await call(path)).status, 403);
  });

  it('pages through rows of one moment, each once, while others are inserted', async () => {
    let position = 0n;
    for (let count = 0; count < 30; count += 1) position = await record(of(registered, `paged-${count}`));
    const seen: unknown[] = [];
    let next: string | undefined = '';
    while (next !== undefined) {
      const { body } = await get(`/v1/principals?limit=7${next}`, position);
      seen.push(...body.items.map(({ principalId }) => principalId));
      position = await record(of(registered, `inserted-${seen.length}`));
      next = body.next_cursor === null ? undefined : `&cursor=${body.next_cursor}`;
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.equal(seen.filter((id) => String(id).startsWith('paged-')).length, 30);
  });

  it('finds security events by words, fields and time, the newest first', async () => {
    for (let count = 0; count < 6; count += 1) await record(of(registered, `searched-${count}`));
    const position = await record(of(suspended, 'searched'));
    const path = '/v1/security/events';
    const { body } = await get(`${path}?q=suspended&principalId=searched&from=${noon}`, position);
    assert.deepEqual(
      body.items.map((item) => [item.position, item.type]),
      [[String(position), 'PrincipalSuspended']],
    );
    const page = await get(`${path}?limit=3`, position);
    const next = await get(`${path}?limit=3&cursor=${page.body.next_cursor}`, position);
    const positions = [...page.body.items, ...next.body.items].map((item) => BigInt(String(item.position)));
    assert.deepEqual(
      positions,
      positions.toSorted((one, other) => (one > other ? -1 : 1)),
    );
    assert.equal(new Set(positions).size, 6);
  });

  it('shows another tenant nothing', async () => {
    const position = await record(of(registered, 'own'));
    for (const path of ['/v1/principals', '/v1/principals/own/history', '/v1/security/events'])
      assert.deepEqual((await get(path, position, stranger)).body.items, [], path);
    assert.equal((await get('/v1/principals/own', position, stranger)).response.status, 404);
  });

  it('follows across a crash of the event store, nothing skipped or doubled', async () => {
    const path = '/v1/security/events/stream';
    await record(of(registered, 'followed'));
    const next = readServerSentEvents(await call(path));
    const ready = await next();
    assert.equal(ready?.event, 'ready');
    const recorded: string[] = [];
    for (let count = 0; count < 20; count += 1) recorded.push(String(await record(of(suspended, 'followed'))));
    await stage.node.kill();
    const { data, port } = stage.node;
    stage = { ...stage, node: await startEventStoreNode(data, port) };
    for (let count = 0; count < 20; count += 1) recorded.push(String(await record(of(suspended, 'followed'))));
    const positions = async (take: typeof next): Promise<readonly string[]> => {
      const taken: string[] = [];
      while (taken.length < recorded.length) taken.push(JSON.parse((await take())?.data ?? '{}').position);
      return taken;
    };
    assert.deepEqual(await positions(next), recorded);
    const resumed = readServerSentEvents(await call(path, { 'last-event-id': ready.id ?? '' }));
    assert.deepEqual(await positions(resumed), recorded);
  });

  it('tells which stores answer', async () => {
    const parts = async (): Promise<unknown> =>
      ((await (await fetch(`http://127.0.0.1:${stage.port}/healthz`)).json()) as { parts: unknown }).parts;
    const all = { 'event-store': { ok: true }, postgres: { ok: true }, elasticsearch: { ok: true } };
    await eventually(async () => assert.deepEqual(await parts(), all));
  });
});
