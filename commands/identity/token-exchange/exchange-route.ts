/** POST /v1/token/exchange: the token exchange in JSON. */
import { isLeft } from 'fp-ts/Either';
import { listAudiences } from '../../../domain/identity/authorization/resource-indicators';
import { Audience, DelegationId, TaskId } from '../../../domain/identity/ids';
import { ToolName } from '../../../domain/identity/protected-api/events';
import { Scope } from '../../../domain/identity/scopes';
import { listOf, record, text } from '../../../domain/kernel/codec';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { type Answer, type JsonAnswer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { sourceIpOf } from '../oauth/token/issuance-log';
import { noStoreHeaders } from '../oauth/token/oauth-error';
import { resolveExchangeBinding, withNonce } from '../oauth/token/sender-constraint';
import { type ExchangeDeps, type ExchangeRefusal, exchangeTarget, redeemedDelegation } from './exchange';
import { ExchangeAnswerBody, exchangeAnswer } from './exchange-answer';
import { exchangeToken } from './exchanges';

export const SubjectToken = text('SubjectToken', {
  content: 'lines',
  maxLength: 16_384,
  examples: ['eyJhbGciOiJSUzI1NiIsImtpZCI6IjM4ODI2YjE3In0.eyJzdWIiOiJyZXBvOm9jdG8ifQ.c2lnbmF0dXJl'],
});

const maxRequestedScopes = 100;

const ExchangeBody = record(
  'TokenExchange',
  {
    /** The credential of the workload. */
    subjectToken: SubjectToken,
    audience: Audience,
    /** None: all that can be given. */
    requestedScopes: listOf('RequestedScopes', Scope, maxRequestedScopes),
  },
  {
    /** Of an agent that acts for another principal, both of them. */
    delegationId: DelegationId,
    taskId: TaskId,
    /** Of a registered API, for which alone the token is. */
    tool: ToolName,
  },
);

const exchangeProblems = {
  'exchange-refused': { status: 403, title: 'The credential is not exchanged' },
  principal_not_active: { status: 403, title: 'The principal is not active' },
  invalid_target: { status: 400, title: 'Tokens are not issued for the audience' },
  invalid_dpop_proof: { status: 400, title: 'The DPoP proof is not valid' },
  use_dpop_nonce: { status: 400, title: 'The DPoP proof needs a nonce' },
} as const;

const rejection = (code: keyof typeof exchangeProblems, detail: string): Problem => {
  const refused = problemOf({ kind: 'rejection', code, detail }, exchangeProblems);
  return { ...refused, headers: { ...refused.headers, ...noStoreHeaders } };
};

export const problemOfRefusal = (refusal: ExchangeRefusal): Problem => {
  switch (refusal.code) {
    case 'unavailable':
      return problem('service-unavailable', refusal.detail);
    case 'recovery-refused':
    case 'exchange-refused':
      return {
        ...rejection('exchange-refused', 'No token is issued for this credential, audience and scopes.'),
        refused: refusal.note,
      };
    case 'principal_not_active':
      return { ...rejection('principal_not_active', 'The principal is not active.'), refused: refusal.note };
  }
};

type ExchangeHttpRequest = RouteRequest<unknown, unknown, typeof ExchangeBody._A>;

/** An OAuth error of the sender constraint, in the form of this endpoint. */
export const problemOfBinding = ({ status, body, headers = {} }: JsonAnswer): Problem => {
  const { error, error_description: detail } = body as { readonly error: string; readonly error_description: string };
  if (status === 503) return problem('service-unavailable', detail);
  const refused = rejection(error === 'use_dpop_nonce' ? 'use_dpop_nonce' : 'invalid_dpop_proof', detail);
  return { ...refused, headers: { ...headers, ...refused.headers } };
};

const exchange = async (deps: ExchangeDeps, request: ExchangeHttpRequest): Promise<Answer> => {
  const { subjectToken, audience, requestedScopes, delegationId, taskId, tool = null } = request.body;
  const { certificate, requestId, headers } = request;
  const delegation = redeemedDelegation(delegationId, taskId);
  if (delegation === undefined) return problem('invalid-input', 'Send delegationId and taskId together, or neither.');
  const at = deps.clock.now();
  const target = exchangeTarget(deps, [audience]);
  if (target === undefined)
    return rejection(
      'invalid_target',
      `Tokens are issued for these audiences only: ${listAudiences(deps.audiences)}, and the URIs of registered APIs.`,
    );
  const endpoint = `${deps.issuer}/v1/token/exchange`;
  const binding = await resolveExchangeBinding(deps, { proof: headers.dpop, certificate, endpoint, at });
  if (isLeft(binding)) return problemOfBinding(binding.left);
  const exchanged = await exchangeToken(deps, {
    subjectToken,
    subjectTokenType: null,
    audience: target,
    tool,
    requestedScopes,
    delegation,
    binding: binding.right,
    certificate,
    at,
    requestId,
    sourceIp: sourceIpOf(headers['x-forwarded-for']),
  });
  if (isLeft(exchanged)) return problemOfRefusal(exchanged.left);
  const answer = exchangeAnswer(exchanged.right);
  return headers.dpop === undefined ? answer : withNonce(answer, deps, Date.parse(at));
};

export const exchangeRoute = route<ExchangeDeps>()({
  method: 'post',
  path: '/v1/token/exchange',
  operation: 'exchangeToken',
  example: {
    subjectToken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjM4ODI2YjE3In0.eyJzdWIiOiJyZXBvOm9jdG8ifQ.c2lnbmF0dXJl',
    audience: 'septet',
    requestedScopes: ['files:read'],
  },
  sensitive: false,
  limitGroup: 'token',
  summary: 'Exchange the credential of a workload for an access token',
  description:
    'The credential is an ID token of a CI system or cluster, or a JWT-SVID, whose issuer the tenant trusts. Its only audience is `<issuer>/tenants/<tenant>`. ' +
    'With an X.509-SVID as the client certificate of the connection, it is the JSON text `{"aud": "<issuer>/tenants/<tenant>", "x5c": […]}`. ' +
    'A trust rule decides; a refusal never names its reason. The token lasts five minutes, for one audience; there is no refresh token. A credential with a `jti` is ' +
    'exchanged once per audience. With a DPoP header (RFC 9449) the token is bound to the key of the proof, else to the client certificate, if there is one.',
  access: 'public',
  body: ExchangeBody,
  headers: [{ name: 'DPoP', description: 'A proof of possession of the key to bind the token to.' }],
  answers: {
    200: {
      description: 'An access token (RFC 9068), in the terms of RFC 8693.',
      body: ExchangeAnswerBody,
      headers: ['Cache-Control', 'DPoP-Nonce'],
    },
  },
  problems: exchangeProblems,
  handle: exchange,
});
