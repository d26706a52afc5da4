import assert from 'node:assert/strict';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Identity } from '../../../infra/server/http/routing/route';
import { noon, principalId, reactivated, registered, suspended } from '../examples';
import { reader, startReadApi, stranger } from './fixture';
import { readServerSentEvents } from './server-sent-events';

const path = '/v1/security/events/stream';

import { epochBump } from '../../support/gateway/revocations';

describe('following security events', () => {
  let api: Awaited<ReturnType<typeof startReadApi>>;
  beforeEach(async () => {
    api = await startReadApi({ places: 2 });
  });
  afterEach(() => api.close());

  const idAt = (position: bigint, tenant: string = reader().tenantId) => api.ids.write(tenant, position);
  const follow = async (query = '', headers: Record<string, string> = {}, identity: Identity = reader()) => {
    const client = new AbortController();
    const response = await api.call(`${path}${query}`, { headers, identity, signal: client.signal });
    assert.equal(response.status, 200);
    return { next: readServerSentEvents(response), leave: () => client.abort() };
  };

  it('sends what is recorded from now on, as the search shows it', async () => {
    await api.record(registered);
    const { next } = await follow();
    const start = idAt(128n);
    assert.deepEqual(await next(), { id: start, event: 'ready', data: JSON.stringify({ position: start }) });
    await api.record(suspended);
    const { id, event, data } = (await next()) ?? {};
    assert.deepEqual([id, event], [idAt(256n), 'PrincipalSuspended']);
    const row = JSON.parse(data ?? '') as Record<string, unknown>;
    assert.deepEqual(
      [row.position, row.principalId, row.actor, row.type, 'tenantId' in row],
      ['256', principalId, 'p-9', 'PrincipalSuspended', false],
    );
  });

  it('resumes after the event that the client names, the header before the query', async () => {
    for (const event of [registered, suspended, reactivated]) await api.record(event);
    const named = await follow(`?after=${idAt(128n)}`);
    assert.equal((await named.next())?.id, idAt(256n));
    named.leave();
    const again = await follow(`?last_event_id=${idAt(0n)}`, { 'last-event-id': idAt(256n) });
    assert.equal((await again.next())?.id, idAt(384n));
    assert.equal((await again.next())?.event, 'ready');
  });

  it('refuses an id that was not given for this stream and tenant, or lies ahead', async () => {
    await api.record(registered);
    for (const [query, headers, pointer] of [
      [`?after=${idAt(129n)}`, {}, '/query/after'],
      [`?last_event_id=${idAt(128n, stranger.tenantId)}`, {}, '/query/last_event_id'],
      ['', { 'last-event-id': '128' }, '/headers/last-event-id'],
      ['', { 'last-event-id': `${idAt(128n)}x` }, '/headers/last-event-id'],
    ] as const) {
      const { status, body } = await api.get(`${path}${query}`, { headers });
      assert.deepEqual([status, body.errors[0].pointer], [400, pointer]);
    }
  });

  it('sends only what the filter asks for', async () => {
    const other = { ...registered, data: { ...registered.data, principalId: 'p-2' } } as typeof registered;
    for (const event of [registered, other, suspended]) await api.record(event);
    const { next } = await follow(`?after=${idAt(0n)}&principalId=p-2`);
    assert.equal((await next())?.id, idAt(256n));
    assert.equal((await next())?.event, 'ready');
    const typed = await follow(`?after=${idAt(0n)}&type=PrincipalSuspended`);
    assert.equal((await typed.next())?.id, idAt(384n));
  });

  it('sends a tenant its own events only, also from the past', async () => {
    const other = stranger.tenantId as TenantId;
    await api.record(registered);
    const theirs = await api.record(registered, other);
    const { next } = await follow(`?after=${idAt(0n, other)}`, {}, stranger);
    assert.equal((await next())?.id, idAt(theirs, other));
    assert.equal((await next())?.event, 'ready');
    await api.record(suspended);
    const live = await api.record(suspended, other);
    assert.equal((await next())?.id, idAt(live, other));
  });

  it('ends with the token, and says so', async () => {
    const { next } = await follow('', {}, { ...reader(), expiresAt: Date.parse(noon) + 100 });
    assert.equal((await next())?.event, 'ready');
    const { event, data } = (await next()) ?? {};
    assert.deepEqual([event, JSON.parse(data ?? '').code], ['end', 'token-expired']);
    assert.equal(await next(), undefined);
  });

  it('ends when the principal is revoked, and says so; others go on', async () => {
    const revoked = await follow('', {}, { ...reader(), securityEpoch: 1 });
    const newer = await follow('', {}, { ...reader(), securityEpoch: 2 });
    for (const { next } of [revoked, newer]) assert.equal((await next())?.event, 'ready');
    const { principalId, tenantId } = reader();
    api.rights.apply(epochBump(principalId, 2, { tenantId }));
    const { event, data } = (await revoked.next()) ?? {};
    assert.deepEqual([event, JSON.parse(data ?? '').code], ['end', 'token_revoked']);
    assert.equal(await revoked.next(), undefined);
    await api.record(registered);
    assert.equal((await newer.next())?.event, 'PrincipalRegistered');
  });

  it('gives no more places than there are, and gives them again', async () => {
    const [one] = [await follow(), await follow()];
    const full = await api.get(path);
    assert.deepEqual([full.status, full.body.code], [503, 'service-unavailable']);
    one.leave();
    const places = async (): Promise<number> => (await api.call(path, { identity: reader(), method: 'HEAD' })).status;
    while ((await places()) === 503);
    await follow();
  });
});
