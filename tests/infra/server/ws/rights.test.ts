import assert from 'node:assert/strict';
import { epochBump } from '../../../support/gateway/revocations';
import { assertRateLimited } from '../../../support/http/rate-limited';
import { openSocketClient, refusalOfSocket, refusedSocket } from '../../../support/http/socket-client';
import { startStreams } from '../../../support/http/stream-fixture';
import { subscribeAndReceive, useStreams } from './fixture';

describe('the right to a WebSocket', () => {
  const { stage, open } = useStreams();

  it('is closed when the token expires, unless a fresh one is shown', async () => {
    const issued = await stage.all.gateway.call('/v1/streams/tickets', { method: 'POST' });
    const { ticket } = (await issued.json()) as { ticket: string };
    // Whole seconds: enough of them to open both and to show the ticket on a busy machine.
    const soon = { exp: Math.floor(Date.now() / 1000) + 4 };
    const [left, stayed] = await Promise.all([open(soon), open(soon)]);
    stayed.sendJson({ type: 'authenticate', ticket });
    assert.equal((await stayed.next()).type, 'authenticated');
    assert.deepEqual(await left.closed, { code: 4401, reason: 'token-expired' });
    stayed.sendJson({ type: 'ping' });
    assert.equal((await stayed.next()).type, 'pong');
  });

  it('takes no ticket of another principal, and ends what a narrower token may not follow', async () => {
    const ticketFor = async (changes: object): Promise<string> => {
      const response = await stage.all.gateway.call('/v1/streams/tickets', {
        method: 'POST',
        headers: stage.all.authorized(changes),
      });
      return ((await response.json()) as { ticket: string }).ticket;
    };
    const client = await open();
    await subscribeAndReceive(client);
    client.sendJson({ type: 'authenticate', ticket: await ticketFor({ sub: 'p-2' }) });
    assert.equal((await client.next()).problem?.code, 'forbidden');
    client.sendJson({ type: 'authenticate', ticket: await ticketFor({ scopes: [] }) });
    assert.equal((await client.next()).type, 'authenticated');
    const ended = await client.next();
    assert.deepEqual([ended.type, ended.problem?.code], ['unsubscribed', 'forbidden']);
  });

  it('is closed when the principal is revoked: by the service, or by the gateway if the service does not know', async () => {
    const [one, other] = [await open(), await open({ sub: 'p-2' })];
    stage.all.service.rights.apply(epochBump('p-1', 2));
    assert.deepEqual(await one.closed, { code: 4403, reason: 'token_revoked' });
    await subscribeAndReceive(other);
    stage.all.gateway.revocations.apply(epochBump('p-2', 2));
    assert.deepEqual(await other.closed, { code: 4403, reason: 'token_revoked' });
  });

  it('tells clients to come back elsewhere when the service or the gateway stops', async () => {
    const one = await open();
    stage.all.service.drain();
    assert.deepEqual(await one.closed, { code: 1012, reason: 'draining' });
    const fresh = await startStreams();
    const other = await openSocketClient(fresh.url, { headers: fresh.authorized() });
    fresh.gateway.drain();
    assert.deepEqual(await other.closed, { code: 1012, reason: 'draining' });
    await fresh.close();
  });
});

describe('places', () => {
  it('are limited for a principal with 429, in all with 503', async () => {
    const all = await startStreams({ limits: { inAll: 2, ofOnePrincipal: 1 } });
    await openSocketClient(all.url, { headers: all.authorized() });
    const expected = { limit: 1, retryAfterSeconds: 10 };
    await assertRateLimited(await refusalOfSocket(all.url, { headers: all.authorized() }), expected);
    await assertRateLimited(await all.gateway.call('/v1/things/stream'), expected);
    await openSocketClient(all.url, { headers: all.authorized({ sub: 'p-2' }) });
    assert.deepEqual(await refusedSocket(all.url, { headers: all.authorized({ sub: 'p-3' }) }), [
      503,
      'service-unavailable',
    ]);
    await all.close();
  });
});
