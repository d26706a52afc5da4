/** An event store that does not answer: a read fails in time, and succeeds again afterwards. */
import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { openProxy, type ServerProxy } from '../../support/servers/proxy';

describe('a log that stands still', () => {
  const log = logOnNode('silent');
  let proxy: ServerProxy;
  before(async () => {
    proxy = await openProxy(log.node.url);
  });
  after(() => proxy.close());

  it('is unavailable to those who ask for a stream or the head, until it goes on', async () => {
    const store = openEventStore({ url: proxy.url, silenceMilliseconds: 3_000 });
    assert.ok(isRight(await store.head()));
    proxy.freeze();
    for (const result of await Promise.all([store.read('a'), store.head()]))
      assert.ok(isLeft(result) && result.left.code === 'event-store-unavailable');
    proxy.thaw();
    assert.ok(isRight(await store.read('a')));
    assert.ok(isRight(await store.head()));
    await store.close();
  });
});
