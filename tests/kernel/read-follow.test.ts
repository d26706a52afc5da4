import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openMemoryEventStore } from '../../infra/eventstore/memory';
import type { ServerSentEvent } from '../../infra/http/route';
import type { EventStore } from '../../infra/ports/event-store';
import { follow } from '../../read-api/kernel/follow';
import type { Live } from '../../read-api/kernel/hub';
import { deferred } from '../support/deferred';
import { openLog, turnsOfLoop } from './read-log';

const tenants = ['acme', 'acme-2', 'other'];

interface Reader {
  readonly tenantId: string;
  readonly after: bigint;
  /** Turns of the event loop between one event and the next. */
  readonly slowness: number;
}

const thingsUntilEnd = async (live: Live, { tenantId, after, slowness }: Reader): Promise<readonly bigint[]> => {
  const seen: bigint[] = [];
  for await (const { event, id } of follow(live, { tenantId, after, signal: new AbortController().signal })) {
    if (event === 'End') return seen;
    if (event === 'Thing') seen.push(BigInt(id as string));
    await turnsOfLoop(slowness);
  }
  throw new Error('the stream ended by itself');
};

const taking = (live: Live, tenantId: string, after = live.last()) => {
  const leaving = new AbortController();
  const events = follow(live, { tenantId, after, signal: leaving.signal });
  return { events, next: async () => (await events.next()).value as ServerSentEvent, leave: () => leaving.abort() };
};

const anyEvent = fc.record({
  owner: fc.constantFrom(...tenants),
  type: fc.constantFrom('test.Thing.v1', 'test.Thing.v1', 'test.Hidden.v1', 'test.Broken.v1'),
  pause: fc.nat(3),
});
const anyRun = fc.record({
  before: fc.array(anyEvent, { maxLength: 40 }),
  during: fc.array(anyEvent, { maxLength: 40 }),
  readers: fc.array(fc.record({ owner: fc.constantFrom(...tenants), from: fc.nat(), slowness: fc.nat(6) }), {
    minLength: 1,
    maxLength: 5,
  }),
  capacity: fc.integer({ min: 1, max: 6 }),
  pageSize: fc.integer({ min: 1, max: 4 }),
});
type Run = typeof anyRun extends fc.Arbitrary<infer A> ? A : never;

const everyReaderSeesTheLog = async ({ before, during, readers, ...options }: Run): Promise<void> => {
  const things = openLog();
  const shown: { readonly position: bigint; readonly owner: string }[] = [];
  const put = async ({ owner, type }: { readonly owner: string; readonly type: string }): Promise<void> => {
    const position = await things.append(owner, type);
    if (type === 'test.Thing.v1') shown.push({ position, owner });
  };
  for (const event of before) await put(event);
  const live = await things.live(options);
  const begins = [-1n, ...shown.map(({ position }) => position)];
  const reading = readers.map(({ owner, from, slowness }) => {
    const after = begins[from % begins.length] as bigint;
    return { owner, after, seen: thingsUntilEnd(live, { tenantId: owner, after, slowness }) };
  });
  for (const event of during) {
    await put(event);
    await turnsOfLoop(event.pause);
  }
  for (const owner of tenants) await put({ owner, type: 'test.End.v1' });
  for (const { owner, after, seen } of reading) {
    const own = shown.filter((event) => event.owner === owner && event.position > after);
    assert.deepEqual(
      await seen,
      own.map(({ position }) => position),
    );
  }
  things.close();
};

