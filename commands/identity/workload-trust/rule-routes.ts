/** Routes about trust rules: who makes one has all that it gives, and all of its principal's authority. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { TrustRuleId } from '../../../domain/identity/ids';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import { checkTrustRule } from '../../../domain/identity/principal/trust-rules';
import { workloadTrust } from '../../../domain/identity/workload-trust/decider';
import { type TrustRule, trustRuleFields, workloadTrustStream } from '../../../domain/identity/workload-trust/events';
import { record } from '../../../domain/kernel/codec';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandRequest } from '../../kernel/command-spec';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { callerOf } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';
import { loadPrincipal } from '../principals/load-principal';
import { WithReason } from '../principals/principal-routes';
import { principalProblems, workloadTrustProblems } from '../problems';
import { loadAudiences } from '../protected-apis/load-registry';
import type { WorkloadTrustDeps } from './issuer-routes';

type RuleCaller = Pick<CommandRequest<unknown, unknown>, 'tenantId' | 'identity' | 'commandId'>;

const problems = {
  ...workloadTrustProblems,
  'principal-compromised': principalProblems['principal-compromised'],
  'principal-suspended': principalProblems['principal-suspended'],
  'principal-unknown': principalProblems['principal-unknown'],
  'trust-rule-of-a-person': principalProblems['trust-rule-of-a-person'],
};

const noPrincipal: Problem = problemOf(
  { kind: 'rejection', code: 'principal-unknown', detail: 'There is no such principal.' },
  principalProblems,
);

const actOf = ({ identity }: RuleCaller, { principalId, scopes }: Pick<TrustRule, 'principalId' | 'scopes'>) => ({
  principalId,
  scopes,
  by: identity.principalId,
  held: identity.scopes,
});

/** Left: the caller may not let workloads act as the rule's principal. */
const checkPrincipalOf = async (
  deps: WorkloadTrustDeps,
  caller: RuleCaller,
  rule: TrustRule,
): Promise<Either<Problem, void>> => {
  const { tenantId } = caller;
  const found = await loadPrincipal(deps, { tenantId, principalId: rule.principalId });
  if (isLeft(found)) return left(problemOf(found.left, {}));
  if (found.right.kind === 'none') return left(noPrincipal);
  const refused = checkTrustRule(actOf(caller, rule), found.right);
  return refused === undefined || !isLeft(refused)
    ? right(undefined)
    : left(problemOf<string>(refused.left, principalProblems));
};

interface NewRule {
  readonly ruleId: TrustRuleId;
  readonly rule: TrustRule;
}

/**
 * Records at the principal that workloads of the rule may act as it. Runs before the rule is recorded: a crash in between leaves an
 * authorization without a rule, never a rule that its principal does not know. A retry finds the record, so the authority is checked each time.
 */
const authorizeRule = async (
  deps: WorkloadTrustDeps,
  caller: RuleCaller,
  { ruleId, rule }: NewRule,
): Promise<Either<Problem, void>> => {
  const allowed = await checkPrincipalOf(deps, caller, rule);
  if (isLeft(allowed)) return allowed;
  const { tenantId, identity, commandId } = caller;
  const authorized = await handle(deps, principal, {
    stream: principalStream(tenantId, rule.principalId),
    command: { type: 'AuthorizeTrustRule', ruleId, ...actOf(caller, rule) },
    commandId: derivedId('authorize-trust-rule', commandId),
    tenant: tenantId,
    actor: callerOf(identity),
    correlationId: commandId,
    fingerprint: [rule.principalId, ruleId, rule.scopes],
  });
  return isLeft(authorized) ? left(problemOf<string>(authorized.left, principalProblems)) : right(undefined);
};

/** What the rules decide, before anything is recorded at the principal. */
const decideRule = async (
  deps: WorkloadTrustDeps,
  { tenantId }: RuleCaller,
  command: Parameters<typeof workloadTrust.decide>[0],
): Promise<Either<Problem, void>> => {
  const loaded = await loadStream(deps, workloadTrust, workloadTrustStream(tenantId));
  if (isLeft(loaded)) return left(problemOf(loaded.left, {}));
  const decided = workloadTrust.decide(command, loaded.right);
  return isLeft(decided) ? left(problemOf(decided.left, problems)) : right(undefined);
};

const RulePath = record('TrustRulePath', { ruleId: TrustRuleId });
const RuleBody = record('NewTrustRule', trustRuleFields);
const commonRoute = {
  scopes: ['credentials:write'],
  answer: record('TrustRuleAnswer', { ruleId: TrustRuleId }),
  decider: workloadTrust,
  problems,
};

