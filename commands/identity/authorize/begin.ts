/** How an authorization request reaches us: in the open, pushed ahead, or on its way back from a page of ours. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { AuthorizationError } from '../../../domain/identity/authorization/request';
import type { Instant } from '../../../domain/kernel/codec';
import type { PageAnswer } from '../../../infra/http/route';
import type { Kms } from '../../../infra/ports/kms';
import type { ClientSource } from '../clients/load-client';
import type { ReadDeps } from '../grants/access-token-shown';
import { answerError } from './answers';
import { hinted } from './hinted';
import type { Given } from './parameters';
import { cannotGoOn, findClient, type ProvenClient, proveRedirect, unavailablePage } from './proven-client';
import { isPushed, type PushedDeps, usePushed } from './pushed';
import { readRequest } from './read-request';
import { readUnderWay, type UnderWay } from './under-way';

export interface BeginDeps extends PushedDeps, ClientSource {
  readonly kms: Pick<Kms, 'derive'> & ReadDeps['kms'];
}

export interface Begun {
  readonly client: ProvenClient;
  readonly underWay: UnderWay;
  /** A page of ours was in between. */
  readonly resumed: boolean;
}

export interface Moment {
  readonly at: Instant;
  readonly requestId: string;
}

type Beginning = Promise<Either<PageAnswer, Begun>>;

const over = cannotGoOn('The request is over, or was used before. Go back to the application and try again.');

/** It may have been disabled, or its addresses changed, while the person was away. */
const stillProven = async (source: ClientSource, { underWay, resumed }: Omit<Begun, 'client'>): Beginning => {
  const client = await findClient(source, underWay.request.clientId);
  if (isLeft(client)) return client;
  const redirectUri = proveRedirect(client.right, underWay.request.redirectUri);
  return isLeft(redirectUri) ? redirectUri : right({ client: client.right, underWay, resumed });
};

export const resume = async (deps: BeginDeps, sealed: string, at: Instant): Beginning => {
  const underWay = await readUnderWay(deps.kms, sealed, at);
  if (isLeft(underWay)) return left(unavailablePage(underWay.left.problem.detail));
  if (underWay.right === undefined) return left(over);
  return stillProven(deps, { underWay: underWay.right, resumed: true });
};

const plainly = (given: Given, name: string): string | undefined =>
  given.repeated.includes(name) ? undefined : given.single[name];

const refusal = (deps: BeginDeps, given: Given, [redirectUri, error]: [string, AuthorizationError]): PageAnswer => {
  const { state = null, response_mode: mode } = given.single;
  const responseMode = mode === 'form_post' ? 'form_post' : 'query';
  return answerError({ redirectUri, responseMode, state, issuer: deps.issuer, afterForm: false }, error);
};

/** Told to the client where it can be told; a request of its own making is fetched from nowhere. */
const notPushed = (deps: BeginDeps, given: Given, client: ProvenClient): PageAnswer => {
  const redirectUri = proveRedirect(client, plainly(given, 'redirect_uri'));
  if (isLeft(redirectUri)) return cannotGoOn('The application refers to a request that it did not push.');
  const description = 'Only a request that was pushed here can be referred to.';
  return refusal(deps, given, [redirectUri.right, { error: 'request_uri_not_supported', description }]);
};

const beginPushed = async (deps: BeginDeps, given: Given, { at, requestId }: Moment): Beginning => {
  const client = await findClient(deps, given.single.client_id);
  if (isLeft(client)) return client;
  const { clientId, tenantId } = client.right;
  const { request_uri: requestUri = '' } = given.single;
  if (!isPushed(requestUri)) return left(notPushed(deps, given, client.right));
  const used = await usePushed(deps, { clientId, requestUri }, { tenantId, at, requestId });
  if (isLeft(used)) return left(unavailablePage(used.left.detail));
  if (used.right === undefined) return left(over);
  const underWay = { id: deps.random.uuid(), startedAt: at, request: used.right };
  return stillProven(deps, { underWay, resumed: false });
};

const beginOpenly = async (deps: BeginDeps, given: Given, { at }: Moment): Beginning => {
  const client = await findClient(deps, plainly(given, 'client_id'));
  if (isLeft(client)) return client;
  const redirectUri = proveRedirect(client.right, plainly(given, 'redirect_uri'));
  if (isLeft(redirectUri)) return redirectUri;
  const { clientId, application } = client.right;
  const { audiences } = deps;
  const asking = { clientId, redirectUri: redirectUri.right, application, audiences, pushed: false };
  const request = readRequest(given, asking);
  if (isLeft(request)) return left(refusal(deps, given, [redirectUri.right, request.left]));
  const meant = await hinted(deps, given, request.right);
  if (isLeft(meant)) return left(unavailablePage(meant.left.detail));
  const underWay = { id: deps.random.uuid(), startedAt: at, request: meant.right };
  return right({ client: client.right, underWay, resumed: false });
};

export const begin = (deps: BeginDeps, given: Given, moment: Moment): Beginning => {
  const { resume: sealed, request_uri: requestUri } = given.single;
  if (sealed !== undefined) return resume(deps, sealed, moment.at);
  if (requestUri !== undefined || given.repeated.includes('request_uri')) return beginPushed(deps, given, moment);
  return beginOpenly(deps, given, moment);
};
