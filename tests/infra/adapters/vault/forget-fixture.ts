/** Forgetting over twins: a log, a vault that can be broken, and the route. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { isRight, left } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../../commands/kernel/exclusive-aggregates';
import { privacyRoutes } from '../../../../commands/privacy/context';
import type { Instant } from '../../../../domain/kernel/codec';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import { openEncryptingStore } from '../../../../infra/adapters/vault/encrypting-store';
import { unavailable } from '../../../../infra/adapters/vault/faults';
import { memoryKeyTable, memoryWrapping } from '../../../../infra/adapters/vault/memory-vault';
import { openVault } from '../../../../infra/adapters/vault/subject-keys';
import type { EventStore, StoredEvent } from '../../../../infra/ports/event-store';
import type { KeyTable, Vault } from '../../../../infra/ports/vault';
import type { Identity } from '../../../../infra/server/http/routing/route';
import { sampleIdentity, startHttpService } from '../../../support/http/http-service';

export const officer: Identity = { ...sampleIdentity, scopes: ['privacy:write'] };
export const forgetRequest = { subject: 'm-1', reason: 'asked-for' };

interface Stage {
  /** `erasing`: what is recorded is not done. */
  broken: 'nothing' | 'everything' | 'erasing';
  log: EventStore;
  vault: Vault;
  store: EventStore;
  service: Awaited<ReturnType<typeof startHttpService>>;
}

const fieldsOf = (value: unknown): Record<string, unknown> => (value ?? {}) as Record<string, unknown>;
export const dataOf = (event: StoredEvent | undefined) => fieldsOf(event?.data);
export const metadataOf = (event: StoredEvent | undefined) => fieldsOf(event?.metadata);

/** Registers its hooks with the describe that calls it. */
export const useForgetting = () => {
  const stage = {} as Stage;
  const openBroken = (table: KeyTable): KeyTable => ({
    ...table,
    erase: async (ids) => (stage.broken === 'erasing' ? left(unavailable('Away.')) : table.erase(ids)),
  });
  beforeEach(async () => {
    const table = openBroken(memoryKeyTable(() => stage.broken === 'everything'));
    const log = openMemoryEventStore();
    const vault = openVault({ table, wrapping: memoryWrapping() });
    const store = openEncryptingStore(log, vault);
    const clock = { now: () => '2026-01-31T12:00:00.000Z' as Instant };
    const random = { uuid: randomUUID, token: (bytes: number) => randomBytes(bytes).toString('base64url') };
    const service = await startHttpService(
      privacyRoutes({
        store,
        vault,
        warm: createExclusiveAggregates(),
        commandMetrics: noCommandMetrics,
        clock,
        random,
      }),
    );
    Object.assign(stage, { broken: 'nothing', log, vault, store, service });
  });
  afterEach(async () => {
    await stage.service.close();
    await stage.vault.close();
  });
  const forget = (body: object, key: string = randomUUID(), identity = officer): Promise<Response> =>
    stage.service.call('/v1/privacy/forget', {
      method: 'POST',
      identity,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
  const read = async (store: EventStore, stream: string): Promise<readonly StoredEvent[]> => {
    const events = await store.read(stream);
    assert.ok(isRight(events));
    return events.right;
  };
  const nameIn = async (stream: string): Promise<unknown> => dataOf((await read(stage.store, stream))[0]).name;
  const keysOf = async (subject: string): Promise<readonly string[]> => {
    const keys = await stage.vault.keysOf(stage.vault.subjectOf('acme', subject));
    assert.ok(isRight(keys));
    return keys.right;
  };
  const recorded = () => read(stage.log, `privacy.subject-acme.${stage.vault.subjectOf('acme', 'm-1')}`);
  return { stage, forget, nameIn, keysOf, recorded };
};
