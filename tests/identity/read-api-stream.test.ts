import assert from 'node:assert/strict';
import type { TenantId } from '../../domain/kernel/ids';
import type { Identity } from '../../infra/http/route';
import { noon, principalId, reactivated, registered, suspended } from './examples';
import { receiving } from './read-api-events';
import { reader, startReadApi, stranger } from './read-api-setting';

const path = '/v1/security/events/stream';

describe('following security events', () => {
  let api: Awaited<ReturnType<typeof startReadApi>>;
  beforeEach(async () => {
    api = await startReadApi({ places: 2 });
  });
  afterEach(() => api.close());

  const follow = async (query = '', headers: Record<string, string> = {}, identity: Identity = reader()) => {
    const client = new AbortController();
    const response = await api.call(`${path}${query}`, { headers, identity, signal: client.signal });
    assert.equal(response.status, 200);
    return { next: receiving(response), leave: () => client.abort() };
  };

  it('sends what is recorded from now on, as the search shows it', async () => {
    await api.record(registered);
    const { next } = await follow();
    assert.deepEqual(await next(), { id: '128', event: 'ready', data: '{"position":"128"}' });
    await api.record(suspended);
    const { id, event, data } = (await next()) ?? {};
    assert.deepEqual([id, event], ['256', 'PrincipalSuspended']);
    const shown = JSON.parse(data ?? '') as Record<string, unknown>;
    assert.deepEqual(
      [shown.position, shown.principalId, shown.actor, shown.type, 'tenantId' in shown],
      ['256', principalId, 'p-9', 'PrincipalSuspended', false],
    );
  });

  it('resumes after the position that the client names, the header before the query', async () => {
    for (const event of [registered, suspended, reactivated]) await api.record(event);
    const named = await follow('?last_event_id=128');
    assert.equal((await named.next())?.id, '256');
    named.leave();
    const again = await follow('?last_event_id=0', { 'last-event-id': '256' });
    assert.equal((await again.next())?.id, '384');
    assert.equal((await again.next())?.event, 'ready');
  });

  it('refuses a position that is none or lies ahead', async () => {
    await api.record(registered);
    for (const [query, headers, pointer] of [
      ['?last_event_id=129', {}, '/query/last_event_id'],
      ['', { 'last-event-id': '18446744073709551615' }, '/headers/last-event-id'],
      ['', { 'last-event-id': 'abc' }, '/headers/last-event-id'],
      ['?last_event_id=-1', {}, '/query/last_event_id'],
    ] as const) {
      const { status, body } = await api.get(`${path}${query}`, { headers });
      assert.deepEqual([status, body.errors[0].pointer], [400, pointer]);
    }
  });

  it('sends a tenant its own events only, also from the past', async () => {
    const other = stranger.tenantId as TenantId;
    await api.record(registered);
    const theirs = await api.record(registered, other);
    const { next } = await follow('?last_event_id=0', {}, stranger);
    assert.equal((await next())?.id, String(theirs));
    assert.equal((await next())?.event, 'ready');
    await api.record(suspended);
    const live = await api.record(suspended, other);
    assert.equal((await next())?.id, String(live));
  });

  it('ends with the token', async () => {
    const { next } = await follow('', {}, { ...reader(), expiresAt: Date.parse(noon) + 100 });
    assert.equal((await next())?.event, 'ready');
    assert.equal(await next(), undefined);
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
