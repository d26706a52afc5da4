import assert from 'node:assert/strict';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { add, close } from './tally';
import { assertAccepted, assertRefusedAs, commandIds, handleTally, recorded, stream } from './tally-fixture';
import { openUnreliableStore } from './unreliable-event-store';

describe('handle on warm state', () => {
  it('does not read a stream that it knows', async () => {
    const deps = { store: openUnreliableStore(), warm: createExclusiveAggregates() };
    await handleTally(deps, 'c-1', { command: add(1) });
    assert.equal(assertAccepted(await handleTally(deps, 'c-2', { command: add(1) })).revision, 1);
    assert.equal(deps.store.reads(), 1);
  });

  it('never answers a refusal, or that nothing is to do, from what it merely remembers', async () => {
    const deps = { store: openUnreliableStore(), warm: createExclusiveAggregates() };
    await handleTally(deps, 'c-1', { command: close });
    const before = deps.store.reads();
    assertRefusedAs('tally-closed', await handleTally(deps, 'c-2', { command: add(1) }));
    assertAccepted(await handleTally(deps, 'c-3', { command: close }));
    assert.equal(deps.store.reads(), before + 2);
  });

  it('sees what another process wrote before it answers', async () => {
    const deps = { store: openUnreliableStore(), warm: createExclusiveAggregates() };
    await handleTally(deps, 'c-1', { command: add(1) });
    await handleTally({ store: deps.store }, 'elsewhere', { command: close });
    assertRefusedAs('tally-closed', await handleTally(deps, 'c-2', { command: add(1) }));
    assert.equal(assertAccepted(await handleTally(deps, 'elsewhere', { command: close })).repeated, true);
    assertRefusedAs('revision-differs', await handleTally(deps, 'c-3', { command: add(1), ifMatch: 0 }));
  });

  it('accepts a revision that only the log knows', async () => {
    const deps = { store: openUnreliableStore(), warm: createExclusiveAggregates() };
    await handleTally(deps, 'c-1', { command: add(1) });
    await handleTally({ store: deps.store }, 'elsewhere', { command: add(1) });
    assert.equal(assertAccepted(await handleTally(deps, 'c-2', { command: add(1), ifMatch: 1 })).revision, 2);
  });

  it('does not count being out of date among the three tries', async () => {
    const store = openUnreliableStore();
    const deps = { store, warm: createExclusiveAggregates() };
    await handleTally(deps, 'c-1', { command: add(1) });
    await handleTally({ store }, 'elsewhere', { command: add(1) });
    const rival = (id: string) => () => handleTally({ store }, id, { command: add(1) });
    const pass = async () => undefined;
    store.meanwhile.push(pass, rival('a'), pass, rival('b'), pass, rival('c'), pass);
    assert.equal(assertAccepted(await handleTally(deps, 'c-2', { command: add(1) })).revision, 5);
  });

  it('starts over when the log was put back to an earlier day', async () => {
    const warm = createExclusiveAggregates();
    const before = openMemoryEventStore();
    for (const id of ['c-1', 'c-2', 'c-3']) await handleTally({ store: before, warm }, id, { command: add(1) });
    const restored = openMemoryEventStore();
    assert.equal(assertAccepted(await handleTally({ store: restored, warm }, 'c-4', { command: add(1) })).revision, 0);
    assert.deepEqual(commandIds(await recorded(restored)), ['c-4']);
  });

  it('lets commands of one process take turns', async () => {
    const deps = { store: openUnreliableStore(), warm: createExclusiveAggregates() };
    const ids = Array.from({ length: 50 }, (_, index) => `c-${index}`);
    const answers = await Promise.all(ids.map((id) => handleTally(deps, id, { command: add(1) })));
    assert.deepEqual(
      answers.map((answer) => assertAccepted(answer).revision),
      ids.map((_, index) => index),
    );
    assert.equal(deps.store.appends(), 50);
  });

  it('reads long streams each time', async () => {
    const deps = { store: openUnreliableStore(), warm: createExclusiveAggregates({ longest: 2 }) };
    for (const id of ['c-1', 'c-2', 'c-3', 'c-4']) await handleTally(deps, id, { command: add(1) });
    assert.equal(deps.store.reads(), 2);
    assert.equal((await recorded(deps.store)).length, 4);
  });

  it('does not keep what is not there', async () => {
    const warm = createExclusiveAggregates({ streams: 1 });
    const store = openUnreliableStore();
    await handleTally({ store, warm }, 'c-1', { command: add(1) });
    await handleTally({ store, warm }, 'c-2', { command: add(1), ifMatch: 'any', stream: `${stream}-unknown` });
    const before = store.reads();
    await handleTally({ store, warm }, 'c-3', { command: add(1) });
    assert.equal(store.reads(), before);
  });

  it('goes on after a command that failed', async () => {
    const deps = { store: openUnreliableStore(), warm: createExclusiveAggregates() };
    const outcomes = await Promise.allSettled([
      handleTally(deps, 'c-1', { command: add(Number.NaN) }),
      handleTally(deps, 'c-2', { command: add(1) }),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
  });
});

describe('handle of a fresh stream', () => {
  it('does not read it', async () => {
    const store = openUnreliableStore();
    assert.equal(assertAccepted(await handleTally({ store }, 'c-1', { command: add(1), fresh: true })).revision, 0);
    assert.equal(store.reads(), 0);
  });

  it('answers a command said again, also to a process that does not know it', async () => {
    const store = openUnreliableStore();
    const first = assertAccepted(
      await handleTally({ store }, 'c-1', { command: { type: 'AddMany', times: 2 }, fresh: true }),
    );
    const later = { now: () => '2026-02-01T12:00:00.000Z' as never };
    for (const deps of [{ store }, { store, clock: later }]) {
      const again = await handleTally(deps, 'c-1', { command: { type: 'AddMany', times: 2 }, fresh: true });
      assert.deepEqual([assertAccepted(again).revision, assertAccepted(again).position], [1, first.position]);
    }
    assert.equal((await recorded(store)).length, 2);
  });

  it('refuses another command under the same id', async () => {
    const store = openUnreliableStore();
    await handleTally({ store }, 'c-1', { command: add(1), fresh: true });
    const other = { command: add(1), fresh: true, fingerprint: 'another' };
    assertRefusedAs('idempotency-key-reused', await handleTally({ store }, 'c-1', other));
  });

  it('decides on what is there when it is not fresh after all', async () => {
    const store = openUnreliableStore();
    await handleTally({ store }, 'c-1', { command: close });
    assertRefusedAs('tally-closed', await handleTally({ store }, 'c-2', { command: add(1), fresh: true }));
  });
});
