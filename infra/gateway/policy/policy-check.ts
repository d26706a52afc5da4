/** Check eight: decides a request by the policy of the caller's tenant, from memory. Every door of the gateway calls it after its own checks. */
import type { IncomingMessage } from 'node:http';
import type { PolicyRequirements } from '../../../domain/identity/policy/document';
import { missingAuthentication } from '../../../domain/identity/policy/evaluator';
import type { PolicyRequest } from '../../../domain/identity/policy/request';
import type { ShadowRecorder } from '../../ports/identity/policy-differences';
import { type Problem, problem, problemOf } from '../../server/http/problem';
import type { Identity } from '../../server/http/routing/route';
import { notePolicy } from '../auth-events/decision-notes';
import { gatewayProblems } from '../problems';
import { type PolicyAction, policyRequestOf } from './policy-request';
import { shadowOutcome } from './shadow';
import type { StepUpGate } from './step-up-gate';
import type { TenantPolicies, VersionedDecision } from './tenant-policies';

export interface PolicyCheckOptions {
  readonly policies: Pick<TenantPolicies, 'of' | 'isLoaded'>;
  readonly stepUp: StepUpGate;
  /** Checks the caller's token against the log. Undefined: it is valid. */
  readonly introspect: (identity: Identity) => Promise<Problem | undefined>;
  /** Outcomes of versions in shadow. */
  readonly recordShadow?: ShadowRecorder['record'] | undefined;
  /** The gateway's own. */
  readonly audience: string;
  readonly now: () => number;
}

/** Undefined: the request may go on. */
export type PolicyCheck = (
  request: IncomingMessage,
  identity: Identity,
  action: PolicyAction,
) => Promise<Problem | undefined>;

/** Names no rule: which one it was is for administrators. */
const denied = (): Problem =>
  problemOf(
    { kind: 'rejection', code: 'policy-denied', detail: 'The policy of the organization does not allow this.' },
    gatewayProblems,
  );

/** RFC 9470 section 3. */
const freshAuthenticationRequired = ({ maxAgeSeconds, multiFactor = false }: PolicyRequirements): Problem => {
  const parameters = [
    'error="insufficient_user_authentication"',
    'error_description="A newer or stronger sign-in is required"',
    ...(maxAgeSeconds === undefined ? [] : [`max_age="${maxAgeSeconds}"`]),
    ...(multiFactor ? ['acr_values="2"'] : []),
  ];
  const detail = 'The policy of the organization asks for a newer sign-in, or one with a second factor.';
  const refused = problemOf({ kind: 'rejection', code: 'insufficient-user-authentication', detail }, gatewayProblems);
  return { ...refused, headers: { ...refused.headers, 'WWW-Authenticate': `Bearer ${parameters.join(', ')}` } };
};

const notLoaded = (): Problem => problem('service-unavailable', 'Policies are not loaded yet; try again.');

export const createPolicyCheck = (options: PolicyCheckOptions): PolicyCheck => {
  const { policies, stepUp, introspect, recordShadow, audience, now } = options;
  const answer = async (
    request: IncomingMessage,
    identity: Identity,
    { described, decision }: { readonly described: PolicyRequest; readonly decision: VersionedDecision },
  ): Promise<Problem | undefined> => {
    const { effect, requires } = decision;
    if (effect === 'DENY') return denied();
    const missing = effect === 'ALLOW' ? missingAuthentication(requires, described) : undefined;
    if (missing !== undefined) return freshAuthenticationRequired(missing);
    const refused = requires.introspection === true ? await introspect(identity) : undefined;
    if (refused !== undefined || effect === 'ALLOW') return refused;
    // Last: a capability is used up by the request that passes.
    return stepUp(request, identity, decision);
  };
  return async (request, identity, action) => {
    const { enforced, shadow } = policies.of(identity.tenantId) ?? {};
    if (enforced === undefined && !policies.isLoaded()) return notLoaded();
    if (enforced === undefined && shadow === undefined) return undefined;
    const described = policyRequestOf(request, identity, { action, audience, now: now() });
    const decision = enforced && { ...enforced.policy.decide(described), version: enforced.version };
    if (shadow !== undefined) recordShadow?.(shadowOutcome(shadow, described, decision));
    if (decision === undefined) return undefined;
    notePolicy(request, decision.version);
    return answer(request, identity, { described, decision });
  };
};
