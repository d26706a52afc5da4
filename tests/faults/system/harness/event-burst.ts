/** Many events at once into the stream that is followed, and what processes hold in memory meanwhile. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isRight } from 'fp-ts/Either';
import { principals } from '../../../../domain/identity/principal/events';
import type { Instant } from '../../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import { openEventStore } from '../../../../infra/adapters/eventstore/event-store';
import type { System } from './fixture';

export interface EventBurst {
  readonly events: number;
  readonly bytes: number;
}

export const memoryOf = (pid: number): number =>
  1_024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

const batch = 20;

const eventsOf = (principalId: PrincipalId, bytes: number) => {
  const now = new Date().toISOString() as Instant;
  const made = { principalId, tenantId: 'main' as TenantId, principalType: 'PIPELINE' as const, createdAt: now };
  const reason = 'x'.repeat(Math.min(500, bytes));
  return Array.from({ length: batch }, (_, index) => {
    if (index === 0) return principals.encode({ type: 'PrincipalRegistered', data: made });
    const type = index % 2 === 1 ? 'PrincipalSuspended' : 'PrincipalReactivated';
    return principals.encode({ type, data: { principalId, reason } });
  });
};

/** As the command API would have recorded them. */
export const appendBurst = async ({ stores }: System, { events, bytes }: EventBurst): Promise<void> => {
  const store = openEventStore({ url: stores.direct.EVENTSTORE_URL as string });
  for (let count = 0; count < events; count += batch) {
    const id = randomUUID();
    const principalId = id as PrincipalId;
    const caused = {
      $correlationId: id,
      $causationId: id,
      commandId: id,
      commandHash: 'h',
      tenant: 'main',
      actor: 'p',
    };
    const metadata = { ...caused, at: new Date().toISOString() };
    const proposed = eventsOf(principalId, bytes).map((event) => ({ id: randomUUID(), ...event, metadata }));
    const appended = await store.append(`identity.principal-main.${principalId}`, 'no-stream', proposed);
    assert.ok(isRight(appended), 'appended');
  }
  await store.close();
};
