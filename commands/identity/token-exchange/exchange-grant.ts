/** The token exchange at the token endpoint (RFC 8693). The subject token authenticates the caller, so no client does. */
import { isLeft } from 'fp-ts/Either';
import { listAudiences } from '../../../domain/identity/authorization/resource-indicators';
import { Scope } from '../../../domain/identity/scopes';
import type { Instant } from '../../../domain/kernel/codec';
import type { JsonAnswer } from '../../../infra/server/http/routing/route';
import type { ClientCertificate } from '../../../packages/resource-server/src/verification/index';
import { oauthError } from '../oauth/token/oauth-error';
import { type FormParts, parseScope } from '../oauth/token/oauth-form';
import { resolveExchangeBinding } from '../oauth/token/sender-constraint';
import { type ExchangeDeps, type ExchangeRefusal, exchangeTarget, redeemedDelegation } from './exchange';
import { accessTokenType, exchangeAnswer } from './exchange-answer';
import { exchangeToken, subjectTokenTypes } from './exchanges';

export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';

export interface ExchangeFormRequest extends FormParts {
  readonly proof: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  readonly endpoint: string;
  readonly at: Instant;
  readonly requestId: string;
  readonly sourceIp: string | null;
}

/** RFC 8693 section 2.2.2 has `invalid_request` for every subject token that is not accepted. */
const errorOf = (refusal: ExchangeRefusal): JsonAnswer => {
  switch (refusal.code) {
    case 'unavailable':
      return oauthError('temporarily_unavailable', refusal.detail);
    case 'recovery-refused':
    case 'exchange-refused':
      return {
        ...oauthError('invalid_request', 'No token is issued for this subject token, audience and scope.'),
        refused: refusal.note,
      };
    case 'principal_not_active':
      return { ...oauthError('invalid_grant', 'principal_not_active'), refused: refusal.note };
  }
};

export const exchangeByForm = async (deps: ExchangeDeps, request: ExchangeFormRequest): Promise<JsonAnswer> => {
  const { parameters, resources, certificate, proof, endpoint, ...rest } = request;
  const { subject_token: subjectToken, subject_token_type: subjectTokenType } = parameters;
  const { requested_token_type: wanted = accessTokenType, actor_token: actorToken } = parameters;
  if (subjectToken === undefined || subjectTokenType === undefined)
    return oauthError('invalid_request', 'subject_token and subject_token_type are required.');
  if (!subjectTokenTypes.includes(subjectTokenType))
    return oauthError('invalid_request', `subject_token_type must be one of ${subjectTokenTypes.join(', ')}.`);
  if (wanted !== accessTokenType) return oauthError('invalid_request', 'Only access tokens are issued.');
  if (actorToken !== undefined)
    return oauthError('invalid_request', 'A workload acts for itself: send no actor_token.');
  const delegation = redeemedDelegation(parameters.delegation_id, parameters.task_id);
  if (delegation === undefined)
    return oauthError('invalid_request', 'A delegation is redeemed by delegation_id and task_id.');
  const target = exchangeTarget(deps, resources);
  if (target === undefined)
    return oauthError(
      'invalid_target',
      `Name one audience: one of ${listAudiences(deps.audiences)}, or the URI of a registered API.`,
    );
  const scopes = parseScope(parameters.scope);
  if (isLeft(scopes)) return scopes.left;
  const { right: requestedScopes = [] } = scopes;
  if (!requestedScopes.every(Scope.is)) return oauthError('invalid_scope', 'A requested scope is not known.');
  const binding = await resolveExchangeBinding(deps, { proof, certificate, endpoint, at: rest.at });
  if (isLeft(binding)) return binding.left;
  const exchanged = await exchangeToken(deps, {
    ...rest,
    subjectToken,
    subjectTokenType,
    audience: target,
    tool: parameters.tool ?? null,
    requestedScopes: requestedScopes.filter(Scope.is),
    delegation,
    binding: binding.right,
    certificate,
  });
  return isLeft(exchanged) ? errorOf(exchanged.left) : exchangeAnswer(exchanged.right);
};
