import assert from 'node:assert/strict';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import type { EventStore } from '../../../../infra/ports/event-store';
import { deferred } from '../../../support/waiting/deferred';
import { createFollower, openNumberedLog } from './numbered-log';

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
    const { append, hub, close } = openNumberedLog(counting);
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
    const { append, live, close } = openNumberedLog(breaking);
    const reader = createFollower(await live(), 'acme');
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
    const { append, live, close } = openNumberedLog({
      ...store,
      subscribeAll: async function* (request) {
        await gate.promise;
        yield* store.subscribeAll(request);
      },
    });
    await append('acme');
    const hub = await live();
    await append('acme');
    const reader = createFollower(hub, 'acme', -1n);
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
    const { append, live, close } = openNumberedLog({
      ...store,
      readAll: () => {
        throw new Error('no such position');
      },
    });
    await append('acme');
    const { done, value } = await createFollower(await live(), 'acme', -1n).events.next();
    assert.ok(done === true && value?.code === 'event-store-unavailable');
    close();
  });
});
