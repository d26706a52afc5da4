/** The eight steps of containment, each safe to repeat. Containment never issues a replacement. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { grant } from '../../../domain/identity/grant/decider';
import { grantStream } from '../../../domain/identity/grant/events';
import { type PrincipalType, platformTenant } from '../../../domain/identity/ids';
import type { Incident } from '../../../domain/identity/incident/decider';
import type { ContainmentStep, StepResult } from '../../../domain/identity/incident/steps';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import { tenantNotBefore } from '../../../domain/identity/tenant-security/decider';
import { globalSecurityStream, tenantSecurityStream } from '../../../domain/identity/tenant-security/events';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { GatewayPositions } from '../../../infra/ports/identity/gateway-positions';
import { handle } from '../../kernel/handle';
import type { HandleDeps } from '../../kernel/handle-request';
import { revokeGrant } from '../grants/revoke-grant';
import { loadPrincipal } from '../principals/load-principal';
import { denyToken } from '../revocation/deny-token';
import type { ContainmentOrder } from './containment-order';
import { awaitConfirmation } from './gateway-confirmation';
import { type DelegationScope, suspendDelegations } from './suspend-delegations';

export interface ContainmentDeps extends HandleDeps {
  /** Undefined: gateways do not report here. */
  readonly gateways?: Pick<GatewayPositions, 'reportedWithin'> | undefined;
  /** Called while gateways have not confirmed; false: give up for now. Left out: never waits. */
  readonly pause?: () => Promise<boolean>;
}

export interface StepOutcome {
  readonly result: StepResult;
  readonly detail: string;
  /** Position of the measure; left out: none. */
  readonly position?: bigint;
}

/** Left: it cannot be taken right now. */
type Step = (
  deps: ContainmentDeps,
  incident: Incident,
  order: ContainmentOrder,
) => Promise<Either<{ readonly code: string; readonly detail: string }, StepOutcome>>;

const done = (detail: string, position?: bigint) =>
  right<never, StepOutcome>({ result: 'done', detail, ...(position === undefined ? {} : { position }) });
const notNeeded = (detail: string) => right<never, StepOutcome>({ result: 'not-needed', detail });

const requestOf = ({ incidentId, requestId, actor, tenantId, commandId }: ContainmentOrder, stream: string) => ({
  stream,
  commandId: commandId(stream),
  tenant: tenantId,
  actor,
  correlationId: requestId,
  fingerprint: incidentId,
});

const blockToken: Step = async (deps, { jti, jtiExpiresAt: expiresAt, principalId }, order) => {
  if (jti === null) return notNeeded('No single token is named.');
  const { actor, requestId: correlationId, tenantId: tenant, reason, incidentId: fingerprint } = order;
  const envelope = { commandId: order.commandId(`jti:${jti}`), actor, correlationId, tenant, fingerprint };
  const denied = await denyToken(deps, { jti, expiresAt, principalId, reason, at: deps.clock.now() }, envelope);
  return isLeft(denied) ? denied : done('The token is refused until it expires.', denied.right.position);
};

/** After a reuse the family has ended already, and its grant is marked as compromised. */
const endGrant: Step = async (deps, { grantId, subject }, order) => {
  if (grantId === null) return notNeeded('No single grant is named.');
  const { tenantId, actor, reason, requestId, incidentId } = order;
  const stream = grantStream(tenantId, grantId);
  const ended =
    subject === 'refresh-token-reuse'
      ? await handle(deps, grant, {
          ...requestOf(order, stream),
          command: { type: 'CompromiseGrant', incidentId, reason },
        })
      : await revokeGrant(deps, grantId, {
          ...{ tenantId, actor, reason, requestId, ownedBy: null },
          commandId: order.commandId(stream),
        });
  if (isLeft(ended)) return ended.left.code === 'grant-unknown' ? notNeeded('The grant was never opened.') : ended;
  return done('The grant and its refresh tokens have ended.', ended.right.position);
};

const endTokensOf = async (
  deps: ContainmentDeps,
  order: ContainmentOrder,
  { tenant, stream, detail }: { readonly tenant: TenantId; readonly stream: string; readonly detail: string },
) => {
  const command = { type: 'BumpTenantEpoch', at: deps.clock.now(), reason: order.reason } as const;
  const bumped = await handle(deps, tenantNotBefore, { ...requestOf(order, stream), tenant, command });
  return isLeft(bumped) ? bumped : done(detail, bumped.right.position);
};

const raisePrincipal = async (
  deps: ContainmentDeps,
  order: ContainmentOrder,
  { principalId, to }: { readonly principalId: PrincipalId; readonly to: number | 'compromised' },
) => {
  const { reason, incidentId, tenantId } = order;
  const at = deps.clock.now();
  const raised = await handle(deps, principal, {
    ...requestOf(order, principalStream(tenantId, principalId)),
    command:
      to === 'compromised'
        ? { type: 'ContainPrincipal', principalId, incidentId, reason, at }
        : { type: 'BumpEpoch', principalId, to, grants: 'kept', reason, at },
  });
  if (isLeft(raised)) return raised;
  return done(
    to === 'compromised'
      ? 'The principal is compromised: all of its tokens, credentials, sessions and grants have ended.'
      : 'All access tokens, credentials and sessions of the principal have ended.',
    raised.right.position,
  );
};

