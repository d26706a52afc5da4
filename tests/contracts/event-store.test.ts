/** The event store contract on the twin and on a real server: `EVENTSTORE_URL`, or the embedded node. */
import assert from 'node:assert/strict';
import { openEventStore } from '../../infra/eventstore/client';
import { openMemoryEventStore } from '../../infra/eventstore/memory';
import type { EventStore } from '../../infra/ports/event-store';
import { type NodeProcess, startEventStoreNode, temporaryDirectory } from '../support/event-store-node';
import { eventStoreContract } from './event-store';
import { appended, follow, idsIn, newEvents } from './event-store-calls';

describe('the event store in memory', () => {
  eventStoreContract(() => Promise.resolve(openMemoryEventStore()));
});

describe('the event store over the client', () => {
  const data = temporaryDirectory('event-store');
  let node: NodeProcess | undefined;

  eventStoreContract(async () => {
    const url = process.env.EVENTSTORE_URL;
    if (url !== undefined) return openEventStore({ url });
    node = await startEventStoreNode(data.path);
    return openEventStore({ url: node.url });
  });

  after(async () => {
    await node?.stop();
    data.remove();
  });
});

describe('a subscription when the server is killed and comes back', () => {
  const data = temporaryDirectory('event-store-restart');
  let node: NodeProcess;
  let store: EventStore;

  before(async () => {
    node = await startEventStoreNode(data.path);
    store = openEventStore({ url: node.url });
  });

  after(async () => {
    await store.close();
    await node.stop();
    data.remove();
  });

  it('delivers every event once and in order', async () => {
    const events = newEvents(30);
    const stream = 'contract.thing-acme.restarted';
    await appended(store, stream, 'any', events.slice(0, 10));
    let seen = 0;
    const following = follow(store, null, [stream], (signals) => {
      seen = idsIn(signals).length;
      return seen === 30;
    });
    while (seen < 10) await new Promise(setImmediate);
    await node.kill();
    const during = await store.append(stream, 9, events.slice(10, 20));
    assert.equal(during._tag, 'Left');
    node = await startEventStoreNode(data.path, node.port);
    for (;;) {
      const answer = await store.append(stream, 9, events.slice(10, 20));
      if (answer._tag === 'Right') break;
    }
    await appended(store, stream, 19, events.slice(20));
    assert.deepEqual(
      idsIn(await following),
      events.map(({ id }) => id),
    );
  });
});
