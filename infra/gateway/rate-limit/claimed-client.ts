/** The client id that a request claims, unverified: it separates counters, and names clients that exist in lists of refusals. */
import { ClientId } from '../../../domain/identity/ids';

/** Longer ids cannot exist. */
const maxLength = 512;

const percentDecode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

/** HTTP Basic, form-encoded (RFC 6749 section 2.3.1). */
const basicCredentials = (authorization: string | undefined): readonly [name?: string, secret?: string] => {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]{1,2048}) *$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return [];
  const [name = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return [percentDecode(name), percentDecode(secret.join(':'))];
};

/** Subject of a client assertion (RFC 7523 section 3). */
const assertionIssuer = (assertion: string | null): string | undefined => {
  try {
    const payload: unknown = JSON.parse(Buffer.from(assertion?.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const subject: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'sub') : undefined;
    return typeof subject === 'string' ? subject : undefined;
  } catch {
    return undefined;
  }
};

/** Undefined: the body was not buffered. */
export const parseForm = (body: Buffer | undefined): URLSearchParams | undefined =>
  body === undefined ? undefined : new URLSearchParams(body.toString('utf8'));

const formClient = (form: URLSearchParams | undefined): string | undefined =>
  form === undefined ? undefined : (form.get('client_id') ?? assertionIssuer(form.get('client_assertion')));

/** In the precedence of client authentication. */
export const claimedClient = (authorization: string | undefined, form?: URLSearchParams): string | undefined => {
  const [name = formClient(form)] = basicCredentials(authorization);
  return name === undefined || name === '' || name.length > maxLength ? undefined : name;
};

/** The secret beside the claimed client id. */
export const claimedSecret = (authorization: string | undefined, form?: URLSearchParams): string | undefined => {
  const [, secret = form?.get('client_secret')] = basicCredentials(authorization);
  return secret === null || secret === '' ? undefined : secret;
};

interface NamedClient {
  readonly tenantId: string;
  readonly clientId: string;
  /** Of a client that is a principal: `<tenant>.<principal>`; applications are `<tenant>~<application>`. */
  readonly principalId?: string;
}

export interface KnownClient extends NamedClient {
  /** The same secret, certificate or key succeeded before. */
  readonly isProven: boolean;
}

/** Undefined: no client can have this id. */
export const parseClientId = (clientId: string): NamedClient | undefined => {
  const [, tenantId, separator, id] = /^([^.~]+)([.~])(.+)$/.exec(clientId) ?? [];
  if (!ClientId.is(clientId) || tenantId === undefined) return undefined;
  return { tenantId, clientId, ...(separator === '.' && id !== undefined ? { principalId: id } : {}) };
};
