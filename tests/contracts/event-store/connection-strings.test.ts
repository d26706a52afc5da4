/** The schemes of EventStoreDB and of its successor, KurrentDB, for whatever is given EVENTSTORE_URL. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { openStreamPages } from '../../../infra/adapters/eventstore/read/stream-pages';
import { loadConfig, variables } from '../../../infra/server/runtime/config';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { runVerb } from '../eventstore-node/transfer/command-line';
import { appended, aStream, follow, idsIn, newEvents, read } from './store-calls';

describe('connection strings of the log', function () {
  this.timeout(60_000);
  const log = logOnNode('connection-strings');

  for (const scheme of ['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover'])
    describe(`${scheme}://`, () => {
      const urlOf = (): string => log.node.url.replace(/^[^:]+/, scheme);

      it('is taken by the configuration', () => {
        assert.ok(isRight(loadConfig({ EVENTSTORE_URL: variables.EVENTSTORE_URL }, { EVENTSTORE_URL: urlOf() })));
      });

      it('is taken by processes, which append, read, page and follow', async () => {
        const store = openEventStore({ url: urlOf() });
        const pages = openStreamPages({ url: urlOf() });
        const [stream, events] = [aStream(), newEvents(2)];
        await appended(store, stream, 'no-stream', events);
        const ids = events.map(({ id }) => id);
        assert.deepEqual(
          (await read(store, stream)).map(({ id }) => id),
          ids,
        );
        const page = await pages.stream({ stream, direction: 'forwards', limit: 10, mostBytes: 1_000 });
        assert.ok(isRight(page) && page.right.events.length === 2);
        assert.deepEqual(idsIn(await follow(store, null, [stream], (signals) => idsIn(signals).length === 2)), ids);
        await Promise.all([store.close(), pages.close()]);
      });

      it('is taken by tools, which export and scavenge', async () => {
        const exported = await runVerb(['export', '--url', urlOf(), '--out', '-']);
        assert.equal(exported.code, 0, exported.errors);
        const scavenged = await runVerb(['scavenge', '--url', urlOf()]);
        assert.equal(scavenged.code, 0, scavenged.errors);
      });
    });
});
