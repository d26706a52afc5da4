/** Redeems a delegation: the agent, which authenticated as itself, gets a token with what every link between person and tool allows. */
import { type Either, isLeft } from 'fp-ts/Either';
import { audiencesFor } from '../../../domain/identity/authorization/resource-indicators';
import { attenuatedScopes } from '../../../domain/identity/delegation/attenuation';
import { type ClientId, type CredentialId, DelegationId } from '../../../domain/identity/ids';
import type { RegisteredPrincipal } from '../../../domain/identity/principal/state';
import type { Scope } from '../../../domain/identity/scopes';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { JsonAnswer, PriorActor } from '../../../infra/server/http/routing/route';
import type { StreamSource } from '../../kernel/load-stream';
import type { AttestedWorkload, DelegatedIssuance } from '../oauth/token/issuance-request';
import { type IssueDeps, type IssuedTokens, type Issuer, issueTokens } from '../oauth/token/issue-tokens';
import { oauthFailure } from '../oauth/token/oauth-error';
import type { SenderConstraint } from '../oauth/token/sender-constraint';
import { resolveTargetScopes } from '../protected-apis/target-scopes';
import { loadDelegationChain, type OpenLink } from './delegation-chain';

export type RedeemDeps = IssueDeps & Issuer & StreamSource;

/** The agent, as the endpoint authenticated it: by a credential, or by what its platform attests. */
export interface AuthenticatedAgent {
  readonly principalId: PrincipalId;
  readonly principal: RegisteredPrincipal;
  readonly clientId: ClientId;
  readonly credentialId: CredentialId | null;
  /** Its own policy: the scopes of its credential, or of the rule that trusts its platform. */
  readonly scopes: readonly Scope[];
  /** When its proof of identity ends; null: not known to end. */
  readonly notAfter: Instant | null;
  /** Where its platform attests it. */
  readonly workload?: AttestedWorkload;
}

export interface DelegationRedemption {
  readonly tenantId: TenantId;
  readonly agent: AuthenticatedAgent;
  readonly delegationId: string;
  readonly taskId: string;
  /** The audience, by its name or URL; none: that of the delegation. */
  readonly resources: readonly string[];
  /** Scopes that the task requires; null: all that are delegated. */
  readonly requestedScopes: readonly string[] | null;
  /** Tool of the API that the token is for; null: none is named. */
  readonly tool: string | null;
  readonly binding: SenderConstraint | null;
  readonly requestId: string;
  readonly sourceIp: string | null;
}

/** One answer for all: it does not reveal which delegations there are, or why one has ended. */
const noDelegation = () =>
  oauthFailure('invalid_grant', 'The agent has no such delegation for this task, or it has ended.');

/** Each acted by the grant of the delegation that it was given. */
const priorActorsIn = (links: readonly OpenLink[]): readonly PriorActor[] =>
  links.slice(1).map((given, index) => {
    const passedOn = links[index] as OpenLink;
    const { securityEpoch } = passedOn.delegator;
    return { principalId: passedOn.delegation.delegatorId, securityEpoch, grantId: given.delegation.grantId };
  });

const delegatedIssuance = (
  links: readonly [OpenLink, ...OpenLink[]],
  { tool }: Pick<DelegationRedemption, 'tool'>,
): DelegatedIssuance => {
  const [{ delegation }] = links;
  const { delegation: root, delegator } = links.at(-1) ?? links[0];
  return {
    delegationId: delegation.delegationId,
    taskId: delegation.taskId,
    onBehalfOf: root.delegatorId,
    onBehalfOfEpoch: delegator.securityEpoch,
    priorActors: priorActorsIn(links),
    authContext: ['delegated', ...(tool === null ? [] : [`tool:${tool}`])],
  };
};

const earlierOf = (one: Instant, other: Instant | null): Instant => (other !== null && other < one ? other : one);

export const redeemDelegation = async (
  deps: RedeemDeps,
  redemption: DelegationRedemption,
): Promise<Either<JsonAnswer, IssuedTokens>> => {
  const { tenantId, agent, delegationId, taskId, resources, requestedScopes, binding, requestId, sourceIp } =
    redemption;
  const { principalId, principal, clientId, credentialId } = agent;
  if (principal.principalType !== 'AI_AGENT' || !DelegationId.is(delegationId)) return noDelegation();
  if (principal.status !== 'ACTIVE') return oauthFailure('invalid_grant', 'principal_not_active');
  const chain = await loadDelegationChain(deps, { tenantId, at: deps.clock.now() }, delegationId);
  if (isLeft(chain)) return oauthFailure('temporarily_unavailable', chain.left.detail);
  const links = chain.right;
  if (links === undefined) return noDelegation();
  const { delegation } = links[0];
  if (delegation.agentId !== principalId || delegation.taskId !== taskId) return noDelegation();
  const audience = [delegation.audience];
  if (isLeft(audiencesFor(resources, audience, deps)))
    return oauthFailure('invalid_target', 'The delegation is for another audience.');
  const { principalType, securityEpoch } = principal;
  const target = { audience, scopes: agent.scopes, principalType, tool: redemption.tool };
  const atTool = await resolveTargetScopes(deps, tenantId, target);
  if (isLeft(atTool)) return atTool;
  const scopes = attenuatedScopes({ links, agent: agent.scopes, task: requestedScopes, tool: atTool.right });
  if (scopes.length === 0)
    return oauthFailure('invalid_scope', 'No scope is left of what is delegated, allowed to the agent and requested.');
  return issueTokens(deps, {
    ...{ tenantId, principalId, clientId, credentialId, scopes, binding, requestId, sourceIp },
    ...{ principalType, securityEpoch, audience },
    ...(redemption.tool === null ? {} : { tool: redemption.tool }),
    grantId: delegation.grantId,
    sessionId: delegation.sessionId,
    notAfter: earlierOf(delegation.expiresAt, agent.notAfter),
    delegation: delegatedIssuance(links, redemption),
    ...(agent.workload === undefined ? {} : { workload: agent.workload }),
    ...{ authentication: null, nonce: null, idToken: null, clientChangedAt: null },
  });
};
