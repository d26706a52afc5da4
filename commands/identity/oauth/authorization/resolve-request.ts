/**
 * Resolves an authorization request: from the query, pushed, or resumed after a page. Applies an id_token_hint (OpenID Connect Core section
 * 3.1.2.1).
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type AuthorizationError,
  type AuthorizationRequest,
  maxStateLength,
} from '../../../../domain/identity/authorization/authorization-request';
import { waivesPkce } from '../../../../domain/identity/client/state';
import type { Instant } from '../../../../domain/kernel/codec';
import type { Kms, KmsFault } from '../../../../infra/ports/kms';
import type { PageAnswer } from '../../../../infra/server/http/routing/route';
import type { ClientSource } from '../../clients/load-client';
import { loadAudiences } from '../../protected-apis/load-registry';
import { type HintDeps, verifyIdTokenHint } from '../issued-tokens/verify-own-token';
import { errorResponse } from './authorization-response';
import { type Interaction, openInteraction } from './interaction';
import { parseAuthorizationRequest, type RequestParameters } from './parse-request';
import { isPushedRequestUri, openPushedRequest, type PushedDeps } from './pushed-request';
import {
  authorizationErrorPage,
  unavailablePage,
  type VerifiedClient,
  verifyClient,
  verifyRedirectUri,
} from './verified-client';

export const applyIdTokenHint = async (
  deps: HintDeps,
  { single: { id_token_hint: written } }: RequestParameters,
  request: AuthorizationRequest,
): Promise<Either<KmsFault, AuthorizationRequest>> => {
  if (written === undefined) return right(request);
  const read = await verifyIdTokenHint(deps, written);
  if (isLeft(read)) return read;
  const hint = read.right;
  if (hint?.clientId === (request.metadataUrl ?? request.clientId))
    return right({ ...request, subject: hint.principalId });
  // The hint cannot be verified when its key is gone, so a sign-in is required.
  return right({ ...request, prompt: [...request.prompt, 'login'] });
};

export interface ResolveDeps extends PushedDeps, ClientSource {
  readonly kms: Pick<Kms, 'derive'> & HintDeps['kms'];
}

export interface ResolvedRequest {
  readonly client: VerifiedClient;
  readonly underWay: Interaction;
  /** The request was resumed after a page. */
  readonly resumed: boolean;
}

export interface RequestTime {
  readonly at: Instant;
  readonly requestId: string;
}

type Resolution = Promise<Either<PageAnswer, ResolvedRequest>>;

const requestExpired = authorizationErrorPage(
  'The request has expired, or was answered before. Go back to the application and try again.',
);

/** The client may have been disabled or changed since. */
const recheckClient = async (
  source: ClientSource,
  { underWay: interaction, resumed }: Omit<ResolvedRequest, 'client'>,
): Resolution => {
  const { clientId, metadataUrl = clientId } = interaction.request;
  const client = await verifyClient(source, metadataUrl);
  if (isLeft(client)) return client;
  if (interaction.request.challenge === null && !waivesPkce(client.right.application)) return left(requestExpired);
  const redirectUri = verifyRedirectUri(client.right, interaction.request.redirectUri);
  return isLeft(redirectUri) ? redirectUri : right({ client: client.right, underWay: interaction, resumed });
};

export const resumeInteraction = async (deps: ResolveDeps, sealed: string, at: Instant): Resolution => {
  const interaction = await openInteraction(deps.kms, sealed, at);
  if (isLeft(interaction)) return left(unavailablePage(interaction.left.problem.detail));
  if (interaction.right === undefined) return left(requestExpired);
  return recheckClient(deps, { underWay: interaction.right, resumed: true });
};

const singleParameter = (parameters: RequestParameters, name: string): string | undefined =>
  parameters.repeated.includes(name) ? undefined : parameters.single[name];

/** A state that is too long is returned with the error about it, as long as an address can hold it. */
const maxReturnedStateLength = 2 * maxStateLength;

