/** Answers a request that a person is signed in for, as far as they may. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { grantable } from '../../../domain/identity/authorization/allowed';
import { isAssured } from '../../../domain/identity/authorization/redirect-uri';
import type { AuthorizationErrorCode } from '../../../domain/identity/authorization/request';
import { covers } from '../../../domain/identity/consent/decider';
import type { Scope } from '../../../domain/identity/scopes';
import type { PageAnswer } from '../../../infra/http/route';
import type { StreamSource } from '../../kernel/load-stream';
import { loadPrincipal } from '../principals/load-principal';
import type { CurrentSession } from '../sessions/current';
import { answerCode, answerError, type Told } from './answers';
import type { Begun, Moment } from './begin';
import { loadConsent } from './consent-given';
import { type IssueCodeDeps, issueCode } from './issue-code';
import { cannotGoOn, unavailablePage } from './proven-client';

export interface ConcludeDeps extends IssueCodeDeps {
  readonly issuer: string;
}

/** A request, the person before the browser, and what they can hand out of what is asked for. */
export interface Asked {
  readonly begun: Begun;
  readonly session: CurrentSession;
  readonly scopes: readonly Scope[];
}

const toldOf = ({ issuer }: Pick<ConcludeDeps, 'issuer'>, begun: Begun, afterForm = begun.resumed): Told => {
  const { redirectUri, responseMode, state } = begun.underWay.request;
  return { redirectUri, responseMode, state, issuer, afterForm };
};

/** What the client is told where it goes wrong. */
export const refuseWith = (
  deps: Pick<ConcludeDeps, 'issuer'>,
  begun: Begun,
  [error, description]: readonly [AuthorizationErrorCode, string],
): PageAnswer => answerError(toldOf(deps, begun), { error, description });

/** Left: the page or the answer; there is nothing that could be allowed. */
export const askedOf = async (
  deps: StreamSource & Pick<ConcludeDeps, 'issuer'>,
  begun: Begun,
  session: CurrentSession,
): Promise<Either<PageAnswer, Asked>> => {
  const principal = await loadPrincipal(deps, session);
  if (isLeft(principal)) return left(unavailablePage(principal.left.detail));
  const person = principal.right;
  if (person.kind === 'none' || person.principalType !== 'HUMAN' || person.status !== 'ACTIVE')
    return left(refuseWith(deps, begun, ['access_denied', 'Nobody may act for this account right now.']));
  const scopes = grantable(begun.underWay.request.scopes, person);
  if (scopes.length === 0)
    return left(refuseWith(deps, begun, ['access_denied', 'The person may do nothing of what is asked for.']));
  return right({ begun, session, scopes });
};

/** Of an application that anybody can pose as, nothing that was allowed before says anything (RFC 8252 section 8.6). */
export const isAllowed = async (
  source: StreamSource,
  { begun, session, scopes }: Asked,
): Promise<Either<PageAnswer, boolean>> => {
  const { client, underWay } = begun;
  if (client.application.firstParty) return right(true);
  if (!isAssured(underWay.request.redirectUri)) return right(false);
  const { tenantId, principalId } = session;
  const given = await loadConsent(source, { tenantId, principalId, clientId: client.clientId });
  if (isLeft(given)) return left(unavailablePage(given.left.detail));
  return right(covers(given.right, { scopes, audience: underWay.request.audience }));
};

const answeredBefore = cannotGoOn('This request was answered before. Go back to the application and try again.', 409);

export const conclude = async (
  deps: ConcludeDeps,
  { begun, session, scopes }: Asked,
  { moment, afterForm }: { readonly moment: Moment; readonly afterForm: boolean },
): Promise<PageAnswer> => {
  const { at, requestId } = moment;
  const issued = await issueCode(deps, { underWay: begun.underWay, session, scopes, at, requestId });
  if (isLeft(issued)) return issued.left.kind === 'answered' ? answeredBefore : unavailablePage(issued.left.detail);
  return answerCode(toldOf(deps, begun, afterForm), issued.right);
};
