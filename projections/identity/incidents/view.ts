/** Incidents, each with its nine steps. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { TokenId } from '../../../domain/identity/denylist/events';
import { FamilyId, GrantId, IncidentId, KeyId } from '../../../domain/identity/ids';
import { IncidentReach, IncidentSubject, RecoveryMethod } from '../../../domain/identity/incident/events';
import { StepDetail, StepResult } from '../../../domain/identity/incident/steps';
import { Reason } from '../../../domain/identity/principal/events';
import { Severity } from '../../../domain/identity/protocol/severity';
import { Instant, integer, nullable, oneOf, record } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

/** `OPEN`: being contained, or only noted. `CONTAINED`: waits for recovery, or to be closed. */
const IncidentStatus = oneOf('IncidentStatus', ['OPEN', 'CONTAINED', 'RECOVERED', 'CLOSED']);

const StepRecord = record('IncidentStepRecord', { result: StepResult, detail: StepDetail, takenAt: Instant });
const step = nullable(StepRecord);

export const IncidentRow = record('IncidentRow', {
  tenantId: TenantId,
  incidentId: IncidentId,
  severity: Severity,
  subject: IncidentSubject,
  reach: IncidentReach,
  principalId: nullable(PrincipalId),
  grantId: nullable(GrantId),
  familyId: nullable(FamilyId),
  jti: nullable(TokenId),
  kid: nullable(KeyId),
  note: nullable(Reason),
  drill: t.boolean,
  status: IncidentStatus,
  openedAt: Instant,
  tokenBlocked: step,
  grantRevoked: step,
  epochRaised: step,
  invalidationPublished: step,
  gatewaysConfirmed: step,
  capabilitiesSuspended: step,
  alerted: step,
  authenticationRequired: step,
  recoveredAt: nullable(Instant),
  recoveryMethod: nullable(RecoveryMethod),
  closedAt: nullable(Instant),
  closeReason: nullable(Reason),
  revision: integer(0),
});
export type IncidentRow = TypeOf<typeof IncidentRow>;

export const incidentsView: TableView<IncidentRow> = table({
  name: 'identity_incidents',
  version: 1,
  row: IncidentRow,
  key: ['tenantId', 'incidentId'],
  indexes: [
    ['tenantId', 'openedAt', 'incidentId'],
    ['tenantId', 'principalId', 'openedAt', 'incidentId'],
  ],
});
