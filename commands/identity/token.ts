/** `POST /oauth/token`: a client with its secret gets an access token for what its credential allows. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { IssuanceEvent } from '../../domain/identity/issuance/events';
import { described, integer, record, text } from '../../domain/kernel/codec';
import { wholeSeconds } from '../../domain/kernel/instant';
import { type JsonAnswer, type RouteRequest, route } from '../../infra/http/route';
import type { Clock } from '../../infra/ports/clock';
import type { Kms } from '../../infra/ports/kms';
import type { Random } from '../../infra/ports/random';
import { type Grant, signAccessToken } from './access-token';
import { authenticateClient, type Client } from './authenticate-client';
import { grantOf, type Issuer } from './grant';
import type { PrincipalSource } from './load-principal';
import { oauthError, uncached } from './oauth-error';
import { recordIssuance, sourceIpOf } from './record-issuance';
import { tokenRequest } from './token-request';

export interface TokenDeps extends Issuer, PrincipalSource {
  readonly kms: Kms;
  readonly clock: Clock;
  readonly random: Random;
  /** False where there is no vault to keep them in. */
  readonly recordsAddresses: boolean;
}

type Form = Readonly<Record<string, unknown>>;

/** Accepts whatever a form can hold, and none: faults in it are answered as OAuth says, not as problems. */
const TokenForm = described(
  new t.Type<Form, Form, unknown>(
    'TokenForm',
    t.UnknownRecord.is,
    (value, context) => (value === undefined ? t.success({}) : t.UnknownRecord.validate(value, context)),
    t.identity,
  ),
  {
    type: 'object',
    required: ['grant_type'],
    properties: {
      grant_type: { type: 'string', enum: ['client_credentials'] },
      client_id: { type: 'string', description: 'Here, or in HTTP Basic.' },
      client_secret: { type: 'string', description: 'Here, or in HTTP Basic.' },
      scope: { type: 'string', description: 'Separated by spaces; all that the credential has when left out.' },
      resource: { type: 'string', description: 'What the token is for (RFC 8707).' },
      audience: { type: 'string', description: 'The same by another name.' },
    },
  },
);

const Issued = record('TokenAnswer', {
  access_token: text('AccessToken', { maxLength: 8192 }),
  token_type: t.literal('Bearer'),
  expires_in: integer(0),
  scope: text('ScopeList', { maxLength: 4096 }),
});

const Refused = record('OAuthError', {
  error: text('OAuthErrorCode', { maxLength: 64 }),
  error_description: text('OAuthErrorDescription', { maxLength: 512 }),
});

type TokenHttpRequest = RouteRequest<unknown, unknown, Form>;

const eventOf = (grant: Grant, { credential }: Client, sourceIp: string | null): IssuanceEvent => {
  const { jti, principalId, principalType, audience, scopes, securityEpoch, issuedAt, expiresAt } = grant;
  const { credentialId } = credential;
  const subject = { jti, principalId, principalType, credentialId, audience: [...audience], scopes: [...scopes] };
  return { type: 'TokenIssued', data: { ...subject, securityEpoch, issuedAt, expiresAt, sourceIp } };
};

const answerOf = (token: string, { issuedAt, expiresAt, scopes }: Grant): JsonAnswer => ({
  status: 200,
  body: {
    access_token: token,
    token_type: 'Bearer',
    expires_in: wholeSeconds(expiresAt) - wholeSeconds(issuedAt),
    scope: scopes.join(' '),
  },
  headers: uncached,
});

const issueToken = async (deps: TokenDeps, httpRequest: TokenHttpRequest): Promise<JsonAnswer> => {
  const request = tokenRequest(httpRequest.body, httpRequest.headers.authorization);
  if (isLeft(request)) return request.left;
  const at = deps.clock.now();
  const client = await authenticateClient(deps, request.right, at);
  if (isLeft(client)) return client.left;
  const birth = { jti: deps.random.uuid(), at };
  const grant = grantOf(deps, client.right, { request: request.right, birth });
  if (isLeft(grant)) return grant.left;
  const token = await signAccessToken(deps.kms, grant.right);
  if (isLeft(token)) return oauthError('temporarily_unavailable', token.left.detail);
  const occasion = { tenantId: grant.right.tenantId, at, requestId: httpRequest.requestId };
  const sourceIp = deps.recordsAddresses ? sourceIpOf(httpRequest.headers['x-forwarded-for']) : null;
  const recorded = await recordIssuance(deps.store, eventOf(grant.right, client.right, sourceIp), occasion);
  if (isLeft(recorded)) return oauthError('temporarily_unavailable', recorded.left);
  return answerOf(token.right, grant.right);
};

const refusal = (description: string) => ({ description, body: Refused });

export const tokenRoute = route<TokenDeps>()({
  method: 'post',
  path: '/oauth/token',
  operation: 'issueToken',
  summary: 'Get an access token',
  description: 'Client credentials (RFC 6749 section 4.4), by HTTP Basic or in the form.',
  access: 'public',
  body: TokenForm,
  bodyType: 'form',
  answers: {
    200: { description: 'An access token (RFC 9068).', body: Issued, headers: ['Cache-Control'] },
    400: refusal('The request cannot be granted; `error` says why (RFC 6749 section 5.2).'),
    401: refusal('The client is not authenticated.'),
    503: refusal('A store or the signing keys are unavailable; nothing was issued.'),
  },
  handle: issueToken,
});
