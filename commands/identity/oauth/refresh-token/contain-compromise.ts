/** Containment of stolen refresh tokens. */
import { type Either, isLeft } from 'fp-ts/Either';
import { containment, type FamilyCompromised } from '../../../../domain/identity/contain-on-family-compromised/process';
import { grant } from '../../../../domain/identity/grant/decider';
import { grantStream } from '../../../../domain/identity/grant/events';
import type { ClientId, IncidentId } from '../../../../domain/identity/ids';
import { incident } from '../../../../domain/identity/incident/decider';
import { incidentStream } from '../../../../domain/identity/incident/events';
import { principal } from '../../../../domain/identity/principal/decider';
import { principalStream } from '../../../../domain/identity/principal/events';
import type { Family } from '../../../../domain/identity/refresh-family/state';
import type { Instant } from '../../../../domain/kernel/codec';
import type { TenantId } from '../../../../domain/kernel/ids';
import { derivedId } from '../../../kernel/deterministic-ids';
import { handle } from '../../../kernel/handle';
import type { HandleDeps } from '../../../kernel/handle-request';

export interface CompromisedFamily extends FamilyCompromised {
  readonly tenantId: TenantId;
  readonly requestId: string;
}

const containmentRequest = ({ tenantId, incidentId, requestId }: CompromisedFamily, stream: string) => ({
  stream,
  commandId: derivedId('contain', stream, incidentId),
  tenant: tenantId,
  actor: 'system:refresh-reuse',
  correlationId: requestId,
  fingerprint: incidentId,
});

const failureDetailOf = async (
  outcome: Promise<Either<{ readonly code: string }, unknown>>,
): Promise<string | undefined> => {
  const done = await outcome;
  return isLeft(done) ? done.left.code : undefined;
};

/**
 * After a reuse: revokes the grant, denies the principal's access tokens, opens an incident. Each step runs even if another fails; the
 * containment policy or the next use of the token completes the rest.
 */
export const containCompromise = async (deps: HandleDeps, found: CompromisedFamily): Promise<void> => {
  const { tenantId, grantId, principalId, incidentId } = found;
  const { compromise, bump, open } = containment(found);
  const [ended, raised, opened] = [
    containmentRequest(found, grantStream(tenantId, grantId)),
    containmentRequest(found, principalStream(tenantId, principalId)),
    containmentRequest(found, incidentStream(tenantId, incidentId)),
  ];
  const done = await Promise.all([
    failureDetailOf(handle(deps, grant, { ...ended, command: compromise })),
    failureDetailOf(handle(deps, principal, { ...raised, command: bump })),
    failureDetailOf(handle(deps, incident, { ...opened, command: open })),
  ]);
  const failures = done.filter((code) => code !== undefined);
  deps.log?.warn({ tenantId, incidentId, failures }, 'a refresh token came twice: its family is compromised');
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
  const stream = incidentStream(tenantId, incidentId);
  const about = { incidentId, severity: 'SEV-3', subject: 'refresh-token-shown-by-another' } as const;
  const failure = await failureDetailOf(
    handle(deps, incident, {
      stream,
      tenant: tenantId,
      actor: clientId,
      correlationId: requestId,
      commandId: derivedId('report', stream),
      fingerprint: incidentId,
      command: { type: 'OpenIncident', data: { ...about, familyId, grantId, principalId, openedAt } },
    }),
  );
  deps.log?.warn({ tenantId, incidentId, clientId, failure }, 'another client or key presented a refresh token');
};
