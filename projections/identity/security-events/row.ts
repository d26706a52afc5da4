/** One event that touches somebody's access. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { ClientId } from '../../../domain/identity/ids';
import { PrincipalType } from '../../../domain/identity/principal-id';
import { described, Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';

const Severity = oneOf('Severity', ['SEV-1', 'SEV-2', 'SEV-3']);

export const SecurityEventRow = record('SecurityEventRow', {
  tenantId: TenantId,
  eventId: text('EventId', { maxLength: 64 }),
  /** The log's position, decimal. */
  position: text('Position', { maxLength: 20, pattern: '[0-9]+' }),
  timestamp: Instant,
  type: text('EventType', { maxLength: 128 }),
  /** Null where it is of nobody: clients, signing keys. */
  principalId: nullable(PrincipalId),
  principalType: nullable(PrincipalType),
  clientId: nullable(ClientId),
  actor: text('Actor', { maxLength: 256 }),
  severity: nullable(Severity),
  summary: text('Summary', { maxLength: 1000 }),
  details: described(t.UnknownRecord, { type: 'object' }),
  revision: integer(0),
});
export type SecurityEventRow = TypeOf<typeof SecurityEventRow>;
