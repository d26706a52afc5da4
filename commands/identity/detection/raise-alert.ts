/** Records what a detector found, once for each episode. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { alert } from '../../../domain/identity/detection/alert/decider';
import {
  type Alert,
  type AlertId,
  type AlertSubjectId,
  alertStream,
} from '../../../domain/identity/detection/alert/events';
import type { Finding } from '../../../domain/identity/detection/detector';
import { PrincipalType } from '../../../domain/identity/ids';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { HandleDeps } from '../../kernel/handle-request';

const actor = 'system:detection';

/** Undefined: of a token whose claims no principal or tenant of ours can have. */
const alertOf = ({ rule, severity, event, count, settings }: Finding): Alert | undefined => {
  const { principalId, principalType, jti, timestamp, audience, reason, workloadId, clusterId, eventId } = event;
  if (!PrincipalId.is(principalId)) return undefined;
  return {
    alertId: derivedId('alert', rule, event.tenantId, eventId) as AlertId,
    ...{ rule, severity, principalId, jti },
    principalType: PrincipalType.is(principalType) ? principalType : null,
    decidedAt: timestamp,
    audience,
    reason: reason ?? null,
    workloadId: workloadId ?? null,
    clusterId: clusterId ?? null,
    count,
    threshold: settings.threshold,
    windowSeconds: settings.windowSeconds,
    opensIncident: settings.opensIncident,
  };
};

/** Left: it may not be recorded. */
export const raiseAlert = async (deps: HandleDeps, finding: Finding): Promise<Either<string, void>> => {
  const { tenantId: tenant } = finding.event;
  const raised = alertOf(finding);
  if (raised === undefined || !TenantId.is(tenant)) return right(undefined);
  const subject = derivedId('alert-subject', finding.rule, tenant, finding.key) as AlertSubjectId;
  const recorded = await handle(deps, alert, {
    stream: alertStream(tenant, subject),
    command: { type: 'RaiseAlert', alert: raised },
    commandId: raised.alertId,
    fingerprint: raised.alertId,
    tenant,
    actor,
    correlationId: raised.alertId,
  });
  return isLeft(recorded) ? left(recorded.left.detail) : right(undefined);
};
