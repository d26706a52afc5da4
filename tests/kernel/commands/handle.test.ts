import assert from 'node:assert/strict';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { callerOf } from '../../../commands/kernel/handle-request';
import { EventMetadata } from '../../../domain/kernel/metadata';
import { add, added, close, type TallyCommand } from './tally';
import { assertAccepted, assertRefusedAs, commandIds, handleTally, noon, recorded, stream } from './tally-fixture';
import { openUnreliableStore } from './unreliable-event-store';

const rivalOf =
  (store: ReturnType<typeof openUnreliableStore>, commandId: string, command: TallyCommand = add(9)) =>
  () =>
    handleTally({ store }, commandId, { command });

const agent = {
  principalId: 'agent-1',
  authContext: ['delegated'],
  delegation: {
    delegationId: 'd-1',
    taskId: 'ticket-1',
    onBehalfOf: 'ada',
    onBehalfOfEpoch: 1,
    priorActors: [],
  },
};
const person = { principalId: 'ada', authenticatedAt: Date.parse(noon), methods: ['pwd', 'otp'] };

describe('handle', () => {
  it('records for whom an agent acts, and how a person signed in', async () => {
    const store = openUnreliableStore();
    assertAccepted(await handleTally({ store }, 'c-1', { command: add(1), actor: callerOf(agent) }));
    assertAccepted(await handleTally({ store }, 'c-2', { command: add(1), actor: callerOf(person) }));
    const [first, second] = (await recorded(store)).map(({ metadata }) => metadata as EventMetadata);
    assert.deepEqual(
      [first?.actor, first?.onBehalfOf, first?.delegationId, first?.taskId, first?.authContext, first?.methods],
      ['agent-1', 'ada', 'd-1', 'ticket-1', ['delegated'], undefined],
    );
    assert.deepEqual(
      [second?.actor, second?.onBehalfOf, second?.authenticatedAt, second?.methods],
      ['ada', undefined, noon, ['pwd', 'otp']],
    );
  });

  it('records events with actor, time and command id', async () => {
    const store = openUnreliableStore();
    const { revision, position, events, repeated } = assertAccepted(
      await handleTally({ store }, 'c-1', { command: add(2) }),
    );
    assert.deepEqual([revision, events, repeated], [0, [added(2)], false]);
    const [event] = await recorded(store);
    assert.ok(event);
    assert.deepEqual([event.type, event.data, event.position], ['sample.Added.v3', added(2).data, position]);
    assert.ok(EventMetadata.is(event.metadata));
    const { commandHash, ...rest } = event.metadata;
    assert.match(commandHash, /^[0-9a-f]{64}$/);
    assert.deepEqual(rest, {
      $correlationId: 'r-1',
      $causationId: 'c-1',
      commandId: 'c-1',
      tenant: 'acme',
      actor: 'p-1',
      at: noon,
    });
  });

  it('names the event that caused a command', async () => {
    const store = openUnreliableStore();
    await handleTally({ store }, 'c-1', { command: add(2), causationId: 'e-7' });
    const [event] = await recorded(store);
    assert.ok(EventMetadata.is(event?.metadata));
    assert.equal(event.metadata.$causationId, 'e-7');
  });

  it('answers what it does not decide', async () => {
    const store = openUnreliableStore();
    await handleTally({ store }, 'c-1', { command: close });
    assertRefusedAs('tally-closed', await handleTally({ store }, 'c-2', { command: add(1) }));
    const nothing = assertAccepted(await handleTally({ store }, 'c-3', { command: close }));
    assert.deepEqual([nothing.revision, nothing.events, nothing.repeated], [0, [], false]);
    assert.equal(store.appends(), 1);
  });

  for (const [name, warm] of [
    ['without warm state', undefined],
    ['on warm state', createExclusiveAggregates()],
  ] as const) {
    const context = { ...(warm === undefined ? {} : { warm }) };

    it(`answers a command said again as the first time, ${name}`, async () => {
      const store = openUnreliableStore();
      const deps = { store, ...context };
      const own = { stream: `${stream}-${name}` };
      const first = assertAccepted(await handleTally(deps, 'c-1', { command: { type: 'AddMany', times: 3 }, ...own }));
      await handleTally(deps, 'c-2', { command: add(1), ...own });
      const again = assertAccepted(await handleTally(deps, 'c-1', { command: { type: 'AddMany', times: 3 }, ...own }));
      assert.deepEqual([again.revision, again.position, again.repeated], [2, first.position, true]);
      assert.equal((await recorded(store, own.stream)).length, 4);
    });

    it(`refuses another command under the same id, ${name}`, async () => {
      const deps = { store: openUnreliableStore(), ...context };
      const own = { stream: `${stream}-other-${name}` };
      await handleTally(deps, 'c-1', { command: add(1), ...own });
      assertRefusedAs('idempotency-key-reused', await handleTally(deps, 'c-1', { command: add(2), ...own }));
    });
  }

  it('knows a retry by the request, not by what the server filled in', async () => {
    const store = openUnreliableStore();
    const request = { fingerprint: { b: 1, a: [2] } };
    await handleTally({ store }, 'c-1', { command: add(1), ...request });
    const again = await handleTally({ store }, 'c-1', { command: add(5), fingerprint: { a: [2], b: 1 } });
    assert.equal(assertAccepted(again).repeated, true);
  });

  it('makes one effect of one command that arrives many times at once', async () => {
    const store = openUnreliableStore();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => handleTally({ store }, 'c-1', { command: add(1) })),
    );
    assert.deepEqual(new Set(answers.map((answer) => assertAccepted(answer).revision)), new Set([0]));
    assert.equal((await recorded(store)).length, 1);
  });

  it('decides again when another was faster', async () => {
    const store = openUnreliableStore();
    store.meanwhile.push(rivalOf(store, 'rival', close));
    assertRefusedAs('tally-closed', await handleTally({ store }, 'c-1', { command: add(1) }));
    assert.deepEqual(commandIds(await recorded(store)), ['rival']);
  });

  it('gives up after three times more', async () => {
    const store = openUnreliableStore();
    // Each rival's own append takes the next entry, which lets it pass.
    for (const index of [0, 1, 2, 3]) store.meanwhile.push(rivalOf(store, `rival-${index}`), async () => undefined);
    assertRefusedAs('conflict', await handleTally({ store }, 'c-1', { command: add(1) }));
    assert.deepEqual(commandIds(await recorded(store)), ['rival-0', 'rival-1', 'rival-2', 'rival-3']);
  });

  it('refuses more than a hundred events, and more than 512 KB', async () => {
    const store = openUnreliableStore();
    assertRefusedAs('event-refused', await handleTally({ store }, 'c-1', { command: { type: 'AddMany', times: 101 } }));
    const long = { type: 'Close', why: 'x'.repeat(524_288) } as const;
    assertRefusedAs('event-refused', await handleTally({ store }, 'c-2', { command: long }));
    assert.equal(store.appends(), 0);
    assert.equal(
      assertAccepted(await handleTally({ store }, 'c-3', { command: { type: 'AddMany', times: 100 } })).revision,
      99,
    );
  });

  it('never writes what it could not read back', async () => {
    const store = openUnreliableStore();
    await assert.rejects(handleTally({ store }, 'c-1', { command: add(Number.NaN) }), /cannot be read back/);
    assert.equal(store.appends(), 0);
  });

  it('stops at a fact that it cannot read, and says where without saying what', async () => {
    const store = openUnreliableStore();
    const event = { id: crypto.randomUUID(), type: 'sample.Added.v3', data: { amount: 'hunter2' }, metadata: {} };
    await store.append(stream, 'no-stream', [event]);
    await assert.rejects(handleTally({ store }, 'c-1', { command: add(1) }), (error: Error) => {
      assert.match(error.message, /sample\.tally-acme\.t-1 cannot be decoded at revision 0 \(sample\.Added\.v3\)/);
      return !error.message.includes('hunter2');
    });
  });
});