describe('following the log', () => {
  it('gives each reader exactly the log of its tenant, from any position, however slow', () =>
    fc.assert(fc.asyncProperty(anyRun, everyReaderSeesTheLog))).timeout(60_000);

  it('begins with what is recorded from now on', async () => {
    const { append, live, close } = openLog();
    await append('acme');
    const reader = taking(await live(), 'acme');
    const ready = await reader.next();
    assert.deepEqual(ready, { id: '128', event: 'ready', data: '{"position":"128"}' });
    await append('acme');
    assert.deepEqual(await reader.next(), { id: '256', event: 'Thing', data: '{"number":2}' });
    close();
  });

  it('is ready without an id while the log is empty', async () => {
    const { live, close } = openLog();
    assert.deepEqual(await taking(await live(), 'acme').next(), { event: 'ready', data: '{"position":null}' });
    close();
  });

  it('is ready only when everything before was sent', async () => {
    const { append, live, close } = openLog();
    for (let count = 0; count < 5; count += 1) await append('acme');
    const reader = taking(await live({ pageSize: 2 }), 'acme', 128n);
    const names = [];
    for (let count = 0; count < 5; count += 1) names.push((await reader.next()).event);
    assert.deepEqual(names, ['Thing', 'Thing', 'Thing', 'Thing', 'ready']);
    close();
  });

  it('moves a quiet client forward while others are busy', async () => {
    const { append, live, close } = openLog();
    const reader = taking(await live(), 'quiet');
    assert.equal((await reader.next()).event, 'ready');
    const waiting = reader.next();
    let last = 0n;
    for (let count = 0; count < 600; count += 1) last = await append('busy');
    const { event, id } = await waiting;
    assert.equal(event, 'checkpoint');
    assert.ok(BigInt(id as string) <= last && BigInt(id as string) >= 500n * 128n);
    close();
  });

  it('ends when the client leaves, also while it waits', async () => {
    const { live, close } = openLog();
    const reader = taking(await live(), 'acme');
    await reader.next();
    const waiting = reader.events.next();
    reader.leave();
    assert.deepEqual(await waiting, { done: true, value: undefined });
    close();
  });

  it('leaves out an event that cannot be shown, and says so in the log', async () => {
    const { append, live, log, close } = openLog();
    const reader = taking(await live(), 'acme');
    await reader.next();
    await append('acme', 'test.Broken.v1');
    await append('acme');
    assert.equal((await reader.next()).data, '{"number":2}');
    assert.deepEqual(
      log.lines.map(({ level }) => level),
      ['error'],
    );
    close();
  });

  it('encodes an event once for all who follow', async () => {
    const { append, live, close } = openLog();
    const hub = await live();
    const readers = [taking(hub, 'acme'), taking(hub, 'acme')];
    for (const { next } of readers) await next();
    await append('acme');
    const [one, other] = await Promise.all(readers.map(({ next }) => next()));
    assert.equal(one, other);
    close();
  });
});

describe('a hub', () => {
  it('subscribes once, from where it was opened', async () => {
    const store = openMemoryEventStore();
    const subscribed: (bigint | null)[] = [];
    const counting: EventStore = {
      ...store,
      subscribeAll: (request) => {
        subscribed.push(request.after);
        return store.subscribeAll(request);
      },
    };
    const { append, hub, close } = openLog(counting);
    await append('acme');
    const one = hub();
    await Promise.all([one.live(), one.live(), one.live()]);
    assert.deepEqual(subscribed, [128n]);
    close();
  });

  it('takes a broken subscription up where it stood', async () => {
    const store = openMemoryEventStore();
    let breaks = 2;
    const breaking: EventStore = {
      ...store,
      subscribeAll: async function* (request) {
        for await (const received of store.subscribeAll(request)) {
          yield received;
          if (received.kind === 'event' && breaks > 0) {
            breaks -= 1;
            throw new Error('connection lost');
          }
        }
      },
    };
    const { append, live, close } = openLog(breaking);
    const reader = taking(await live(), 'acme');
    await reader.next();
    for (let count = 0; count < 4; count += 1) await append('acme');
    const seen = [];
    for (let count = 0; count < 4; count += 1) seen.push((await reader.next()).data);
    assert.deepEqual(
      seen,
      [1, 2, 3, 4].map((number) => `{"number":${number}}`),
    );
    close();
  });

  it('is never ahead of a client that has read further than the subscription has come', async () => {
    const store = openMemoryEventStore();
    const gate = deferred();
    const { append, live, close } = openLog({
      ...store,
      subscribeAll: async function* (request) {
        await gate.promise;
        yield* store.subscribeAll(request);
      },
    });
    await append('acme');
    const hub = await live();
    await append('acme');
    const reader = taking(hub, 'acme', -1n);
    const names = [await reader.next(), await reader.next(), await reader.next()].map(({ event, id }) => [event, id]);
    assert.deepEqual(names, [
      ['Thing', '128'],
      ['Thing', '256'],
      ['ready', '256'],
    ]);
    const waiting = reader.next();
    gate.resolve();
    await append('acme');
    assert.equal((await waiting).id, '384');
    close();
  });

  it('answers a fault when older events cannot be read', async () => {
    const store = openMemoryEventStore();
    const { append, live, close } = openLog({
      ...store,
      readAll: () => {
        throw new Error('no such position');
      },
    });
    await append('acme');
    const { done, value } = await taking(await live(), 'acme', -1n).events.next();
    assert.ok(done === true && value?.code === 'event-store-unavailable');
    close();
  });
});
