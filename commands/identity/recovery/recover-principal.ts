/** Recovery of a principal from an incident: the five rules of the specification, but for the replacement, which each kind of principal gets in its own way. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { IncidentId } from '../../../domain/identity/ids';
import { type Incident, incident } from '../../../domain/identity/incident/decider';
import { incidentStream, type RecoveryMethod, securityRecovery } from '../../../domain/identity/incident/events';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import type { RegisteredPrincipal } from '../../../domain/identity/principal/state';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type Fault, type Rejection, reject } from '../../../domain/kernel/rejection';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { HandleDeps } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';
import { revokeGrant } from '../grants/revoke-grant';
import { loadPrincipal } from '../principals/load-principal';

export interface RecoveryRequest {
  readonly tenantId: TenantId;
  readonly incidentId: IncidentId;
  /** Who proved itself. */
  readonly principalId: PrincipalId;
  readonly method: RecoveryMethod;
  /** When the proof was made. */
  readonly authenticatedAt: Instant;
  readonly actor: string;
  readonly requestId: string;
}

type Refused = Rejection | Fault;

/** An incident with a principal that it is about. */
interface LoadedIncident extends Incident {
  readonly stream: string;
}

const loadIncident = async (
  deps: HandleDeps,
  tenantId: TenantId,
  incidentId: IncidentId,
): Promise<Either<Refused, LoadedIncident>> => {
  const stream = incidentStream(tenantId, incidentId);
  const loaded = await loadStream(deps, incident, stream);
  if (isLeft(loaded)) return loaded;
  return loaded.right.kind === 'none'
    ? reject('incident-unknown', 'There is no such incident.')
    : right({ ...loaded.right, stream });
};

const loadRegistered = async (
  deps: HandleDeps,
  who: Pick<RecoveryRequest, 'tenantId' | 'principalId'>,
): Promise<Either<Refused, RegisteredPrincipal>> => {
  const loaded = await loadPrincipal(deps, who);
  if (isLeft(loaded)) return loaded;
  return loaded.right.kind === 'none'
    ? reject('principal-unknown', 'There is no such principal.')
    : right(loaded.right);
};

const recoveryCommand = (
  { principalId, method, authenticatedAt }: RecoveryRequest,
  securityEpoch: number,
  at: Instant,
) => ({ type: 'RecoverIncident', principalId, method, authenticatedAt, securityEpoch, at }) as const;

/** Every incident that the principal is compromised by, and the one that is named: the proof must be fresh for each. */
const incidentsToRecover = async (
  deps: HandleDeps,
  request: RecoveryRequest,
  state: RegisteredPrincipal,
): Promise<Either<Refused, readonly LoadedIncident[]>> => {
  const found: LoadedIncident[] = [];
  for (const incidentId of new Set([request.incidentId, ...state.incidents])) {
    const loaded = await loadIncident(deps, request.tenantId, incidentId);
    if (isLeft(loaded)) return loaded;
    if (loaded.right.status === 'RECOVERED') {
      if (incidentId === request.incidentId)
        return reject('incident-recovered', 'The incident has been recovered from.');
      continue;
    }
    const decided = incident.decide(recoveryCommand(request, state.securityEpoch, deps.clock.now()), loaded.right);
    if (isLeft(decided)) return decided;
    found.push(loaded.right);
  }
  return right(found);
};

const envelopeOf = ({ tenantId: tenant, actor, requestId: correlationId }: RecoveryRequest) => ({
  tenant,
  actor,
  correlationId,
});

const endGrants = async (
  deps: HandleDeps,
  { tenantId, actor, requestId }: RecoveryRequest,
  found: readonly LoadedIncident[],
): Promise<Either<Refused, void>> => {
  for (const { grantId, stream } of found) {
    if (grantId === null) continue;
    const commandId = derivedId('recovery-grant', stream);
    const revocation = { tenantId, actor, requestId, commandId, reason: securityRecovery, ownedBy: null };
    const ended = await revokeGrant(deps, grantId, revocation);
    if (isLeft(ended) && ended.left.code !== 'grant-unknown') return ended;
  }
  return right(undefined);
};

const raisePrincipal = (deps: HandleDeps, request: RecoveryRequest) => {
  const { tenantId, principalId, incidentId, authenticatedAt } = request;
  const stream = principalStream(tenantId, principalId);
  return handle(deps, principal, {
    ...envelopeOf(request),
    stream,
    commandId: derivedId('recover', stream, incidentId, authenticatedAt),
    fingerprint: incidentId,
    command: {
      ...{ type: 'RecoverPrincipal', principalId, incidentId, reason: securityRecovery },
      at: deps.clock.now(),
    } as const,
  });
};

/** Right: the principal as it is now, for which the replacement is issued. After a crash in between, the same proof completes it. */
export const recoverPrincipal = async (
  deps: HandleDeps,
  request: RecoveryRequest,
): Promise<Either<Refused, RegisteredPrincipal>> => {
  const before = await loadRegistered(deps, request);
  if (isLeft(before)) return before;
  const found = await incidentsToRecover(deps, request, before.right);
  if (isLeft(found)) return found;
  const ended = await endGrants(deps, request, found.right);
  if (isLeft(ended)) return ended;
  const raised = await raisePrincipal(deps, request);
  if (isLeft(raised)) return raised;
  const after = await loadRegistered(deps, request);
  if (isLeft(after)) return after;
  for (const { stream } of found.right) {
    const recovered = await handle(deps, incident, {
      ...envelopeOf(request),
      stream,
      commandId: derivedId('recover-incident', stream, request.authenticatedAt),
      fingerprint: request.incidentId,
      command: recoveryCommand(request, after.right.securityEpoch, deps.clock.now()),
    });
    if (isLeft(recovered)) return recovered;
  }
  return after;
};
