/** History of principals, one row per event. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { Reason } from '../../../domain/identity/principal/events';
import { described, Instant, integer, nullable, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export const PrincipalHistoryRow = record('PrincipalHistoryRow', {
  tenantId: TenantId,
  principalId: PrincipalId,
  revision: integer(0),
  eventId: text('EventId', { examples: ['018f2a5e-6c3d-5b7a-9d41-2f6c8e0a1b3c'], maxLength: 64 }),
  type: text('EventType', { maxLength: 128 }),
  at: Instant,
  actor: text('Actor', { examples: ['admin'], maxLength: 256 }),
  reason: nullable(Reason),
  /** Further event data, without hashes of secrets. */
  details: described(t.UnknownRecord, { type: 'object' }),
});
export type PrincipalHistoryRow = TypeOf<typeof PrincipalHistoryRow>;

export const principalHistoryView: TableView<PrincipalHistoryRow> = table({
  name: 'identity_principal_history',
  version: 3,
  row: PrincipalHistoryRow,
  key: ['tenantId', 'principalId', 'revision'],
});
