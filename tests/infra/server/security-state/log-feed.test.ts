import assert from 'node:assert/strict';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import type { EventStore } from '../../../../infra/ports/event-store';
import type { SecurityChange, SecuritySignal } from '../../../../infra/ports/identity/security-state';
import { pollEventLog } from '../../../../infra/server/security-state/event-log-feed';
import { revokingEvents } from '../../../../infra/server/security-state/event-mapping';
import { steadyPace } from '../../../../infra/server/security-state/poll-pace';
import { historyOf } from '../../../support/domain/event-history';
import { bump, type Line, now, record } from './recorded';

const lines = historyOf('identity').filter(({ type }) =>
  revokingEvents.types.some((prefix) => type.startsWith(prefix)),
);

const receivedSignals = async (
  store: EventStore,
  heartbeats: number,
  clock = now,
): Promise<readonly SecuritySignal[]> => {
  const signals: SecuritySignal[] = [];
  const stop = new AbortController();
  for await (const signal of pollEventLog(store, { pace: steadyPace(1), now: clock }).follow(stop.signal)) {
    signals.push(signal);
    if (signals.filter(({ kind }) => kind === 'heartbeat').length === heartbeats) stop.abort();
  }
  return signals;
};
const changesIn = (signals: readonly SecuritySignal[]) =>
  signals.filter((signal): signal is SecurityChange => signal.kind !== 'heartbeat');

describe('revocations from the log', () => {
  it('tells what every revoking event on record revokes', async () => {
    const store = openMemoryEventStore();
    for (const line of lines) await record(store, line);
    await record(store, { type: 'identity.PrincipalSuspended.v1', data: {} });
    const changes = changesIn(await receivedSignals(store, 1)).map(({ kind, tenantId, subject, minimum }) => [
      kind,
      tenantId,
      subject.slice(0, 8),
      minimum,
    ]);
    const floor = now() + 10_000;
    assert.deepEqual(changes.sort(), [
      ['client', 'acme', 'acme~5b1', floor],
      ['client', 'acme', 'acme~7d9', now()],
      ['epoch', 'acme', '0b0e6f3c', 2],
      ['epoch', 'acme', '0b0e6f3c', 3],
      ['epoch', 'acme', '0b0e6f3c', 4],
      ['family', 'acme', 'b2c3d4e5', 0],
      ['family', 'acme', 'b2c3d4e5', 0],
      ['grant', 'acme', 'a1b2c3d4', 0],
      ['grant', 'acme', 'a1b2c3d4', 0],
      ['jti', 'acme', 'f3c1a7de', 0],
      ['key', '', 'NzbLsXh8', 0],
      ['session', 'acme', '9f86d081', 0],
      ['tenantEpoch', 'acme', '', floor],
    ]);
  });

  it('tells the floor of everybody from that of a tenant called like the platform', async () => {
    const store = openMemoryEventStore();
    const line = lines.find(({ type }) => type.includes('TenantEpochBumped')) as Line;
    await record(store, line, { stream: 'identity.tenantSecurity-platform.epochs' });
    await record(store, line, { stream: 'identity.tenantSecurity-platform.everyone' });
    const changes = changesIn(await receivedSignals(store, 1)).map(({ kind, tenantId }) => [kind, tenantId]);
    assert.deepEqual(changes.sort(), [
      ['globalEpoch', ''],
      ['tenantEpoch', 'platform'],
    ]);
  });

  it('says up to where that is all, and later what is new, once', async () => {
    const store = openMemoryEventStore();
    await record(store, bump(2));
    const signals: SecuritySignal[] = [];
    const stop = new AbortController();
    for await (const signal of pollEventLog(store, { pace: steadyPace(1), now }).follow(stop.signal)) {
      signals.push(signal);
      if (signals.length === 2) await record(store, bump(3));
      if (signals.length === 4) stop.abort();
    }
    assert.deepEqual(
      signals.map((signal) => (signal.kind === 'heartbeat' ? signal.sequence : [signal.minimum, signal.sequence])),
      [[2, 128n], 128n, [3, 256n], 256n],
    );
  });
  it('says of an empty log that this is all', async () =>
    assert.deepEqual(await receivedSignals(openMemoryEventStore(), 1), [{ kind: 'heartbeat', sequence: null }]));

  it('reads no further back than a living token can reach, whatever the recording clocks said', async () => {
    const store = openMemoryEventStore();
    await record(store, bump(2), { at: '2026-01-31T06:00:00.000Z' });
    await record(store, bump(3), { at: '2026-01-31T09:00:00.000Z' });
    await record(store, bump(4), { at: '2026-01-31T10:30:00.000Z' });
    await record(store, bump(5));
    assert.deepEqual(
      changesIn(await receivedSignals(store, 1)).map(({ minimum }) => minimum),
      [5, 4],
    );
  });
  it('reads revoked keys however long ago that was', async () => {
    const store = openMemoryEventStore();
    const line = lines.find(({ type }) => type.includes('KeyRevoked')) as Line;
    await record(store, line, { stream: 'identity.signingKeys-platform.keys', at: '2020-01-31T12:00:00.000Z' });
    await record(store, bump(2), { at: '2026-01-01T00:00:00.000Z' });
    assert.deepEqual(
      changesIn(await receivedSignals(store, 1)).map(({ kind }) => kind),
      ['key'],
    );
  });
  it('does not pass over one that it cannot read', async () => {
    const store = openMemoryEventStore();
    await record(store, { type: 'identity.TokenDenied.v9', data: {} });
    await assert.rejects(receivedSignals(store, 1), /cannot be read/);
  });
});
