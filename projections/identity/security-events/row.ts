/** A security event, and the row builder. */

import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { ClientId, PrincipalType } from '../../../domain/identity/ids';
import { AuthResult, TokenId } from '../../../domain/identity/protocol/auth-event';
import { Severity } from '../../../domain/identity/protocol/severity';
import { described, Instant, integer, nullable, record, text } from '../../../domain/kernel/codec';
import type { DomainEvent } from '../../../domain/kernel/family';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type ProjectionSource, putRow, type WholeChange } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { severityOf } from './severities';

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
  /** The access token that it is about. */
  jti: nullable(TokenId),
  /** What was decided about the caller's credential; null: nothing was. */
  result: nullable(AuthResult),
  summary: text('Summary', { examples: ['The principal 7d9f1c9e was suspended.'], maxLength: 1000 }),
  details: described(t.UnknownRecord, { type: 'object' }),
  revision: integer(0),
});
export type SecurityEventRow = TypeOf<typeof SecurityEventRow>;

export type RowSource = ProjectionSource<WholeChange<SecurityEventRow>>;

interface RowMeaning
  extends Partial<Pick<SecurityEventRow, 'principalId' | 'principalType' | 'clientId' | 'jti' | 'result'>> {
  readonly summary: string;
  readonly details?: SecurityEventRow['details'];
}

const longestSummary = 1_000;

export const row = (
  { at, event, data }: RecordedEvent<DomainEvent>,
  { summary, details = {}, ...fields }: RowMeaning,
) =>
  putRow<SecurityEventRow>({
    eventId: event.id,
    position: event.position,
    timestamp: event.occurredAt,
    type: event.type,
    principalId: null,
    principalType: null,
    clientId: null,
    actor: event.actor,
    severity: severityOf({ type: event.type, data }) ?? null,
    jti: null,
    result: null,
    ...fields,
    summary: summary.slice(0, longestSummary).toWellFormed(),
    details: { ...details, ...event.delegation },
    ...at,
  });

type OfPrincipal = DomainEvent<string, { readonly principalId: NonNullable<SecurityEventRow['principalId']> }>;

export const ofPrincipal = (recorded: RecordedEvent<OfPrincipal>, meaning: RowMeaning) =>
  row(recorded, { ...meaning, principalId: recorded.data.principalId });
