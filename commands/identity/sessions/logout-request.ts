/** Parses a logout request (RP-Initiated Logout section 2) and verifies its post_logout_redirect_uri. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { maxStateLength } from '../../../domain/identity/authorization/authorization-request';
import { isRegisteredRedirect } from '../../../domain/identity/client/redirect-uri';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { applicationNameOf, type ClientSource, loadClient } from '../clients/load-client';
import { type HintDeps, type IdTokenHint, verifyIdTokenHint } from '../oauth/issued-tokens/verify-own-token';
import type { Fields } from '../pages/form';
import { failurePage } from '../pages/page';

export interface LogoutRequest {
  /** Undefined: none, or none that can be verified; the person has to confirm then (RP-Initiated Logout section 6). */
  readonly hint: IdTokenHint | undefined;
  /** Null: the own signed-out page. */
  readonly after: string | null;
  /** Fields that the confirmation form repeats. */
  readonly again: Fields;
}

const invalidLogout = (detail: string): Either<PageAnswer, never> =>
  left(failurePage(400, 'This cannot be done', detail));
const temporarilyUnavailable = (): Either<PageAnswer, never> =>
  left(failurePage(503, 'Not right now', 'It cannot be looked up at the moment. Try again in a little while.'));

const addState = (uri: string, state: string | undefined): string =>
  state === undefined ? uri : `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;

/** Compared with the registered URIs as redirect URIs are. Without a client there is nothing to compare with, so the address is not followed. */
const postLogoutUri = async (
  source: ClientSource,
  clientId: string | undefined,
  { post_logout_redirect_uri: uri, state }: Fields,
): Promise<Either<PageAnswer, string | null>> => {
  const name = clientId === undefined ? undefined : applicationNameOf(source, clientId);
  if (uri === undefined || name === undefined) return right(null);
  const found = await loadClient(source, name);
  if (isLeft(found)) return temporarilyUnavailable();
  const isRegistered = found.right?.enabled === true && isRegisteredRedirect(found.right.postLogoutRedirectUris, uri);
  if (!isRegistered)
    return invalidLogout('The application that sent you here is not registered for the page it asks to return to.');
  if (state !== undefined && state.length > maxStateLength)
    return invalidLogout(`The application sent a state of more than ${maxStateLength} characters.`);
  return right(addState(uri, state));
};

export const parseLogoutRequest = async (
  deps: ClientSource & HintDeps,
  fields: Fields,
): Promise<Either<PageAnswer, LogoutRequest>> => {
  const { id_token_hint: written, client_id: named } = fields;
  const read = written === undefined ? right(undefined) : await verifyIdTokenHint(deps, written);
  if (isLeft(read)) return temporarilyUnavailable();
  const hint = read.right;
  if (hint !== undefined && named !== undefined && hint.clientId !== named)
    return invalidLogout('The application is not the one that the sign-in was for.');
  const after = await postLogoutUri(deps, named ?? hint?.clientId, fields);
  if (isLeft(after)) return after;
  const { post_logout_redirect_uri: uri, state } = fields;
  const retryFields = { id_token_hint: written, client_id: named, post_logout_redirect_uri: uri, state };
  return right({ hint, after: after.right, again: retryFields });
};
