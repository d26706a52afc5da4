/** Authorization decisions as gateways record them. */
import { randomUUID } from 'node:crypto';
import type { AuthEvent } from '../../../domain/identity/protocol/auth-event';
import type { Instant } from '../../../domain/kernel/codec';

const noon = Date.parse('2026-01-31T12:00:00.000Z');

export const instantAt = (seconds: number): Instant => new Date(noon + seconds * 1_000).toISOString() as Instant;

/** Seconds after noon. */
export const decisionAt = (seconds: number, changes: Partial<AuthEvent> = {}): AuthEvent => ({
  eventId: randomUUID(),
  timestamp: instantAt(seconds),
  jti: 'token-1',
  principalId: 'p-1',
  principalType: 'HUMAN',
  tenantId: 'acme',
  audience: 'septet',
  scopes: ['principals:read'],
  sourceIp: '192.0.2.7',
  result: 'ALLOW',
  ...changes,
});

export const denialAt = (seconds: number, reason: string, changes: Partial<AuthEvent> = {}): AuthEvent =>
  decisionAt(seconds, { result: 'DENY', reason, ...changes });
