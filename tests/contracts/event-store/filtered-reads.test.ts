/** Reads of the whole log through filters: the same from memory and over the client, where the server filters. */
import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer } from 'node:net';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import type { EventStore, ReadAll } from '../../../infra/ports/event-store';
import { logOnNodeProcess } from '../../support/servers/event-store-fixture';
import { appended, aStream, collect, newEvent } from './store-calls';

const selected = 'contract.Kept.v1';
const dropped = 'contract.Dropped.v1';

const filteredReads = (open: () => EventStore): void => {
  const [one, other] = [aStream(), aStream()] as const;
  let store: EventStore;

  /** Three of one stream and three of the other, in turn; every second type is kept. */
  before(async () => {
    store = open();
    for (let index = 0; index < 6; index += 1)
      await appended(store, index < 3 ? one : other, 'any', [newEvent(index, index % 2 === 0 ? selected : dropped)]);
  });

  const indexes = async (request: Omit<ReadAll, 'after'> & { readonly after?: bigint | null }) =>
    (await collect(store.readAll({ after: null, ...request }))).map(({ data }) => (data as { index: number }).index);

  it('takes both kinds of prefixes at once', async () => {
    assert.deepEqual(await indexes({ filter: { streams: [one, other], types: [selected] } }), [0, 2, 4]);
    assert.deepEqual(await indexes({ filter: { streams: [other], types: [dropped] } }), [3, 5]);
    assert.deepEqual(await indexes({ filter: { streams: [one], types: ['contract.Nothing'] } }), []);
    assert.deepEqual(await indexes({ filter: { streams: [] } }), []);
  });

  it('counts what both let through, and goes on until it has so many', async () => {
    const filter = { streams: [one, other], types: [dropped] };
    assert.deepEqual(await indexes({ filter, limit: 3 }), [1, 3, 5]);
    assert.deepEqual(await indexes({ filter, limit: 2 }), [1, 3]);
    assert.deepEqual(await indexes({ filter, limit: 2, direction: 'backwards' }), [5, 3]);
    assert.deepEqual(await indexes({ filter, limit: 0 }), []);
  });

  it('begins after a position both ways, whether or not it would match', async () => {
    const [first, , third] = await collect(store.readAll({ after: null, filter: { streams: [one] } }));
    const filter = { streams: [one, other], types: [selected] };
    assert.deepEqual(await indexes({ filter, after: first?.position ?? null }), [2, 4]);
    assert.deepEqual(await indexes({ filter, after: third?.position ?? null, direction: 'backwards' }), [0]);
  });

  /** A connection carries a hundred calls at once. */
  it('can be left early as often as one likes', async () => {
    for (let time = 0; time < 120; time += 1)
      for await (const _ of store.readAll({ after: null, filter: { streams: [one, other] } })) break;
    assert.deepEqual(await indexes({ filter: { streams: [one] } }), [0, 1, 2]);
  });
};

describe('filtered reads of the log in memory', () => {
  const store = openMemoryEventStore();
  filteredReads(() => store);
});

/** Counts what the server sends. */
const countingRelay = async (port: number) => {
  let bytes = 0;
  const server = createServer((socket) => {
    const upstream = connect(port, '127.0.0.1');
    for (const side of [socket, upstream]) side.on('error', () => side.destroy());
    upstream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    socket.pipe(upstream).pipe(socket);
    socket.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return { url: `esdb://127.0.0.1:${own}?tls=false`, bytes: () => bytes, close: () => server.close() };
};

describe('filtered reads of the log over the client', () => {
  const log = logOnNodeProcess('event-store-filtered');
  filteredReads(() => log.store);

  it('are filtered by the server: nothing else comes over the wire', async () => {
    const [wanted, rest] = [aStream(), aStream()];
    const big = (index: number) => ({ ...newEvent(index), data: { index, padding: 'x'.repeat(2_000) } });
    for (let batch = 0; batch < 10; batch += 1)
      await appended(
        log.store,
        rest,
        'any',
        Array.from({ length: 100 }, (_, index) => big(index)),
      );
    await appended(log.store, wanted, 'any', [newEvent(7)]);
    const relay = await countingRelay(log.node.port);
    const store = openEventStore({ url: relay.url });
    const found = await collect(store.readAll({ after: null, filter: { streams: [wanted] } }));
    assert.equal(found.length, 1);
    assert.ok(relay.bytes() < 100_000, `${relay.bytes()} bytes for one event`);
    await store.close();
    relay.close();
  });

  it('throw when the server goes away on the way', async () => {
    const stream = aStream();
    for (let batch = 0; batch < 20; batch += 1)
      await appended(
        log.store,
        stream,
        'any',
        Array.from({ length: 500 }, (_, index) => newEvent(index)),
      );
    let seen = 0;
    await assert.rejects(async () => {
      for await (const _ of log.store.readAll({ after: null, filter: { streams: [stream] } })) {
        seen += 1;
        if (seen === 1) await log.node.kill();
      }
    });
    assert.ok(seen < 10_000);
  });
});
