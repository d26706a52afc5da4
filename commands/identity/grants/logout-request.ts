/** What an application asks for when it signs somebody out: where they go after, once it is known to be a place of its own. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { PageAnswer } from '../../../infra/http/route';
import { readClientName } from '../clients/client-name';
import { type ClientSource, loadClient } from '../clients/load-client';
import type { Fields } from '../pages/form';
import { failurePage } from '../pages/page';
import type { ReadDeps } from './access-token-shown';
import { type Hint, readHint } from './id-token-hint';

export interface LogoutRequest {
  readonly hint: Hint | undefined;
  /** Null: a page of ours. */
  readonly after: string | null;
  /** Said again by the form that asks. */
  readonly again: Fields;
}

const refused = (detail: string): Either<PageAnswer, never> => left(failurePage(400, 'This cannot be done', detail));
const notNow = (): Either<PageAnswer, never> =>
  left(failurePage(503, 'Not right now', 'It cannot be looked up at the moment. Try again in a little while.'));

const longestState = 2_048;

const withState = (uri: string, state: string | undefined): string =>
  state === undefined ? uri : `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;

/** Compared as they are written: nobody is sent where an application has not said. */
const afterOf = async (
  source: ClientSource,
  clientId: string | undefined,
  { post_logout_redirect_uri: uri, state }: Fields,
): Promise<Either<PageAnswer, string | null>> => {
  if (uri === undefined) return right(null);
  const name = clientId === undefined ? undefined : readClientName(clientId);
  if (name === undefined) return refused('The application that sent you here did not say which one it is.');
  const found = await loadClient(source, name);
  if (isLeft(found)) return notNow();
  const known = found.right?.enabled === true && found.right.postLogoutRedirectUris.includes(uri);
  if (!known) return refused('The application that sent you here is not registered for the page to go on to.');
  return right(withState(uri, state?.slice(0, longestState)));
};

export const logoutRequest = async (
  deps: ClientSource & ReadDeps,
  fields: Fields,
): Promise<Either<PageAnswer, LogoutRequest>> => {
  const { id_token_hint: written, client_id: named } = fields;
  const read = written === undefined ? right(undefined) : await readHint(deps, written);
  if (isLeft(read)) return notNow();
  const hint = read.right;
  if (written !== undefined && hint === undefined)
    return refused('The application did not show who is to be signed out.');
  if (hint !== undefined && named !== undefined && hint.clientId !== named)
    return refused('The application is not the one that the sign-in was for.');
  const after = await afterOf(deps, named ?? hint?.clientId, fields);
  if (isLeft(after)) return after;
  const { post_logout_redirect_uri: uri, state } = fields;
  const again = { id_token_hint: written, client_id: named, post_logout_redirect_uri: uri, state };
  return right({ hint, after: after.right, again });
};
