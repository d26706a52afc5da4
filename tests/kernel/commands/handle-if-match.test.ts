import assert from 'node:assert/strict';
import { add } from './tally';
import { assertAccepted, assertRefusedAs, handleTally } from './tally-fixture';
import { openUnreliableStore } from './unreliable-event-store';

describe('handle with If-Match', () => {
  it('accepts the revision that the stream is at', async () => {
    const store = openUnreliableStore();
    await handleTally({ store }, 'c-1', { command: add(1) });
    assert.equal(assertAccepted(await handleTally({ store }, 'c-2', { command: add(1), ifMatch: 0 })).revision, 1);
  });

  it('refuses another revision, and a stream that is not there', async () => {
    const store = openUnreliableStore();
    assertRefusedAs('revision-differs', await handleTally({ store }, 'c-0', { command: add(1), ifMatch: 'any' }));
    await handleTally({ store }, 'c-1', { command: add(1) });
    assertRefusedAs('revision-differs', await handleTally({ store }, 'c-2', { command: add(1), ifMatch: 4 }));
    assert.equal(assertAccepted(await handleTally({ store }, 'c-3', { command: add(1), ifMatch: 'any' })).revision, 1);
  });

  it('does not try again when another was faster', async () => {
    const store = openUnreliableStore();
    await handleTally({ store }, 'c-1', { command: add(1) });
    store.meanwhile.push(() => handleTally({ store }, 'rival', { command: add(9) }));
    assertRefusedAs('revision-differs', await handleTally({ store }, 'c-2', { command: add(1), ifMatch: 0 }));
    assert.equal(store.appends(), 3);
  });

  it('answers a command said again, whatever became of the stream', async () => {
    const store = openUnreliableStore();
    await handleTally({ store }, 'c-0', { command: add(1) });
    await handleTally({ store }, 'c-1', { command: add(1), ifMatch: 0 });
    await handleTally({ store }, 'c-2', { command: add(1) });
    assert.equal(assertAccepted(await handleTally({ store }, 'c-1', { command: add(1), ifMatch: 0 })).revision, 1);
  });
});
