import assert from 'node:assert/strict';
import { readServerSentEvents } from '../../../identity/read-api/server-sent-events';
import { openSocketClient, refusedSocket } from '../../../support/http/socket-client';
import { subscribe, subscribeAndReceive, useStreams } from './fixture';

describe('streams over a WebSocket through the gateway', () => {
  const { stage, open } = useStreams();
  const append = (tenant?: string, data?: object) => stage.all.service.append(tenant, data);

  it('sends what is recorded from now on, to the tenant only', async () => {
    const client = await open();
    assert.equal((await subscribeAndReceive(client)).type, 'ready');
    await append('other');
    await append();
    const { type, subscription, event, data, id } = await client.next();
    assert.deepEqual([type, subscription, event, data?.number], ['event', 'a', 'Thing', 2]);
    assert.match(id ?? '', /^v1\./);
  });

  it('carries several subscriptions, each with its filter, and ends one of them', async () => {
    const client = await open();
    await subscribeAndReceive(client, 'all');
    await subscribeAndReceive(client, 'red', { filter: { kind: 'red' } });
    await append('acme', { kind: 'blue' });
    assert.equal((await client.next()).subscription, 'all');
    client.sendJson({ type: 'unsubscribe', id: 'all' });
    assert.deepEqual(await client.next(), { type: 'unsubscribed', subscription: 'all' });
    await append('acme', { kind: 'red' });
    const { subscription, data } = await client.next();
    assert.deepEqual([subscription, data?.kind], ['red', 'red']);
  });

  it('resumes after the id of any event, on either transport', async () => {
    const client = await open();
    await subscribeAndReceive(client);
    for (let count = 0; count < 5; count += 1) await append();
    const seen = [await client.next(), await client.next()];
    client.socket.terminate();
    const again = await open();
    const third = await subscribeAndReceive(again, 'b', { after: seen[1]?.id });
    assert.equal(third.data?.number, 3);
    const path = `/v1/things/stream?after=${encodeURIComponent(third.id ?? '')}`;
    const next = readServerSentEvents(await stage.all.gateway.call(path));
    assert.equal(JSON.parse((await next())?.data ?? '').number, 4);
  });

  it('refuses what cannot be followed, and goes on', async () => {
    const client = await open({ scopes: [] });
    const refusedWith = async (message: object): Promise<readonly unknown[]> => {
      client.sendJson(message);
      const { type, subscription, problem } = await client.next();
      return [type, subscription, problem?.code];
    };
    assert.deepEqual(await refusedWith(subscribe()), ['refused', 'a', 'forbidden']);
    assert.deepEqual(await refusedWith({ ...subscribe(), stream: 'none' }), ['refused', 'a', 'not-found']);
    assert.deepEqual(await refusedWith(subscribe('b', { filter: { kind: 7 } })), ['refused', 'b', 'invalid-input']);
    const reader = await open();
    reader.sendJson(subscribe('c', { after: 'v1.e30.forged' }));
    assert.equal((await reader.next()).problem?.code, 'invalid-input');
    await subscribeAndReceive(reader, 'd');
    reader.sendJson(subscribe('d'));
    assert.equal((await reader.next()).problem?.code, 'conflict');
    client.sendJson({ type: 'ping' });
    assert.deepEqual(await client.next(), { type: 'pong' });
  });

  it('is opened by a browser with a ticket, once', async () => {
    const response = await stage.all.gateway.call('/v1/streams/tickets', { method: 'POST' });
    assert.equal(response.status, 201);
    const { ticket } = (await response.json()) as { ticket: string };
    const opening = {
      protocols: ['septet.streams.v1', `septet.ticket.${ticket}`],
      headers: { origin: 'http://septet.test' },
    };
    const client = await openSocketClient(stage.all.url, opening);
    assert.equal(client.socket.protocol, 'septet.streams.v1');
    assert.deepEqual(await refusedSocket(stage.all.url, opening), [401, 'unauthenticated']);
  });

  it('is refused without a token, for a foreign page, without the subprotocol, elsewhere', async () => {
    const headers = stage.all.authorized();
    assert.deepEqual(await refusedSocket(stage.all.url), [401, 'unauthenticated']);
    assert.deepEqual(await refusedSocket(stage.all.url, { headers: { ...headers, origin: 'http://evil.test' } }), [
      403,
      'forbidden',
    ]);
    assert.deepEqual(await refusedSocket(stage.all.url, { headers, protocols: ['other'] }), [400, 'invalid-input']);
    assert.deepEqual(await refusedSocket(`${stage.all.url}/none`, { headers }), [404, 'not-found']);
    assert.deepEqual(
      await refusedSocket(stage.all.url, { protocols: ['septet.streams.v1', 'septet.ticket.t1.e30.x'] }),
      [401, 'unauthenticated'],
    );
  });
});
