/** Reads client credentials from a request (RFC 6749 section 2.3, RFC 7521); more than one method is an error. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { decodeJwt } from 'jose';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import { oauthFailure } from '../token/oauth-error';
import { type Form, type Parameters, parseForm } from '../token/oauth-form';

export type PresentedClientCredentials =
  | {
      readonly kind: 'secret';
      readonly method: 'client_secret_basic' | 'client_secret_post';
      readonly clientId: string;
      readonly secret: string;
    }
  | { readonly kind: 'assertion'; readonly clientId: string; readonly assertion: string }
  /** By its certificate, or not at all. */
  | { readonly kind: 'name'; readonly clientId: string };

type CredentialsResult = Either<JsonAnswer, PresentedClientCredentials>;

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const percentDecoded = (encoded: string): string | undefined => {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

/** Both parts are form-encoded (RFC 6749 section 2.3.1). With an empty password the client only names itself, as public clients do. */
const parseBasic = (authorization: string): PresentedClientCredentials | undefined => {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]{1,5500}={0,2})$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const [clientId, secret] = [percentDecoded(pair.slice(0, Math.max(colon, 0))), percentDecoded(pair.slice(colon + 1))];
  if (colon < 0 || !clientId || secret === undefined) return undefined;
  return secret === ''
    ? { kind: 'name', clientId }
    : { kind: 'secret', method: 'client_secret_basic', clientId, secret };
};

const readBasicCredentials = (authorization: string): CredentialsResult => {
  const basic = parseBasic(authorization);
  if (basic === undefined)
    return oauthFailure('invalid_client', 'The Authorization header does not contain Basic credentials.');
  return right(basic);
};

/** Unverified: only selects the client. */
const assertionSubjectOf = (assertion: string): string | undefined => {
  try {
    const { sub } = decodeJwt(assertion);
    return typeof sub === 'string' ? sub : undefined;
  } catch {
    return undefined;
  }
};

const readAssertionCredentials = ({
  client_assertion: assertion,
  client_assertion_type: type,
}: Parameters): CredentialsResult => {
  if (assertion === undefined || type !== assertionType)
    return oauthFailure(
      'invalid_client',
      'The client assertion must be a JWT, with the matching client_assertion_type.',
    );
  const clientId = assertionSubjectOf(assertion);
  if (clientId === undefined) return oauthFailure('invalid_client', 'The client assertion cannot be read.');
  return right({ kind: 'assertion', clientId, assertion });
};

const readCredentials = (parameters: Parameters, authorization: string | undefined): CredentialsResult => {
  const { client_id: clientId, client_secret: secret, client_assertion: assertion } = parameters;
  const ways = [authorization, secret, assertion ?? parameters.client_assertion_type];
  if (ways.filter((way) => way !== undefined).length > 1)
    return oauthFailure('invalid_request', 'A client authenticates in one way only.');
  if (authorization !== undefined) return readBasicCredentials(authorization);
  if (ways[2] !== undefined) return readAssertionCredentials(parameters);
  if (clientId === undefined) return oauthFailure('invalid_client', 'The client did not authenticate.');
  return right(
    secret === undefined
      ? { kind: 'name', clientId }
      : { kind: 'secret', method: 'client_secret_post', clientId, secret },
  );
};

export const readClientCredentials = (parameters: Parameters, authorization: string | undefined): CredentialsResult => {
  const presented = readCredentials(parameters, authorization);
  if (presented._tag === 'Left') return presented;
  const { client_id: named = presented.right.clientId } = parameters;
  return named === presented.right.clientId
    ? presented
    : oauthFailure('invalid_request', 'The client_id does not match the client that authenticated.');
};

/** Undefined: no client, or several methods. */
export const claimedClientId = (form: Form, authorization: string | undefined): string | undefined => {
  const parts = parseForm(form);
  if (isLeft(parts)) return undefined;
  const presented = readClientCredentials(parts.right.parameters, authorization);
  return isLeft(presented) ? undefined : presented.right.clientId;
};
