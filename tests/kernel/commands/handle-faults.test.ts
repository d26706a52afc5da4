import assert from 'node:assert/strict';
import { add } from './tally';
import { assertAccepted, assertRefusedAs, commandIds, handleTally, recorded } from './tally-fixture';
import { openUnreliableStore } from './unreliable-event-store';

describe('handle when answers are lost', () => {
  it('finds its own event and writes it once', async () => {
    const store = openUnreliableStore();
    store.mishaps.push('lost');
    assert.equal(assertAccepted(await handleTally({ store }, 'c-1', { command: add(1) })).revision, 0);
    assert.deepEqual(commandIds(await recorded(store)), ['c-1']);
    assert.equal(store.appends(), 1);
  });

  it('appends again only after it has seen that nothing is there', async () => {
    const store = openUnreliableStore();
    store.mishaps.push('dropped');
    assert.equal(assertAccepted(await handleTally({ store }, 'c-1', { command: add(1) })).revision, 0);
    assert.deepEqual([store.appends(), store.reads()], [2, 2]);
  });

  it('says that it does not know when it cannot look', async () => {
    const store = openUnreliableStore();
    store.mishaps.push('lost');
    store.meanwhile.push(async () => {
      store.readsFail.now = true;
    });
    assertRefusedAs('event-store-ambiguous', await handleTally({ store }, 'c-1', { command: add(1) }));
    store.readsFail.now = false;
    assert.equal(assertAccepted(await handleTally({ store }, 'c-1', { command: add(1) })).repeated, true);
    assert.deepEqual(commandIds(await recorded(store)), ['c-1']);
  });

  it('says that it does not know after the fourth', async () => {
    const store = openUnreliableStore();
    store.mishaps.push('dropped', 'dropped', 'dropped', 'dropped');
    assertRefusedAs('event-store-ambiguous', await handleTally({ store }, 'c-1', { command: add(1) }));
    assert.equal(store.appends(), 4);
  });

  it('says that it does not know when the store goes away after an answer was lost', async () => {
    const store = openUnreliableStore();
    store.mishaps.push('dropped', 'away');
    assertRefusedAs('event-store-ambiguous', await handleTally({ store }, 'c-1', { command: add(1) }));
  });

  it('writes nothing twice when a dropped append arrives late after all', async () => {
    const store = openUnreliableStore();
    store.mishaps.push('dropped');
    // The late one arrives while the second try is on its way.
    store.meanwhile.push(
      async () => undefined,
      () => handleTally({ store }, 'c-1', { command: add(1) }),
    );
    assert.equal(assertAccepted(await handleTally({ store }, 'c-1', { command: add(1) })).revision, 0);
    assert.deepEqual(commandIds(await recorded(store)), ['c-1']);
  });
});

describe('handle when the store is away', () => {
  it('says so at once', async () => {
    const store = openUnreliableStore();
    store.mishaps.push('away');
    assertRefusedAs('event-store-unavailable', await handleTally({ store }, 'c-1', { command: add(1) }));
    store.readsFail.now = true;
    assertRefusedAs('event-store-unavailable', await handleTally({ store }, 'c-1', { command: add(1) }));
    assert.deepEqual([store.appends(), store.reads()], [1, 2]);
  });
});
