/** The event store contract on the twin and on a real server: `EVENTSTORE_URL`, or the embedded node. */
import assert from 'node:assert/strict';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { logOnNodeProcess } from '../../support/servers/event-store-fixture';
import { type EventStoreNode, startEventStoreNode, startNodeHere } from '../../support/servers/event-store-node';
import { eventStoreContract } from './event-store-contract';
import { appended, follow, idsIn, newEvents } from './store-calls';

describe('the event store in memory', () => {
  eventStoreContract(() => Promise.resolve(openMemoryEventStore()));
});

describe('the event store over the client', () => {
  const data = temporaryDirectory('event-store');
  let node: EventStoreNode | undefined;

  eventStoreContract(async () => {
    const url = process.env.EVENTSTORE_URL;
    if (url !== undefined) return openEventStore({ url });
    node = await startNodeHere(data.path);
    return openEventStore({ url: node.url });
  });

  after(async () => {
    await node?.stop();
    data.remove();
  });
});

describe('a subscription when the server is killed and comes back', () => {
  const log = logOnNodeProcess('event-store-restart');

  it('delivers every event once and in order', async () => {
    const events = newEvents(30);
    const stream = 'contract.thing-acme.restarted';
    await appended(log.store, stream, 'any', events.slice(0, 10));
    let seen = 0;
    const following = follow(log.store, null, [stream], (signals) => {
      seen = idsIn(signals).length;
      return seen === 30;
    });
    while (seen < 10) await new Promise(setImmediate);
    await log.node.kill();
    const during = await log.store.append(stream, 9, events.slice(10, 20));
    assert.equal(during._tag, 'Left');
    log.node = await startEventStoreNode(log.node.data, log.node.port);
    for (;;) {
      const answer = await log.store.append(stream, 9, events.slice(10, 20));
      if (answer._tag === 'Right') break;
    }
    await appended(log.store, stream, 19, events.slice(20));
    assert.deepEqual(
      idsIn(await following),
      events.map(({ id }) => id),
    );
  });
});
