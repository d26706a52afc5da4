/** POST /oauth/token: parses the form, authenticates the client, resolves the sender constraint, and dispatches by grant_type. */
import { isLeft } from 'fp-ts/Either';
import { integer, oneOf, record, text } from '../../../../domain/kernel/codec';
import { refusalNoteOf } from '../../../../infra/server/http/refusal-note';
import { type JsonAnswer, type RouteRequest, route } from '../../../../infra/server/http/routing/route';
import { allowClientOrigin } from '../../clients/cross-origin';
import type { ExchangeDeps } from '../../token-exchange/exchange';
import { IssuedTokenType } from '../../token-exchange/exchange-answer';
import { exchangeByForm, tokenExchangeGrant } from '../../token-exchange/exchange-grant';
import { authenticateClient, type ClientDeps } from '../client-authentication/authenticate-client';
import type { AuthenticatedClient } from '../client-authentication/authenticated-client';
import { claimedClientId } from '../client-authentication/presented-credentials';
import { type GrantDeps, grantHandler, grantTypeNames, isGrantTypeAllowed } from './grant-types';
import { sourceIpOf } from './issuance-log';
import { oauthError } from './oauth-error';
import { type Form, oauthForm, parseForm } from './oauth-form';
import { type BindingDeps, resolveSenderConstraint, withNonce } from './sender-constraint';

export interface TokenDeps extends ClientDeps, GrantDeps, BindingDeps, Omit<ExchangeDeps, keyof GrantDeps> {}

const described = (description: string) => ({ type: 'string', description });

const TokenForm = oauthForm('TokenForm', {
  type: 'object',
  required: ['grant_type'],
  properties: {
    grant_type: { type: 'string', enum: [...grantTypeNames, tokenExchangeGrant] },
    client_id: described('Client id: here, in HTTP Basic, or in the client assertion.'),
    client_secret: described('Client secret: here, or in HTTP Basic.'),
    client_assertion_type: described('urn:ietf:params:oauth:client-assertion-type:jwt-bearer'),
    client_assertion: described('A JWT signed with a key of the client (RFC 7523).'),
    scope: described('Scopes separated by spaces; by default all that the client may have.'),
    resource: described('What the token is for (RFC 8707); may be repeated.'),
    audience: described('Synonym of `resource`.'),
    code: described('The authorization code.'),
    code_verifier: described('The PKCE code verifier (RFC 7636).'),
    redirect_uri: described('As in the authorization request.'),
    refresh_token: described('The newest refresh token of its family.'),
    delegation_id: described(
      'Of an agent with client_credentials: the delegation by which it acts for another principal.',
    ),
    task_id: described('The task of the delegation.'),
    tool: described('Tool of the registered API that the token is for.'),
    device_code: described('The device code of a device authorization (RFC 8628).'),
    subject_token: described('The credential of a workload, as in `POST /v1/token/exchange` (RFC 8693).'),
    subject_token_type: described('What the subject token is (RFC 8693 section 3).'),
    requested_token_type: described('urn:ietf:params:oauth:token-type:access_token'),
  },
});

const AccessTokenText = text('AccessToken', {
  examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiI3ZDlmMWM5ZSJ9.c2lnbmF0dXJl'],
  maxLength: 8192,
});

const TokenAnswer = record(
  'TokenAnswer',
  {
    access_token: AccessTokenText,
    token_type: oneOf('TokenType', ['Bearer', 'DPoP']),
    expires_in: integer(0),
    scope: text('ScopeList', { examples: ['openid profile'], maxLength: 4096 }),
  },
  {
    refresh_token: AccessTokenText,
    id_token: AccessTokenText,
    /** Of a token exchange. */
    issued_token_type: IssuedTokenType,
  },
);

export const OAuthErrorAnswer = record('OAuthError', {
  error: text('OAuthErrorCode', { examples: ['invalid_request'], maxLength: 64 }),
  error_description: text('OAuthErrorDescription', { examples: ['The redirect_uri is missing.'], maxLength: 512 }),
});

type TokenHttpRequest = RouteRequest<unknown, unknown, Form>;

