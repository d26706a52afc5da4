/** A log of several hosts of which none can be reached: the client looks for one that can, ten times and again with each call. */
import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { openStreamPages } from '../../../infra/adapters/eventstore/read/stream-pages';
import { freePort } from '../../../infra/operate/launch/free-port';
import { recordingLog } from '../../support/waiting/recording-log';
import { collect, newEvents } from './store-calls';

describe('a log whose hosts cannot be reached', () => {
  let url: string;
  before(async () => {
    url = `esdb://127.0.0.1:${await freePort()},localhost:${await freePort()},log.invalid:2113?tls=false`;
  });

  it('ends what is under way when the process drains, and closes', async () => {
    const draining = new AbortController();
    const { signal } = draining;
    const store = openEventStore({ url, log: recordingLog(), signal });
    const pages = openStreamPages({ url, signal });
    const following = collect(store.subscribeAll({ after: null, signal }));
    const page = { stream: 'a', direction: 'forwards', limit: 1, mostBytes: 1 } as const;
    const calls = [store.read('a'), store.head(), store.append('a', 'any', newEvents(1)), pages.stream(page)];
    draining.abort();
    for (const answer of await Promise.all(calls))
      assert.ok(isLeft(answer) && answer.left.kind === 'fault' && answer.left.code === 'event-store-unavailable');
    assert.deepEqual(await following, []);
    await Promise.all([store.close(), pages.close()]);
  });

  it('closes also where no call was made, and without a signal', async () => {
    await openEventStore({ url }).close();
    const store = openEventStore({ url });
    const reading = store.read('a');
    await store.close();
    assert.ok(isLeft(await reading));
  });

  it('is warned of once by all subscriptions of a process', async () => {
    const log = recordingLog();
    const ending = new AbortController();
    const store = openEventStore({ url: `${url}&maxDiscoverAttempts=1`, log });
    const failures = (): number => log.lines.filter(({ message }) => message.startsWith('subscription broke')).length;
    const following = [1, 2, 3].map(() => collect(store.subscribeAll({ after: null, signal: ending.signal })));
    while (failures() < 9) await new Promise(setImmediate);
    ending.abort();
    await Promise.all(following);
    await store.close();
    assert.equal(log.lines.filter(({ level }) => level === 'warn').length, 1);
  });
});
