/** `POST /oauth/par` (RFC 9126): a client pushes its authorization request, and sends the person with a reference to it. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { isRegistered } from '../../../domain/identity/authorization/redirect-uri';
import type { AuthorizationRequest } from '../../../domain/identity/authorization/request';
import { integer, record, text } from '../../../domain/kernel/codec';
import { type JsonAnswer, type RouteRequest, route } from '../../../infra/http/route';
import { readableByClient } from '../clients/cross-origin';
import type { ReadDeps } from '../grants/access-token-shown';
import { authenticateClient, type ClientDeps } from '../token/authenticate-client';
import type { BindingDeps } from '../token/bind';
import type { ApplicationClient } from '../token/client';
import { type Form, formParts, oauthForm } from '../token/form';
import { oauthError, refuse, uncached } from '../token/oauth-error';
import { namedClient } from '../token/presented';
import { OAuthRefusal } from '../token/token';
import { hinted } from './hinted';
import { givenIn } from './parameters';
import { proofKeyOf } from './proof-key';
import { type PushedDeps, pushRequest } from './pushed';
import { readRequest } from './read-request';
import { type StrangerDeps, tooManyOf } from './strangers';

export interface ParDeps extends PushedDeps, ClientDeps, BindingDeps, StrangerDeps, ReadDeps {}

type ParRequest = RouteRequest<unknown, unknown, Form>;

const endpointOf = ({ issuer }: ParDeps): string => `${issuer}/oauth/par`;

const clientOf = async (
  deps: ParDeps,
  { body, headers, certificate }: ParRequest,
): Promise<Either<JsonAnswer, ApplicationClient>> => {
  const form = formParts(body);
  if (isLeft(form)) return form;
  const { parameters } = form.right;
  const shown = { parameters, authorization: headers.authorization, certificate };
  const client = await authenticateClient(deps, { ...shown, endpoint: endpointOf(deps), at: deps.clock.now() });
  if (isLeft(client)) return client;
  return client.right.kind === 'application'
    ? right(client.right)
    : refuse('unauthorized_client', 'Only applications ask people.');
};

const requestOf = (
  { audiences }: ParDeps,
  { application, clientId }: ApplicationClient,
  form: Form,
): Either<JsonAnswer, AuthorizationRequest> => {
  const given = givenIn(form);
  const { redirect_uri: redirectUri } = given.single;
  if (given.single.request_uri !== undefined)
    return refuse('invalid_request', 'A request is pushed itself, not a reference to one.');
  if (redirectUri === undefined || !isRegistered(application.redirectUris, redirectUri))
    return refuse('invalid_request', 'The redirect_uri is not one of the client.');
  const request = readRequest(given, { clientId, redirectUri, application, audiences, pushed: true });
  if (!isLeft(request)) return request;
  const { error, description } = request.left;
  const refused = oauthError('invalid_request', description);
  return left({ ...refused, body: { error, error_description: description } });
};

const boundTo = (request: AuthorizationRequest, jkt: string | null): Either<JsonAnswer, AuthorizationRequest> => {
  if (jkt === null) return right(request);
  return request.jkt === null || request.jkt === jkt
    ? right({ ...request, jkt })
    : refuse('invalid_request', 'The dpop_jkt is not that of the proof.');
};

const push = async (deps: ParDeps, request: ParRequest): Promise<JsonAnswer> => {
  const client = await clientOf(deps, request);
  if (isLeft(client)) return client.left;
  const tooMany = await tooManyOf(deps, client.right, request.headers);
  if (tooMany !== undefined) return tooMany;
  const at = deps.clock.now();
  // As `dpop_jkt` does (RFC 9449 section 10.1).
  const key = await proofKeyOf(deps, { request, client: client.right, endpoint: endpointOf(deps), at });
  if (isLeft(key)) return key.left;
  const asked = requestOf(deps, client.right, request.body);
  if (isLeft(asked)) return asked.left;
  const meant = await hinted(deps, givenIn(request.body), asked.right);
  if (isLeft(meant)) return oauthError('temporarily_unavailable', meant.left.detail);
  const bound = boundTo(meant.right, key.right);
  if (isLeft(bound)) return bound.left;
  const occasion = { tenantId: client.right.tenantId, at, requestId: request.requestId };
  const pushed = await pushRequest(deps, bound.right, occasion);
  if (isLeft(pushed)) return oauthError('temporarily_unavailable', pushed.left.detail);
  const { requestUri, expiresInSeconds } = pushed.right;
  return { status: 201, body: { request_uri: requestUri, expires_in: expiresInSeconds }, headers: uncached };
};

const Pushed = record('PushedAuthorization', {
  request_uri: text('RequestUri', { maxLength: 128 }),
  expires_in: integer(1),
});
const refusal = (description: string) => ({ description, body: OAuthRefusal });

export const parRoute = route<ParDeps>()({
  method: 'post',
  path: '/oauth/par',
  operation: 'pushAuthorizationRequest',
  sensitive: false,
  limitGroup: 'authorization',
  summary: 'Push an authorization request',
  description:
    'What would be said at /oauth/authorize, by a client that authenticates as at the token endpoint (RFC 9126).',
  access: 'public',
  body: oauthForm('PushedAuthorizationForm', { type: 'object' }),
  bodyType: 'form',
  headers: [{ name: 'DPoP', description: 'Binds the code to the key of the proof (RFC 9449 section 10.1).' }],
  answers: {
    201: {
      description: 'Send the person to /oauth/authorize with it, once.',
      body: Pushed,
      headers: ['Cache-Control'],
    },
    400: refusal('The request is not in order; `error` says why.'),
    401: refusal('The client is not authenticated.'),
    429: refusal('A client without a secret is asked for too often from there.'),
    503: refusal('Nothing was kept.'),
  },
  handle: async (deps, request) => {
    const { origin, authorization } = request.headers;
    const clientId = namedClient(request.body, authorization);
    return readableByClient(deps, await push(deps, request), { origin, clientId });
  },
});