const raiseEpoch: Step = async (deps, { reach, principalId, epochTo }, order) => {
  switch (reach) {
    case 'nothing':
    case 'token':
      return notNeeded('No more than the token is suspected.');
    case 'grant':
      return principalId === null || epochTo === null
        ? notNeeded('No more than the grant is suspected.')
        : raisePrincipal(deps, order, { principalId, to: epochTo });
    case 'principal':
      return principalId === null
        ? notNeeded('No principal is named.')
        : raisePrincipal(deps, order, { principalId, to: 'compromised' });
    case 'key': {
      const head = await deps.store.head();
      return isLeft(head) ? head : done('Every token that the key signed is refused.', head.right ?? 0n);
    }
    case 'tenant': {
      const { tenantId: tenant } = order;
      const detail = 'Every token of the tenant that was issued before is refused.';
      return endTokensOf(deps, order, { tenant, stream: tenantSecurityStream(tenant), detail });
    }
    case 'platform': {
      const detail = 'Every token of every tenant that was issued before is refused.';
      return endTokensOf(deps, order, { tenant: platformTenant, stream: globalSecurityStream, detail });
    }
  }
};

/** The log is the global channel: gateways subscribe to it, and it is passed on to Redis. */
const publishInvalidation: Step = async (_deps, { sequence }) =>
  sequence === null ? notNeeded('Nothing had to end.') : done(`Gateways are told, at position ${sequence} of the log.`);

const confirmGateways: Step = async (deps, { sequence, steppedAt }) => {
  if (sequence === null) return notNeeded('Nothing had to end.');
  const age = () => Date.parse(deps.clock.now()) - Date.parse(steppedAt);
  const { gateways, pause = () => Promise.resolve(false) } = deps;
  const confirmed = await awaitConfirmation(gateways, { sequence: BigInt(sequence), age, pause });
  return isLeft(confirmed) ? left({ code: 'not-confirmed', detail: confirmed.left }) : done(confirmed.right);
};

const delegationsWithin = ({ reach, principalId }: Incident, tenantId: TenantId): DelegationScope | undefined => {
  if (reach === 'platform') return { tenantId: null, principalId: null };
  if (reach === 'tenant') return { tenantId, principalId: null };
  return principalId === null || reach === 'key' ? undefined : { tenantId, principalId };
};

const suspendCapabilities: Step = async (deps, incident, order) => {
  const scope = delegationsWithin(incident, order.tenantId);
  if (scope === undefined) return notNeeded('No principal is named.');
  try {
    const count = await suspendDelegations(deps, scope, order);
    return count === 0 ? notNeeded('There were no delegations.') : done(`Delegations have ended: ${count}.`);
  } catch (error) {
    return left({ code: 'delegations-unavailable', detail: error instanceof Error ? error.message : 'It failed.' });
  }
};

/** The event of this step is the alert; webhooks and the security events of the tenant have it. */
const alert: Step = async ({ log }, { incidentId, severity, subject, reach, drill }, { tenantId }) => {
  if (drill) return done('A drill: the alert says so.');
  log?.warn({ tenantId, incidentId, severity, subject, reach }, 'an incident is contained: security is alerted');
  return done('Security and the identity owner are alerted.');
};

const requirements: { readonly [type in PrincipalType]: string } = {
  HUMAN: 'Recovery needs a fresh sign-in with a passkey or a second factor.',
  PIPELINE: 'Recovery needs a fresh attestation of the workload, or an administrator.',
  AI_AGENT: 'Recovery needs a fresh attestation of the workload and a valid delegation.',
};

const requireAuthentication: Step = async (deps, { principalId, reach }, { tenantId }) => {
  if (principalId === null)
    return done(
      reach === 'tenant' || reach === 'platform'
        ? 'Everyone signs in again; workloads exchange new credentials.'
        : 'Whoever had such a token needs a new one.',
    );
  const loaded = await loadPrincipal(deps, { tenantId, principalId });
  if (isLeft(loaded)) return loaded;
  return done(loaded.right.kind === 'none' ? 'The principal is unknown.' : requirements[loaded.right.principalType]);
};

export const stepPerformers: { readonly [step in ContainmentStep]: Step } = {
  'block-token': blockToken,
  'revoke-grant': endGrant,
  'raise-epoch': raiseEpoch,
  'publish-invalidation': publishInvalidation,
  'confirm-gateways': confirmGateways,
  'suspend-capabilities': suspendCapabilities,
  alert,
  'require-authentication': requireAuthentication,
};
