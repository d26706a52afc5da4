/** POST /oauth/par (RFC 9126): pushed authorization requests. */

import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { AuthorizationRequest } from '../../../../domain/identity/authorization/authorization-request';
import { isRegisteredRedirect } from '../../../../domain/identity/client/redirect-uri';
import { integer, record, text } from '../../../../domain/kernel/codec';
import { type JsonAnswer, type RouteRequest, route } from '../../../../infra/server/http/routing/route';
import { allowClientOrigin } from '../../clients/cross-origin';
import { loadAudiences } from '../../protected-apis/load-registry';
import { authenticateClient, type ClientDeps } from '../client-authentication/authenticate-client';
import type { ApplicationClient } from '../client-authentication/authenticated-client';
import { claimedClientId } from '../client-authentication/presented-credentials';
import { checkPublicClientLimit, type PublicClientLimitDeps } from '../client-authentication/public-client-limit';
import type { HintDeps } from '../issued-tokens/verify-own-token';
import { noStoreHeaders, oauthError, oauthFailure } from '../token/oauth-error';
import { type Form, oauthForm, parseForm } from '../token/oauth-form';
import { readProofKey } from '../token/proof-key';
import type { BindingDeps } from '../token/sender-constraint';
import { OAuthErrorAnswer } from '../token/token-endpoint';
import { parseAuthorizationRequest, readParameters } from './parse-request';
import { type PushedDeps, pushRequest } from './pushed-request';
import { applyIdTokenHint } from './resolve-request';

export interface ParDeps extends PushedDeps, ClientDeps, BindingDeps, PublicClientLimitDeps, HintDeps {}

type ParRequest = RouteRequest<unknown, unknown, Form>;

const parEndpointOf = ({ issuer }: ParDeps): string => `${issuer}/oauth/par`;

const authenticateApplicationClient = async (
  deps: ParDeps,
  { body, headers, certificate }: ParRequest,
): Promise<Either<JsonAnswer, ApplicationClient>> => {
  const form = parseForm(body);
  if (isLeft(form)) return form;
  const { parameters } = form.right;
  const credentials = { parameters, authorization: headers.authorization, certificate };
  const client = await authenticateClient(deps, {
    ...credentials,
    endpoint: parEndpointOf(deps),
    at: deps.clock.now(),
  });
  if (isLeft(client)) return client;
  return client.right.kind === 'application'
    ? right(client.right)
    : oauthFailure('unauthorized_client', 'Only applications can request the authorization of people.');
};

const parsePushedRequest = async (
  deps: ParDeps,
  { application, clientId, tenantId }: ApplicationClient,
  form: Form,
): Promise<Either<JsonAnswer, AuthorizationRequest>> => {
  const parameters = readParameters(form);
  const { redirect_uri: redirectUri } = parameters.single;
  if (parameters.single.request_uri !== undefined)
    return oauthFailure('invalid_request', 'Push the request itself, not a request_uri.');
  if (redirectUri === undefined || !isRegisteredRedirect(application.redirectUris, redirectUri))
    return oauthFailure('invalid_request', 'The redirect_uri is not registered for the client.');
  const audiences = await loadAudiences(deps, tenantId);
  if (isLeft(audiences)) return oauthFailure('temporarily_unavailable', audiences.left.detail);
  const request = parseAuthorizationRequest(parameters, {
    clientId,
    redirectUri,
    application,
    issuer: deps.issuer,
    audiences: audiences.right,
    pushed: true,
  });
  if (!isLeft(request)) return request;
  const { error, description } = request.left;
  const refused = oauthError('invalid_request', description);
  return left({ ...refused, body: { error, error_description: description } });
};

const bindToProofKey = (
  request: AuthorizationRequest,
  jkt: string | null,
): Either<JsonAnswer, AuthorizationRequest> => {
  if (jkt === null) return right(request);
  return request.jkt === null || request.jkt === jkt
    ? right({ ...request, jkt })
    : oauthFailure('invalid_request', 'The dpop_jkt is not that of the proof.');
};

const pushAuthorizationRequest = async (deps: ParDeps, request: ParRequest): Promise<JsonAnswer> => {
  const client = await authenticateApplicationClient(deps, request);
  if (isLeft(client)) return client.left;
  const tooMany = await checkPublicClientLimit(deps, client.right, request.headers);
  if (tooMany !== undefined) return tooMany;
  const at = deps.clock.now();
  // Binds the code as `dpop_jkt` does (RFC 9449 section 10.1).
  const key = await readProofKey(deps, { request, client: client.right, endpoint: parEndpointOf(deps), at });
  if (isLeft(key)) return key.left;
  const parsed = await parsePushedRequest(deps, client.right, request.body);
  if (isLeft(parsed)) return parsed.left;
  const meant = await applyIdTokenHint(deps, readParameters(request.body), parsed.right);
  if (isLeft(meant)) return oauthError('temporarily_unavailable', meant.left.detail);
  const bound = bindToProofKey(meant.right, key.right);
  if (isLeft(bound)) return bound.left;
  const occasion = { tenantId: client.right.tenantId, at, requestId: request.requestId };
  const pushed = await pushRequest(deps, bound.right, occasion);
  if (isLeft(pushed)) return oauthError('temporarily_unavailable', pushed.left.detail);
  const { requestUri, expiresInSeconds } = pushed.right;
  return { status: 201, body: { request_uri: requestUri, expires_in: expiresInSeconds }, headers: noStoreHeaders };
};

const PushedAnswer = record('PushedAuthorization', {
  request_uri: text('RequestUri', {
    examples: ['urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c'],
    maxLength: 128,
  }),
  expires_in: integer(1),
});
const refusal = (description: string) => ({ description, body: OAuthErrorAnswer });

export const parRoute = route<ParDeps>()({
  method: 'post',
  path: '/oauth/par',
  operation: 'pushAuthorizationRequest',
  example: {
    client_id: 'acme~7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a',
    response_type: 'code',
    redirect_uri: 'https://orders.example.org/callback',
    scope: 'openid profile',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  },
  sensitive: false,
  limitGroup: 'authorization',
  summary: 'Push an authorization request (RFC 9126)',
  description:
    'Takes the parameters of /oauth/authorize; the client authenticates as at the token endpoint (RFC 9126).',
  access: 'public',
  body: oauthForm('PushedAuthorizationForm', { type: 'object' }),
  bodyType: 'form',
  headers: [{ name: 'DPoP', description: 'Binds the code to the key of the proof (RFC 9449 section 10.1).' }],
  answers: {
    201: {
      description: 'Send the person to /oauth/authorize with it, once.',
      body: PushedAnswer,
      headers: ['Cache-Control'],
    },
    400: refusal('The request is invalid; `error` has the reason.'),
    401: refusal('The client is not authenticated.'),
    429: refusal('Too many requests of a client without a secret from one network.'),
    503: refusal('Nothing was recorded.'),
  },
  handle: async (deps, request) => {
    const { origin, authorization } = request.headers;
    const clientId = claimedClientId(request.body, authorization);
    return allowClientOrigin(deps, await pushAuthorizationRequest(deps, request), { origin, clientId });
  },
});
