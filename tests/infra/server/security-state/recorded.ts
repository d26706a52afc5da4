/** Revoking events, as tests record them. */
import { randomUUID } from 'node:crypto';
import type { EventStore } from '../../../../infra/ports/event-store';

const at = '2026-01-31T12:00:00.000Z';
export const now = () => Date.parse(at);

export interface Line {
  readonly type: string;
  readonly data: unknown;
}

export const record = (store: EventStore, { type, data }: Line, place: { stream?: string; at?: string } = {}) => {
  const stream = place.stream ?? 'identity.any-acme.x';
  const ids = { $correlationId: 'c', $causationId: 'c', commandId: randomUUID(), commandHash: 'h' };
  const metadata = { ...ids, tenant: 'acme', actor: 'system:test', at: place.at ?? at };
  return store.append(stream, 'any', [{ id: randomUUID(), type, data, metadata }]);
};
export const bump = (to: number): Line => ({
  type: 'identity.SecurityEpochBumped.v1',
  data: { principalId: 'p-1', from: to - 1, to, reason: 'test' },
});
