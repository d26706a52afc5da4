/** A security event, and the row builder. */

import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { ClientId, PrincipalType } from '../../../domain/identity/ids';
import { described, Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import type { DomainEvent } from '../../../domain/kernel/family';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type ProjectionSource, putRow, type WholeChange } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';

const Severity = oneOf('Severity', ['SEV-1', 'SEV-2', 'SEV-3']);

export const SecurityEventRow = record('SecurityEventRow', {
  tenantId: TenantId,
  eventId: text('EventId', { examples: ['018f2a5e-6c3d-5b7a-9d41-2f6c8e0a1b3c'], maxLength: 64 }),
  /** Log position, decimal. */
  position: text('Position', { maxLength: 20, pattern: '[0-9]+' }),
  timestamp: Instant,
  type: text('EventType', { maxLength: 128 }),
  /** Null for clients and signing keys. */
  principalId: nullable(PrincipalId),
  principalType: nullable(PrincipalType),
  clientId: nullable(ClientId),
  actor: text('Actor', { examples: ['admin'], maxLength: 256 }),
  severity: nullable(Severity),
  summary: text('Summary', { examples: ['The principal 7d9f1c9e was suspended.'], maxLength: 1000 }),
  details: described(t.UnknownRecord, { type: 'object' }),
  revision: integer(0),
});
export type SecurityEventRow = TypeOf<typeof SecurityEventRow>;

export type RowSource = ProjectionSource<WholeChange<SecurityEventRow>>;

interface RowMeaning
  extends Partial<Pick<SecurityEventRow, 'principalId' | 'principalType' | 'clientId' | 'severity'>> {
  readonly summary: string;
  readonly details?: SecurityEventRow['details'];
}

const longestSummary = 1_000;

export const row = ({ at, event }: RecordedEvent<DomainEvent>, { summary, details = {}, ...fields }: RowMeaning) =>
  putRow<SecurityEventRow>({
    eventId: event.id,
    position: event.position,
    timestamp: event.occurredAt,
    type: event.type,
    principalId: null,
    principalType: null,
    clientId: null,
    actor: event.actor,
    // Most are no alarms by themselves; detectors raise others.
    severity: null,
    ...fields,
    summary: summary.slice(0, longestSummary).toWellFormed(),
    details,
    ...at,
  });

type OfPrincipal = DomainEvent<string, { readonly principalId: NonNullable<SecurityEventRow['principalId']> }>;

export const ofPrincipal = (recorded: RecordedEvent<OfPrincipal>, meaning: RowMeaning) =>
  row(recorded, { ...meaning, principalId: recorded.data.principalId });