const errorResponseAt = (
  deps: ResolveDeps,
  parameters: RequestParameters,
  { redirectUri, error }: { readonly redirectUri: string; readonly error: AuthorizationError },
): PageAnswer => {
  const { state = null, response_mode: mode } = parameters.single;
  if (state !== null && state.length > maxReturnedStateLength) return authorizationErrorPage(error.description);
  const responseMode = mode === 'form_post' ? 'form_post' : 'query';
  return errorResponse({ redirectUri, responseMode, state, issuer: deps.issuer, afterForm: false }, error);
};

/** Reports the error to the client when its redirect URI is verified; `request_uri` of other origins is never fetched. */
const pushRequired = (deps: ResolveDeps, parameters: RequestParameters, client: VerifiedClient): PageAnswer => {
  const redirectUri = verifyRedirectUri(client, singleParameter(parameters, 'redirect_uri'));
  if (isLeft(redirectUri)) return authorizationErrorPage('The application refers to a request that it did not push.');
  const description = 'Only a request that was pushed here can be referred to.';
  return errorResponseAt(deps, parameters, {
    redirectUri: redirectUri.right,
    error: { error: 'request_uri_not_supported', description },
  });
};

const resolvePushed = async (
  deps: ResolveDeps,
  parameters: RequestParameters,
  { at, requestId }: RequestTime,
): Resolution => {
  const client = await verifyClient(deps, parameters.single.client_id);
  if (isLeft(client)) return client;
  const { clientId, tenantId } = client.right;
  const { request_uri: requestUri = '' } = parameters.single;
  if (!isPushedRequestUri(requestUri)) return left(pushRequired(deps, parameters, client.right));
  const opened = await openPushedRequest(deps, { clientId, requestUri }, { tenantId, at, requestId });
  if (isLeft(opened)) return left(unavailablePage(opened.left.detail));
  if (opened.right === undefined) return left(requestExpired);
  const { requestId: pushedRequestId, openedAt: startedAt, request } = opened.right;
  // The same interaction however often the page is loaded: it has one code.
  const interaction = { id: pushedRequestId, startedAt, request, pushedRequestId };
  return recheckClient(deps, { underWay: interaction, resumed: false });
};

const resolveQuery = async (deps: ResolveDeps, parameters: RequestParameters, { at }: RequestTime): Resolution => {
  const client = await verifyClient(deps, singleParameter(parameters, 'client_id'));
  if (isLeft(client)) return client;
  const redirectUri = verifyRedirectUri(client.right, singleParameter(parameters, 'redirect_uri'));
  if (isLeft(redirectUri)) return redirectUri;
  const { clientId, application } = client.right;
  const audiences = await loadAudiences(deps, client.right.tenantId);
  if (isLeft(audiences)) return left(unavailablePage(audiences.left.detail));
  const home = { issuer: deps.issuer, audiences: audiences.right };
  const asking = { clientId, redirectUri: redirectUri.right, application, ...home, pushed: false };
  const request = parseAuthorizationRequest(parameters, asking);
  if (isLeft(request))
    return left(errorResponseAt(deps, parameters, { redirectUri: redirectUri.right, error: request.left }));
  const meant = await applyIdTokenHint(deps, parameters, request.right);
  if (isLeft(meant)) return left(unavailablePage(meant.left.detail));
  const interaction = { id: deps.random.uuid(), startedAt: at, request: meant.right };
  return right({ client: client.right, underWay: interaction, resumed: false });
};

export const resolveRequest = (deps: ResolveDeps, parameters: RequestParameters, moment: RequestTime): Resolution => {
  const { resume: sealed, request_uri: requestUri } = parameters.single;
  if (sealed !== undefined) return resumeInteraction(deps, sealed, moment.at);
  if (requestUri !== undefined || parameters.repeated.includes('request_uri'))
    return resolvePushed(deps, parameters, moment);
  return resolveQuery(deps, parameters, moment);
};
