/** Grants: the specification's GrantRecord, with principal and client. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { GrantedWorkload } from '../../../domain/identity/grant/events';
import {
  Audience,
  AuthenticationMethod,
  ClientId,
  FamilyId,
  GrantId,
  IncidentId,
  PrincipalType,
  SessionId,
} from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { Scopes } from '../../../domain/identity/scopes';
import { Instant, integer, nullable, oneOf, record } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';
import { EndedBy } from '../sessions/view';

/** `ACTIVE` includes expired grants: see `expiresAt`. */
const GrantStatus = oneOf('GrantStatus', ['ACTIVE', 'REVOKED', 'COMPROMISED']);

export const GrantRow = record('GrantRow', {
  tenantId: TenantId,
  grantId: GrantId,
  principalId: PrincipalId,
  principalType: PrincipalType,
  clientId: ClientId,
  scopes: Scopes,
  audience: t.array(Audience, 'Audiences'),
  sessionId: nullable(SessionId),
  refreshFamilyId: nullable(FamilyId),
  status: GrantStatus,
  authenticatedAt: Instant,
  methods: t.array(AuthenticationMethod, 'AuthenticationMethods'),
  createdAt: Instant,
  expiresAt: Instant,
  /** Of an exchanged credential. Null: an approval of a person. */
  workload: nullable(GrantedWorkload),
  endedAt: nullable(Instant),
  reason: nullable(Reason),
  endedBy: nullable(EndedBy),
  incidentId: nullable(IncidentId),
  revision: integer(0),
});
export type GrantRow = TypeOf<typeof GrantRow>;

export const grantsView: TableView<GrantRow> = table({
  name: 'identity_grants',
  version: 3,
  row: GrantRow,
  key: ['tenantId', 'grantId'],
  indexes: [
    ['tenantId', 'createdAt', 'grantId'],
    ['tenantId', 'principalId', 'createdAt', 'grantId'],
    ['tenantId', 'clientId', 'createdAt', 'grantId'],
  ],
});
