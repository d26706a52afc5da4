/** Opens an incident and takes the steps that are in force before the answer; a worker takes the others. */
import { type Either, isLeft } from 'fp-ts/Either';
import { type Incident, incident, type OpenIncident } from '../../../domain/identity/incident/decider';
import { incidentStream } from '../../../domain/identity/incident/events';
import type { TenantId } from '../../../domain/kernel/ids';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { HandleDeps } from '../../kernel/handle-request';
import { type ContainmentFailure, containIncident } from './contain-incident';

export interface IncidentOrigin {
  readonly tenantId: TenantId;
  /** A principal, or `system:…` of what found it. */
  readonly actor: string;
  readonly requestId: string;
}

/** The first step that waits for others. */
export const firstLaterStep = 'confirm-gateways';

/** Left: not all of it is in force yet. Where the incident itself is recorded, a worker goes on. */
export const openIncident = async (
  deps: HandleDeps,
  command: OpenIncident,
  { tenantId, actor, requestId }: IncidentOrigin,
): Promise<Either<ContainmentFailure, Incident>> => {
  const { incidentId } = command.data;
  const stream = incidentStream(tenantId, incidentId);
  const opened = await handle(deps, incident, {
    ...{ stream, command, actor, tenant: tenantId, correlationId: requestId, fingerprint: incidentId },
    commandId: derivedId('open-incident', stream),
  });
  if (isLeft(opened)) return opened;
  return containIncident(deps, { tenantId, incidentId, requestId, before: firstLaterStep });
};
