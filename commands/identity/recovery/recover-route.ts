/** POST /v1/security/recover: a workload or agent proves itself afresh, and gets a replacement. People recover by signing in. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { audiencesFor, listAudiences } from '../../../domain/identity/authorization/resource-indicators';
import { Audience, DelegationId, IncidentId, type PrincipalType, TaskId } from '../../../domain/identity/ids';
import { securityRecovery } from '../../../domain/identity/incident/events';
import { Scope } from '../../../domain/identity/scopes';
import { integer, listOf, oneOf, record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { loadDelegationChain } from '../delegations/delegation-chain';
import { sourceIpOf } from '../oauth/token/issuance-log';
import { noStoreHeaders } from '../oauth/token/oauth-error';
import { resolveExchangeBinding } from '../oauth/token/sender-constraint';
import type {
  AttestedPrincipal,
  ExchangeDeps,
  ExchangeRefusal,
  ExchangeRequest,
  RedeemedDelegation,
} from '../token-exchange/exchange';
import { redeemedDelegation } from '../token-exchange/exchange';
import { ExchangeAnswerBody, exchangeAnswer } from '../token-exchange/exchange-answer';
import { problemOfBinding, problemOfRefusal, SubjectToken } from '../token-exchange/exchange-route';
import { exchangeToken } from '../token-exchange/exchanges';
import { recoverPrincipal } from './recover-principal';

const maxRequestedScopes = 100;

const RecoverBody = record(
  'SecurityRecovery',
  {
    incidentId: IncidentId,
    /** A credential of the workload's platform, issued after the incident. */
    subjectToken: SubjectToken,
    audience: Audience,
    requestedScopes: listOf('RecoveredScopes', Scope, maxRequestedScopes),
  },
  { delegationId: DelegationId, taskId: TaskId },
);

const RecoveryAnswer = record('SecurityRecoveryAnswer', {
  incidentId: IncidentId,
  principalId: PrincipalId,
  reason: oneOf('ReplacementReason', [securityRecovery]),
  securityEpoch: integer(1),
  credential: ExchangeAnswerBody,
});

/** One answer for all of the reasons: it does not reveal which incidents there are. */
const recoveryProblems = {
  'recovery-refused': { status: 403, title: 'The recovery is refused' },
  'exchange-refused': { status: 403, title: 'The credential is not exchanged' },
  principal_not_active: { status: 403, title: 'The principal is not active' },
  invalid_target: { status: 400, title: 'Tokens are not issued for the audience' },
  invalid_dpop_proof: { status: 400, title: 'The DPoP proof is not valid' },
  use_dpop_nonce: { status: 400, title: 'The DPoP proof needs a nonce' },
} as const;

const refusal = (reason: string, { tenantId, principalId }: AttestedPrincipal): Either<ExchangeRefusal, never> =>
  left({ code: 'recovery-refused', note: { reason, tenantId, principalId, isProven: true } });

const hasDelegation = async (
  deps: ExchangeDeps,
  { tenantId, principalId }: AttestedPrincipal,
  delegation: RedeemedDelegation | null,
): Promise<boolean | undefined> => {
  if (delegation === null || !DelegationId.is(delegation.delegationId)) return false;
  const chain = await loadDelegationChain(deps, { tenantId, at: deps.clock.now() }, delegation.delegationId);
  if (isLeft(chain)) return undefined;
  const [link] = chain.right ?? [];
  return link?.delegation.agentId === principalId && link.delegation.taskId === delegation.taskId;
};

const methods: { readonly [type in PrincipalType]: 'attestation' | 'attestation-and-delegation' } = {
  HUMAN: 'attestation',
  PIPELINE: 'attestation',
  AI_AGENT: 'attestation-and-delegation',
};

interface Recovered {
  principalId?: PrincipalId;
  securityEpoch?: number;
}

