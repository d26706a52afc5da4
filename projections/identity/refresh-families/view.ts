/** Refresh token families: rotations, last use and status, without tokens and hashes. */
import type { TypeOf } from 'io-ts';
import { ClientId, FamilyId, GrantId, IncidentId } from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { Instant, integer, nullable, oneOf, record } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';
import { EndedBy } from '../sessions/view';

/** `ACTIVE` includes expired families: see `expiresAt` and `idleSeconds`. */
const FamilyStatus = oneOf('FamilyStatus', ['ACTIVE', 'REVOKED', 'COMPROMISED']);

export const FamilyRow = record('FamilyRow', {
  tenantId: TenantId,
  familyId: FamilyId,
  grantId: GrantId,
  principalId: PrincipalId,
  clientId: ClientId,
  status: FamilyStatus,
  rotationCounter: integer(0),
  /** Sender constraint of every use. */
  binding: nullable(oneOf('FamilyBinding', ['dpop', 'tls'])),
  openedAt: Instant,
  lastUsedAt: nullable(Instant),
  idleSeconds: integer(1),
  expiresAt: Instant,
  endedAt: nullable(Instant),
  reason: nullable(Reason),
  endedBy: nullable(EndedBy),
  incidentId: nullable(IncidentId),
  revision: integer(0),
});
export type FamilyRow = TypeOf<typeof FamilyRow>;

export const familiesView: TableView<FamilyRow> = table({
  name: 'identity_refresh_families',
  version: 2,
  row: FamilyRow,
  key: ['tenantId', 'familyId'],
  indexes: [
    ['tenantId', 'openedAt', 'familyId'],
    ['tenantId', 'principalId', 'openedAt', 'familyId'],
  ],
});
