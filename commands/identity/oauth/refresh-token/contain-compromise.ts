/** Containment of stolen refresh tokens. */
import { isLeft } from 'fp-ts/Either';
import type { ClientId, IncidentId } from '../../../../domain/identity/ids';
import { type FamilyReuse, newIncident, refreshReuseIncident } from '../../../../domain/identity/incident/new-incident';
import type { Family } from '../../../../domain/identity/refresh-family/state';
import type { Instant } from '../../../../domain/kernel/codec';
import type { TenantId } from '../../../../domain/kernel/ids';
import { derivedId } from '../../../kernel/deterministic-ids';
import type { HandleDeps } from '../../../kernel/handle-request';
import { openIncident } from '../../incidents/open-incident';

export interface CompromisedFamily extends FamilyReuse {
  readonly tenantId: TenantId;
  readonly requestId: string;
}

/** After a reuse: the incident's first steps. What is cut short is completed by a worker, or by the next use of the token. */
export const containCompromise = async (deps: HandleDeps, found: CompromisedFamily): Promise<void> => {
  const { tenantId, requestId, ...reuse } = found;
  const origin = { tenantId, requestId, actor: 'system:refresh-reuse' };
  const opened = await openIncident(deps, refreshReuseIncident(reuse), origin);
  const failure = isLeft(opened) ? opened.left.code : undefined;
  const { incidentId } = found;
  deps.log?.warn({ tenantId, incidentId, failure }, 'a refresh token came twice: its family is compromised');
};

interface PresentedByStranger extends Pick<Family, 'familyId' | 'grantId' | 'principalId'> {
  readonly tenantId: TenantId;
  /** The client that presented the token. */
  readonly clientId: ClientId;
  readonly at: Instant;
  readonly requestId: string;
}

/** A client presented another client's token: opens one incident per client and nothing else. */
export const reportForeignRefreshToken = async (deps: HandleDeps, presented: PresentedByStranger): Promise<void> => {
  const { tenantId, clientId, familyId, grantId, principalId, at: openedAt, requestId } = presented;
  const incidentId = derivedId('refresh-stranger', tenantId, familyId, clientId) as IncidentId;
  const found = newIncident({
    ...{ incidentId, familyId, grantId, principalId, openedAt },
    ...{ severity: 'SEV-3', subject: 'refresh-token-shown-by-another', reach: 'nothing' },
  });
  const opened = await openIncident(deps, found, { tenantId, actor: clientId, requestId });
  const failure = isLeft(opened) ? opened.left.code : undefined;
  deps.log?.warn({ tenantId, incidentId, clientId, failure }, 'another client or key presented a refresh token');
};