/** Whose request was refused, for operators. */
const refusedNoteOf = (client: AuthenticatedClient) => {
  const { tenantId, clientId } = client;
  return {
    tenantId,
    clientId,
    isProven: true,
    ...(client.kind === 'principal' ? { principalId: client.principalId } : {}),
  };
};

const ofClient = (client: AuthenticatedClient, answer: JsonAnswer): JsonAnswer =>
  refusalNoteOf(answer) === undefined
    ? answer
    : { ...answer, refused: { ...refusedNoteOf(client), ...answer.refused } };

const issueToken = async (deps: TokenDeps, request: TokenHttpRequest): Promise<JsonAnswer> => {
  const form = parseForm(request.body);
  if (isLeft(form)) return form.left;
  const { parameters, resources } = form.right;
  const { grant_type: grantType } = parameters;
  if (grantType === undefined) return oauthError('invalid_request', 'The grant_type is missing.');
  const at = deps.clock.now();
  const endpoint = `${deps.issuer}/oauth/token`;
  const { authorization, dpop: proof } = request.headers;
  const { certificate, requestId } = request;
  const sourceIp = sourceIpOf(request.headers['x-forwarded-for']);
  if (grantType === tokenExchangeGrant)
    return exchangeByForm(deps, { ...form.right, proof, certificate, endpoint, at, requestId, sourceIp });
  const handle = grantHandler(grantType);
  if (handle === undefined) return oauthError('unsupported_grant_type', 'The grant_type is not known here.');
  const client = await authenticateClient(deps, { parameters, authorization, certificate, endpoint, at });
  if (isLeft(client)) return client.left;
  if (!isGrantTypeAllowed(client.right, grantType))
    return ofClient(
      client.right,
      oauthError('unauthorized_client', 'The client is not registered for this grant_type.'),
    );
  const binding = await resolveSenderConstraint(deps, {
    client: client.right,
    proof,
    certificate,
    endpoint,
    at,
  });
  if (isLeft(binding)) return ofClient(client.right, binding.left);
  const tokenRequest = { parameters, resources, client: client.right, binding: binding.right, at, requestId, sourceIp };
  return ofClient(client.right, await handle(deps, tokenRequest));
};

const issueOrRefuse = async (deps: TokenDeps, request: TokenHttpRequest): Promise<JsonAnswer> => {
  const answered = await issueToken(deps, request);
  const { dpop } = request.headers;
  const issued = dpop === undefined ? answered : withNonce(answered, deps, Date.parse(deps.clock.now()));
  const { origin, authorization } = request.headers;
  return allowClientOrigin(deps, issued, { origin, clientId: claimedClientId(request.body, authorization) });
};

const refusal = (description: string) => ({ description, body: OAuthErrorAnswer });

export const tokenRoute = route<TokenDeps>()({
  method: 'post',
  path: '/oauth/token',
  operation: 'issueToken',
  example: { grant_type: 'client_credentials', scope: 'principals:read' },
  sensitive: false,
  limitGroup: 'token',
  summary: 'Get tokens (token endpoint, RFC 6749)',
  description:
    'The client authenticates with its registered method (RFC 6749 section 2.3, RFC 7523, RFC 8705); a secret is accepted in HTTP Basic and in the ' +
    'form, unless `exactAuthentication` allows one only. A public client (`none`) sends its client_id, or HTTP Basic with an empty password. ' +
    'With a DPoP header (RFC 9449) the token is bound to the key of the proof.',
  access: 'public',
  body: TokenForm,
  bodyType: 'form',
  headers: [{ name: 'DPoP', description: 'A proof of possession of the key to bind the tokens to.' }],
  answers: {
    200: { description: 'An access token (RFC 9068).', body: TokenAnswer, headers: ['Cache-Control', 'DPoP-Nonce'] },
    400: refusal('The request is refused; `error` has the reason (RFC 6749 section 5.2).'),
    401: refusal('The client is not authenticated.'),
    503: refusal('A store or the signing keys are unavailable; nothing was issued.'),
  },
  handle: issueOrRefuse,
});