const example = {
  name: 'Deployments of the main branch',
  issuerId: '7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a',
  conditions: [
    { attribute: 'repository', comparison: 'exact', value: 'octo-org/octo-repo' },
    { attribute: 'branch', comparison: 'exact', value: 'main' },
  ],
  principalId: '5b0e6f3c-5f1c-5d1e-9a52-1a2b3c4d5e6f',
  scopes: ['files:read'],
  audience: 'septet',
};

const authorityNote =
  'The caller can give only its own scopes, and needs all of the authority of the principal, which is a pipeline or an agent. All conditions hold for a ' +
  'workload that the rule answers; values are compared exactly, or by whole segments of a path. Of several rules that answer, the one that was made first counts.';

export const makeRuleRoute = commandRoute<WorkloadTrustDeps>()({
  ...commonRoute,
  method: 'post',
  path: '/v1/trust-rules',
  operation: 'makeTrustRule',
  example,
  danger: true,
  summary: 'Let workloads act as a principal',
  description: `${authorityNote} A tenant has at most 500 rules, each with at most 15 conditions.`,
  body: RuleBody,
  created: true,
  prepare: async ({ body: rule, ...request }, deps) => {
    const { tenantId, identity, at } = request;
    const ruleId = request.derivedId('trust-rule') as TrustRuleId;
    const known = await loadAudiences(deps, tenantId);
    if (isLeft(known)) return left(problemOf(known.left, {}));
    const knownAudiences = known.right;
    const command = { type: 'MakeRule' as const, ruleId, rule, held: identity.scopes, knownAudiences, at };
    const decided = await decideRule(deps, request, command);
    const authorized = isLeft(decided) ? decided : await authorizeRule(deps, request, { ruleId, rule });
    if (isLeft(authorized)) return authorized;
    return right({
      stream: workloadTrustStream(tenantId),
      command,
      answer: { ruleId },
      location: `/v1/trust-rules/${ruleId}`,
    });
  },
});

/** A caller changes only a rule that it could have made, as it was and as it will be. */
const checkFormerRule = async (
  deps: WorkloadTrustDeps,
  caller: RuleCaller,
  ruleId: TrustRuleId,
): Promise<Either<Problem, void>> => {
  const loaded = await loadStream(deps, workloadTrust, workloadTrustStream(caller.tenantId));
  if (isLeft(loaded)) return left(problemOf(loaded.left, {}));
  const former = loaded.right.rules.get(ruleId);
  return former === undefined ? right(undefined) : checkPrincipalOf(deps, caller, former);
};

export const changeRuleRoute = commandRoute<WorkloadTrustDeps>()({
  ...commonRoute,
  method: 'put',
  path: '/v1/trust-rules/:ruleId',
  operation: 'changeTrustRule',
  example,
  danger: true,
  summary: 'Replace a trust rule',
  description: `The caller needs the authority to make the rule as it was and as it will be. ${authorityNote}`,
  params: RulePath,
  body: RuleBody,
  prepare: async ({ params: { ruleId }, body: rule, ...request }, deps) => {
    const { tenantId, identity } = request;
    const known = await loadAudiences(deps, tenantId);
    if (isLeft(known)) return left(problemOf(known.left, {}));
    const knownAudiences = known.right;
    const command = { type: 'ChangeRule' as const, ruleId, rule, held: identity.scopes, knownAudiences };
    const former = await checkFormerRule(deps, request, ruleId);
    const decided = isLeft(former) ? former : await decideRule(deps, request, command);
    const authorized = isLeft(decided) ? decided : await authorizeRule(deps, request, { ruleId, rule });
    if (isLeft(authorized)) return authorized;
    return right({ stream: workloadTrustStream(tenantId), command, answer: { ruleId } });
  },
});

export const endRuleRoute = commandRoute<WorkloadTrustDeps>()({
  ...commonRoute,
  method: 'post',
  path: '/v1/trust-rules/:ruleId/end',
  operation: 'endTrustRule',
  sensitive: true,
  summary: 'End a trust rule',
  description: 'Tokens that were issued last out their minutes: revoke their grants to end them at once.',
  params: RulePath,
  body: WithReason,
  prepare: ({ params: { ruleId }, body: { reason }, tenantId }) =>
    right({ stream: workloadTrustStream(tenantId), command: { type: 'EndRule', ruleId, reason }, answer: { ruleId } }),
});
