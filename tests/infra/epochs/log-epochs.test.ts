import assert from 'node:assert/strict';
import { logEpochs } from '../../../infra/epochs/log-epochs';
import { openMemoryEventStore } from '../../../infra/eventstore/memory';
import type { EpochSignal } from '../../../infra/ports/epochs';
import type { EventStore } from '../../../infra/ports/event-store';

const at = '2026-01-31T12:00:00.000Z';
const recordBump = (store: EventStore, tenant: string, to: number) =>
  store.append(`identity.principal-${tenant}.p-1`, 'any', [
    {
      id: `${tenant}-${to}`,
      type: 'identity.SecurityEpochBumped.v1',
      data: { principalId: 'p-1', from: to - 1, to, reason: 'test' },
      metadata: {
        $correlationId: 'c',
        $causationId: 'c',
        commandId: 'c',
        commandHash: 'h',
        tenant,
        actor: 'system:test',
        at,
      },
    },
  ]);

describe('epochs from the log', () => {
  const heard = async (
    store: EventStore,
    until: number,
    now = () => Date.parse(at),
  ): Promise<readonly EpochSignal[]> => {
    const signals: EpochSignal[] = [];
    const stop = new AbortController();
    for await (const signal of logEpochs(store, { everyMilliseconds: 1, now }).follow(stop.signal)) {
      signals.push(signal);
      if (signals.filter(({ kind }) => kind === 'heartbeat').length === until) stop.abort();
    }
    return signals;
  };
  const told = { kind: 'bump', principalId: 'p-1', at: Date.parse(at) };

  it('tells what is recorded, then that this is all, and later what is new, once', async () => {
    const store = openMemoryEventStore();
    await recordBump(store, 'acme', 2);
    await store.append('identity.principal-acme.p-2', 'any', [
      { id: 'x', type: 'identity.PrincipalSuspended.v1', data: {}, metadata: {} },
    ]);
    const signals: EpochSignal[] = [];
    const stop = new AbortController();
    const options = { everyMilliseconds: 1, now: () => Date.parse(at) };
    for await (const signal of logEpochs(store, options).follow(stop.signal)) {
      signals.push(signal);
      if (signals.length === 2) await recordBump(store, 'other', 3);
      if (signals.length === 4) stop.abort();
    }
    assert.deepEqual(signals, [
      { ...told, tenantId: 'acme', securityEpoch: 2 },
      { kind: 'heartbeat' },
      { ...told, tenantId: 'other', securityEpoch: 3 },
      { kind: 'heartbeat' },
    ]);
  });
  it('says of an empty log that this is all', async () =>
    assert.deepEqual(await heard(openMemoryEventStore(), 2), [{ kind: 'heartbeat' }, { kind: 'heartbeat' }]));
  it('reads no further back than a living token can reach', async () => {
    const store = openMemoryEventStore();
    await recordBump(store, 'acme', 2);
    assert.deepEqual(await heard(store, 1, () => Date.parse(at) + 4_201_000), [{ kind: 'heartbeat' }]);
    assert.equal((await heard(store, 1, () => Date.parse(at) + 4_199_000)).length, 2);
  });
  it('does not pass over a bump that it cannot read', async () => {
    const store = openMemoryEventStore();
    await store.append('identity.principal-acme.p-1', 'any', [
      { id: 'x', type: 'identity.SecurityEpochBumped.v9', data: {}, metadata: {} },
    ]);
    await assert.rejects(heard(store, 1), /cannot be read/);
  });
});
