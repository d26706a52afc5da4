/** What a token request asks for, and with which client credentials (RFC 6749 sections 2.3.1, 3.2 and 4.4). */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { JsonAnswer } from '../../infra/http/route';
import { refuse } from './oauth-error';

export interface TokenRequest {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Undefined: all that the credential has. */
  readonly scopes: readonly string[] | undefined;
  readonly audience: readonly string[];
}

type Parameters = { readonly [name: string]: string | undefined };
type Client = Pick<TokenRequest, 'clientId' | 'clientSecret'>;

const longest = 4096;
const scopeList = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** A parameter without a value counts as left out; one that comes twice makes the request invalid (section 3.2). */
const parametersOf = (form: Readonly<Record<string, unknown>>): Either<JsonAnswer, Parameters> => {
  const given = Object.entries(form);
  if (given.some(([, value]) => typeof value !== 'string'))
    return refuse('invalid_request', 'A parameter is given more than once.');
  if (given.some(([, value]) => (value as string).length > longest))
    return refuse('invalid_request', 'A parameter is too long.');
  return right(Object.fromEntries(given.filter(([, value]) => value !== '')) as Parameters);
};

const percentDecoded = (encoded: string): string | undefined => {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

/** Both halves are form-encoded before they are joined (section 2.3.1). */
const basicClient = (authorization: string): Client | undefined => {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]{1,5500}={0,2})$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const [clientId, clientSecret] = [
    percentDecoded(pair.slice(0, Math.max(colon, 0))),
    percentDecoded(pair.slice(colon + 1)),
  ];
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
};

const clientOf = (parameters: Parameters, authorization: string | undefined): Either<JsonAnswer, Client> => {
  const { client_id: clientId, client_secret: clientSecret } = parameters;
  if (authorization === undefined) {
    if (clientId === undefined || clientSecret === undefined)
      return refuse('invalid_client', 'The client did not authenticate.');
    return right({ clientId, clientSecret });
  }
  if (clientSecret !== undefined) return refuse('invalid_request', 'A client authenticates in one way only.');
  const client = basicClient(authorization);
  if (client === undefined)
    return refuse('invalid_client', 'The Authorization header is not one of Basic credentials.');
  if (clientId !== undefined && clientId !== client.clientId)
    return refuse('invalid_request', 'The client_id is not that of the Authorization header.');
  return right(client);
};

export const tokenRequest = (
  form: Readonly<Record<string, unknown>>,
  authorization: string | undefined,
): Either<JsonAnswer, TokenRequest> => {
  const parameters = parametersOf(form);
  if (isLeft(parameters)) return parameters;
  const { grant_type: grantType, scope, resource, audience } = parameters.right;
  if (grantType === undefined) return refuse('invalid_request', 'The grant_type is missing.');
  if (grantType !== 'client_credentials')
    return refuse('unsupported_grant_type', 'Only client_credentials can be used here.');
  const client = clientOf(parameters.right, authorization);
  if (isLeft(client)) return client;
  if (scope !== undefined && !scopeList.test(scope)) return refuse('invalid_scope', 'The scope is malformed.');
  const targets = [resource, audience].filter((target) => target !== undefined);
  return right({ ...client.right, scopes: scope?.split(' '), audience: [...new Set(targets)] });
};