const recoverAttested =
  (
    deps: ExchangeDeps,
    {
      incidentId,
      delegation,
      requestId,
    }: { incidentId: IncidentId; delegation: RedeemedDelegation | null; requestId: string },
    recovered: Recovered,
  ): NonNullable<ExchangeRequest['recover']> =>
  async (attested) => {
    const { tenantId, principalId, principal, attestedAt } = attested;
    const { principalType } = principal;
    if (attestedAt === null) return refusal('The credential does not say when it was issued.', attested);
    if (principalType === 'AI_AGENT') {
      const has = await hasDelegation(deps, attested, delegation);
      if (has === undefined) return left({ code: 'unavailable', detail: 'The delegation cannot be read right now.' });
      if (!has) return refusal('An agent recovers with a delegation that was made after the incident.', attested);
    }
    const done = await recoverPrincipal(deps, {
      ...{ tenantId, incidentId, principalId, requestId, actor: principalId },
      ...{ method: methods[principalType], authenticatedAt: attestedAt },
    });
    if (isLeft(done) && done.left.kind === 'fault') return left({ code: 'unavailable', detail: done.left.detail });
    if (isLeft(done)) return refusal(done.left.detail, attested);
    recovered.principalId = principalId;
    recovered.securityEpoch = done.right.securityEpoch;
    return right(done.right);
  };

type RecoverRequest = RouteRequest<unknown, unknown, typeof RecoverBody._A>;

const refused = (): Problem => {
  const detail = 'Recovery needs a credential that was issued after the incident, by the principal of the incident.';
  const answer = problemOf({ kind: 'rejection', code: 'recovery-refused', detail }, recoveryProblems);
  return { ...answer, headers: { ...answer.headers, ...noStoreHeaders } };
};

const recover = async (deps: ExchangeDeps, request: RecoverRequest): Promise<Answer> => {
  const { incidentId, subjectToken, audience, requestedScopes, delegationId, taskId } = request.body;
  const { certificate, requestId, headers } = request;
  const delegation = redeemedDelegation(delegationId, taskId);
  if (delegation === undefined) return problem('invalid-input', 'Send delegationId and taskId together, or neither.');
  const at = deps.clock.now();
  const targets = audiencesFor([audience], deps.audiences, deps);
  const [target] = isLeft(targets) ? [] : targets.right;
  if (target === undefined) {
    const detail = `Tokens are issued for these audiences only: ${listAudiences(deps.audiences)}.`;
    return problemOf({ kind: 'rejection', code: 'invalid_target', detail }, recoveryProblems);
  }
  const endpoint = `${deps.issuer}/v1/security/recover`;
  const binding = await resolveExchangeBinding(deps, { proof: headers.dpop, certificate, endpoint, at });
  if (isLeft(binding)) return problemOfBinding(binding.left);
  const recovered: Recovered = {};
  const exchanged = await exchangeToken(deps, {
    ...{ subjectToken, subjectTokenType: null, audience: target, requestedScopes, tool: null, delegation, certificate },
    ...{ binding: binding.right, at, requestId, sourceIp: sourceIpOf(headers['x-forwarded-for']) },
    recover: recoverAttested(deps, { incidentId, delegation, requestId }, recovered),
  });
  if (isLeft(exchanged))
    return exchanged.left.code === 'recovery-refused'
      ? { ...refused(), refused: exchanged.left.note }
      : problemOfRefusal(exchanged.left);
  const { body: credential, headers: sent } = exchangeAnswer(exchanged.right);
  const { principalId, securityEpoch } = recovered;
  return {
    status: 200,
    body: { incidentId, principalId, reason: securityRecovery, securityEpoch, credential },
    headers: { ...sent },
  };
};

export const recoverRoute = route<ExchangeDeps>()({
  method: 'post',
  path: '/v1/security/recover',
  operation: 'recoverFromIncident',
  example: {
    incidentId: '7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a',
    subjectToken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjM4ODI2YjE3In0.eyJzdWIiOiJyZXBvOm9jdG8ifQ.c2lnbmF0dXJl',
    audience: 'septet',
    requestedScopes: ['files:read'],
  },
  sensitive: false,
  limitGroup: 'token',
  summary: 'Recover from an incident by a fresh attestation',
  description:
    'For pipelines and agents: the credential of the workload, as in the token exchange, issued after the incident and within the last five minutes; of an agent also a ' +
    'delegation that was made after it, with its task. The grant of the incident ends, the security epoch rises, and the answer has a replacement. A token, session, refresh ' +
    'token, key or delegation from before the incident recovers nothing. People recover by signing in with a passkey or a second factor; a pipeline without attestation by an administrator.',
  access: 'public',
  body: RecoverBody,
  headers: [{ name: 'DPoP', description: 'A proof of possession of the key to bind the token to.' }],
  answers: {
    200: { description: 'Recovered, with the replacement.', body: RecoveryAnswer, headers: ['Cache-Control'] },
  },
  problems: recoveryProblems,
  handle: recover,
});
