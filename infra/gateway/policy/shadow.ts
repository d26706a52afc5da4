/** Evaluates the version in shadow beside what is enforced. It refuses nothing. */
import { missingAuthentication, type PolicyDecision } from '../../../domain/identity/policy/evaluator';
import type { PolicyRequest } from '../../../domain/identity/policy/request';
import type { ShadowOutcome } from '../../ports/identity/policy-differences';
import type { VersionedDecision, VersionedPolicy } from './tenant-policies';

/** What the caller would see. */
const outcomeOf = (
  { effect, requires }: Pick<PolicyDecision, 'effect' | 'requires'>,
  request: PolicyRequest,
): string =>
  effect === 'ALLOW' && missingAuthentication(requires, request) !== undefined ? 'SIGN_IN_REQUIRED' : effect;

const noPolicy: Pick<PolicyDecision, 'effect' | 'requires'> = { effect: 'ALLOW', requires: {} };

export const shadowOutcome = (
  { version, policy }: VersionedPolicy,
  request: PolicyRequest,
  enforced: VersionedDecision | undefined,
): ShadowOutcome => {
  const decision = policy.decide(request);
  const [enforcedEffect, shadowEffect] = [outcomeOf(enforced ?? noPolicy, request), outcomeOf(decision, request)];
  const { tenantId, principalId, method, operation = null } = request;
  if (enforcedEffect === shadowEffect) return { tenantId, version, difference: undefined };
  const decided = { enforced: enforced?.version ?? null, enforcedEffect, shadowEffect, ruleId: decision.ruleId };
  return { tenantId, version, difference: { principalId, method, operation, ...decided } };
};
