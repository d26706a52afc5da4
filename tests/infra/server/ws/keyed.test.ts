/** A stream that names the aggregate's id, and one that some may not follow. */
import assert from 'node:assert/strict';
import { text } from '../../../../domain/kernel/codec';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import type { EventStore, ReadAll } from '../../../../infra/ports/event-store';
import { problem } from '../../../../infra/server/http/problem';
import { readServerSentEvents } from '../../../identity/read-api/server-sent-events';
import { subscribe, subscribeAndReceive, useStreams } from './fixture';

/** Records the reads of the past. */
const recordedReads = (): { readonly store: EventStore; readonly reads: ReadAll[] } => {
  const reads: ReadAll[] = [];
  const store = openMemoryEventStore();
  const readAll: EventStore['readAll'] = (request) => {
    reads.push(request);
    return store.readAll(request);
  };
  return { store: { ...store, readAll }, reads };
};

describe('a stream with a key', () => {
  const { store, reads } = recordedReads();
  const filters = { thingId: text('ThingId', { maxLength: 20 }), kind: text('Kind', { maxLength: 20 }) };
  const { stage, open } = useStreams({ store, capacity: 1, declared: { filters, key: 'thingId' } });
  const append = (thingId: string) => stage.all.service.append('acme', { thingId });

  const past = () => reads.filter(({ limit }) => limit !== undefined).map(({ filter }) => filter?.streams);

  it('reads the past of that one only, on either transport, and tells of no other', async () => {
    const before = await open();
    await subscribeAndReceive(before);
    for (let count = 0; count < 4; count += 1) await append(String((count + 1) % 3));
    const { id } = await before.next();
    for (let count = 0; count < 3; count += 1) await before.next();
    reads.length = 0;
    const client = await open();
    const first = await subscribeAndReceive(client, 'one', { after: id, filter: { thingId: '1' } });
    assert.deepEqual([first.event, first.data?.thingId, first.data?.number], ['Thing', '1', 4]);
    const path = `/v1/things/stream?after=${encodeURIComponent(id ?? '')}&thingId=1`;
    const next = readServerSentEvents(await stage.all.gateway.call(path));
    assert.equal(JSON.parse((await next())?.data ?? '').number, 4);
    assert.ok(past().length > 0);
    for (const streams of past()) assert.deepEqual(streams, ['test.thing-acme.1']);
  });

  it('reads the past of all without it', async () => {
    const client = await open();
    const { id } = await subscribeAndReceive(client);
    for (let count = 0; count < 3; count += 1) await append('2');
    reads.length = 0;
    const again = await open();
    assert.equal((await subscribeAndReceive(again, 'b', { after: id, filter: { kind: 'none' } })).type, 'ready');
    for (const streams of past()) assert.deepEqual(streams, ['test.thing-acme.']);
  });
});

describe('a stream that some may not follow', () => {
  const seen: (readonly [principalId: string, kind: unknown])[] = [];
  const { stage, open } = useStreams({
    declared: {
      refuse: async ({ principalId }, { kind }) => {
        seen.push([principalId, kind]);
        return kind === 'secret' ? problem('forbidden', 'These are for others.') : undefined;
      },
    },
  });
  beforeEach(() => {
    seen.length = 0;
  });

  it('authorizes each subscription, and refuses with the reason', async () => {
    const client = await open();
    client.sendJson(subscribe('a', { filter: { kind: 'secret' } }));
    const { type, subscription, problem: why } = await client.next();
    assert.deepEqual([type, subscription, why?.code], ['refused', 'a', 'forbidden']);
    assert.equal((await subscribeAndReceive(client, 'a', { filter: { kind: 'plain' } })).type, 'ready');
    const answer = await stage.all.gateway.call('/v1/things/stream?kind=secret');
    assert.equal(answer.status, 403);
    assert.match(await answer.text(), /These are for others/);
    assert.deepEqual(seen, [
      ['p-1', 'secret'],
      ['p-1', 'plain'],
      ['p-1', 'secret'],
    ]);
  });

  it('leaves the place free that a refused one would have taken', async () => {
    for (let time = 0; time < 5; time += 1)
      assert.equal((await stage.all.gateway.call('/v1/things/stream?kind=secret')).status, 403);
    const next = readServerSentEvents(await stage.all.gateway.call('/v1/things/stream'));
    assert.equal((await next())?.event, 'ready');
  });
});
