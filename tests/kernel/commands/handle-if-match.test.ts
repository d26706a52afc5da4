import assert from 'node:assert/strict';
import { add } from './tally';
import { accepted, handled, refusedAs } from './tally-fixture';
import { openUnreliable } from './unreliable-event-store';

describe('handle with If-Match', () => {
  it('accepts the revision that the stream is at', async () => {
    const store = openUnreliable();
    await handled({ store }, 'c-1', { command: add(1) });
    assert.equal(accepted(await handled({ store }, 'c-2', { command: add(1), ifMatch: 0 })).revision, 1);
  });

  it('refuses another revision, and a stream that is not there', async () => {
    const store = openUnreliable();
    refusedAs('revision-differs', await handled({ store }, 'c-0', { command: add(1), ifMatch: 'any' }));
    await handled({ store }, 'c-1', { command: add(1) });
    refusedAs('revision-differs', await handled({ store }, 'c-2', { command: add(1), ifMatch: 4 }));
    assert.equal(accepted(await handled({ store }, 'c-3', { command: add(1), ifMatch: 'any' })).revision, 1);
  });

  it('does not try again when another was faster', async () => {
    const store = openUnreliable();
    await handled({ store }, 'c-1', { command: add(1) });
    store.meanwhile.push(() => handled({ store }, 'rival', { command: add(9) }));
    refusedAs('revision-differs', await handled({ store }, 'c-2', { command: add(1), ifMatch: 0 }));
    assert.equal(store.appends(), 3);
  });

  it('answers a command said again, whatever became of the stream', async () => {
    const store = openUnreliable();
    await handled({ store }, 'c-0', { command: add(1) });
    await handled({ store }, 'c-1', { command: add(1), ifMatch: 0 });
    await handled({ store }, 'c-2', { command: add(1) });
    assert.equal(accepted(await handled({ store }, 'c-1', { command: add(1), ifMatch: 0 })).revision, 1);
  });
});
