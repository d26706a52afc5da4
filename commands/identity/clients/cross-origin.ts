/** CORS for browser applications: allows the origins of the client's redirect URIs. */
import { isLeft } from 'fp-ts/Either';
import type { Application } from '../../../domain/identity/client/state';
import { readableByHeader } from '../../../infra/server/http/routing/cross-origin';
import type { JsonAnswer } from '../../../infra/server/http/routing/route';
import { applicationNameOf, type ClientSource, loadClient } from './load-client';

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:';

const redirectOriginsOf = ({ redirectUris }: Application): readonly string[] =>
  redirectUris.flatMap((address) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    return url !== undefined && isWeb(url) ? [url.origin] : [];
  });

/** A client that cannot be loaded has no origins; the response stays the same. */
const isRegisteredOrigin = async (source: ClientSource, clientId: string, origin: string): Promise<boolean> => {
  const name = applicationNameOf(source, clientId);
  if (name === undefined) return false;
  const found = await loadClient(source, name);
  return !isLeft(found) && found.right?.enabled === true && redirectOriginsOf(found.right).includes(origin);
};

/**
 * Uses the client that the request names, even unauthenticated, so that an application can read its error. Programs send no `Origin` and
 * cost nothing here.
 */
export const allowClientOrigin = async (
  source: ClientSource,
  answer: JsonAnswer,
  request: { readonly origin: string | undefined; readonly clientId: string | undefined },
): Promise<JsonAnswer> => {
  const varying = { ...answer, headers: { ...answer.headers, Vary: 'Origin' } };
  const { origin, clientId } = request;
  if (origin === undefined || clientId === undefined) return varying;
  if (!(await isRegisteredOrigin(source, clientId, origin))) return varying;
  return { ...varying, headers: { ...varying.headers, [readableByHeader]: origin } };
};
