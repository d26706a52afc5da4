/** Completes a request of a signed-in person: checks authority and consent, and issues the code. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { AuthorizationErrorCode } from '../../../../domain/identity/authorization/authorization-request';
import { isInterceptionSafe } from '../../../../domain/identity/client/redirect-uri';
import { covers } from '../../../../domain/identity/consent/decider';
import type { AnswerRequest } from '../../../../domain/identity/pushed-request/decider';
import type { Scope } from '../../../../domain/identity/scopes';
import { grantableScopes } from '../../../../domain/identity/scopes';
import type { PageAnswer } from '../../../../infra/server/http/routing/route';
import type { HandleDeps } from '../../../kernel/handle-request';
import type { StreamSource } from '../../../kernel/load-stream';
import { loadConsent } from '../../consent/consent-records';
import { loadPrincipal } from '../../principals/load-principal';
import type { CurrentSession } from '../../sessions/current-session';
import { type IssueCodeDeps, issueCode } from '../authorization-code/issue-code';
import { codeResponse, errorResponse, type ResponseTarget } from './authorization-response';
import { answerPushedRequest } from './pushed-request';
import type { RequestTime, ResolvedRequest } from './resolve-request';
import { authorizationErrorPage, unavailablePage } from './verified-client';

export interface CompleteDeps extends IssueCodeDeps {
  readonly issuer: string;
}

/** A request with its session and the scopes that the person can grant. */
export interface AuthorizationContext {
  readonly begun: ResolvedRequest;
  readonly session: CurrentSession;
  readonly scopes: readonly Scope[];
}

const responseTargetOf = (
  { issuer }: Pick<CompleteDeps, 'issuer'>,
  resolved: ResolvedRequest,
  afterForm = resolved.resumed,
): ResponseTarget => {
  const { redirectUri, responseMode, state } = resolved.underWay.request;
  return { redirectUri, responseMode, state, issuer, afterForm };
};

const alreadyAnswered = authorizationErrorPage(
  'This request was answered before. Go back to the application and try again.',
  409,
);

/** Before the answer leaves: a reference to a pushed request counts no more after it. Left: the request was answered otherwise. */
const endPushedRequest = async (
  deps: HandleDeps,
  { client: { tenantId, clientId }, underWay: { pushedRequestId } }: ResolvedRequest,
  { type, moment }: { readonly type: AnswerRequest['type']; readonly moment: RequestTime },
): Promise<Either<PageAnswer, void>> => {
  if (pushedRequestId === undefined) return right(undefined);
  const ended = await answerPushedRequest(
    deps,
    { requestId: pushedRequestId, type, clientId },
    { tenantId, ...moment },
  );
  if (!isLeft(ended)) return ended;
  return left(ended.left.code === 'request-used' ? alreadyAnswered : unavailablePage(ended.left.detail));
};

interface Refusal {
  readonly error: AuthorizationErrorCode;
  readonly description: string;
  readonly moment: RequestTime;
}

/** Error response to the client. */
export const errorResponseFor = async (
  deps: HandleDeps & Pick<CompleteDeps, 'issuer'>,
  resolved: ResolvedRequest,
  { error, description, moment }: Refusal,
): Promise<PageAnswer> => {
  const ended = await endPushedRequest(deps, resolved, { type: 'RefuseRequest', moment });
  return isLeft(ended) ? ended.left : errorResponse(responseTargetOf(deps, resolved), { error, description });
};

/** Left: an error page or response. */
export const loadAuthorizationContext = async (
  deps: HandleDeps & Pick<CompleteDeps, 'issuer'>,
  resolved: ResolvedRequest,
  { session, moment }: { readonly session: CurrentSession; readonly moment: RequestTime },
): Promise<Either<PageAnswer, AuthorizationContext>> => {
  const principal = await loadPrincipal(deps, session);
  if (isLeft(principal)) return left(unavailablePage(principal.left.detail));
  const person = principal.right;
  if (person.kind === 'none' || person.principalType !== 'HUMAN' || person.status !== 'ACTIVE')
    return left(
      await errorResponseFor(deps, resolved, {
        error: 'access_denied',
        description: 'The account is not active.',
        moment,
      }),
    );
  const scopes = grantableScopes(resolved.underWay.request.scopes, person);
  if (scopes.length === 0)
    return left(
      await errorResponseFor(deps, resolved, {
        error: 'access_denied',
        description: 'The person has none of the requested scopes.',
        moment,
      }),
    );
  return right({ begun: resolved, session, scopes });
};

/** Applications that others can impersonate need consent each time (RFC 8252 section 8.6). */
export const hasConsent = async (
  source: StreamSource,
  { begun: resolved, session, scopes }: AuthorizationContext,
): Promise<Either<PageAnswer, boolean>> => {
  const { client, underWay: interaction } = resolved;
  if (client.application.firstParty) return right(true);
  // The document may change between requests.
  if (client.document !== undefined) return right(false);
  if (!isInterceptionSafe(interaction.request.redirectUri)) return right(false);
  const { tenantId, principalId } = session;
  const consent = await loadConsent(source, { tenantId, principalId, clientId: client.clientId });
  if (isLeft(consent)) return left(unavailablePage(consent.left.detail));
  const { consentEpoch: clientEpoch } = client.application;
  return right(covers(consent.right, { scopes, audience: interaction.request.audience, clientEpoch }));
};

export const completeAuthorization = async (
  deps: CompleteDeps,
  { begun: resolved, session, scopes }: AuthorizationContext,
  { moment, afterForm }: { readonly moment: RequestTime; readonly afterForm: boolean },
): Promise<PageAnswer> => {
  const ended = await endPushedRequest(deps, resolved, { type: 'UseRequest', moment });
  if (isLeft(ended)) return ended.left;
  const { at, requestId } = moment;
  const { grantEpoch: clientEpoch } = resolved.client.application;
  const approved = { underWay: resolved.underWay, session, scopes, clientEpoch, at, requestId };
  const issued = await issueCode(deps, approved);
  if (isLeft(issued)) return issued.left.kind === 'answered' ? alreadyAnswered : unavailablePage(issued.left.detail);
  return codeResponse(responseTargetOf(deps, resolved, afterForm), issued.right);
};
