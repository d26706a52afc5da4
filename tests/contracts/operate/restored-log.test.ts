/** A restored log's effect on earlier tokens, as gateways read it from a node that starts on it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { recordTokenNotBefore } from '../../../infra/operate/backup/parts/token-not-before';
import { pollEventLog } from '../../../infra/server/security-state/event-log-feed';
import { createSecurityState } from '../../../packages/resource-server/src/revocation/security-state';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { startNodeHere } from '../../support/servers/event-store-node';

const bump = (to: number) => ({
  id: randomUUID(),
  type: 'identity.SecurityEpochBumped.v1',
  data: { principalId: 'p-1', from: to - 1, to, reason: 'test' },
  metadata: {
    $correlationId: 'c',
    $causationId: 'c',
    commandId: 'c',
    commandHash: 'h',
    tenant: 'acme',
    actor: 'system:test',
    at: new Date().toISOString(),
  },
});

const securityStateAt = async (url: string) => {
  const store = openEventStore({ url });
  const state = createSecurityState();
  const stop = new AbortController();
  for await (const signal of pollEventLog(store).follow(stop.signal)) {
    state.apply(signal);
    if (signal.kind === 'heartbeat') stop.abort();
  }
  await store.close();
  return state;
};

describe('a restored log', () => {
  const { path, remove } = temporaryDirectory('restore-floor');
  after(remove);
  const restoredAt = new Date().toISOString() as Instant;
  const second = Date.parse(restoredAt) / 1000;
  const claims = { tenant_id: 'acme', sub: 'p-1', jti: 'j-1', security_epoch: 3 };

  it('lowers no epoch: nothing issued before it was restored counts any longer, whatever was lost', async () => {
    const before = await startNodeHere(path);
    const store = openEventStore({ url: before.url });
    assert.ok(isRight(await store.append('identity.principal-acme.p-1', 'any', [bump(2)])));
    await store.close();
    await before.stop();
    await recordTokenNotBefore({ kind: 'directory', path }, restoredAt);
    const node = await startNodeHere(path);
    const state = await securityStateAt(node.url);
    // Of an epoch that came after the backup: by the log alone it would be let in.
    assert.equal(state.refusal({ ...claims, iat: Math.floor(second) - 1 }, 'k'), 'revoked');
    assert.equal(state.refusal({ ...claims, iat: Math.ceil(second) }, 'k'), undefined);
    await node.stop();
  });

  it('says so to an event store elsewhere, too', async () => {
    const elsewhere = temporaryDirectory('restore-floor-server');
    const node = await startNodeHere(elsewhere.path);
    await recordTokenNotBefore({ kind: 'server', url: node.url }, restoredAt);
    const state = await securityStateAt(node.url);
    assert.equal(state.refusal({ ...claims, tenant_id: 'other', iat: Math.floor(second) - 1 }, 'k'), 'revoked');
    await node.stop();
    elsewhere.remove();
  });
});
