/** Proof of possession (DPoP, RFC 9449): tokens are bound to a key of the client, and each request proves that it has the key. */
import type { AuthorizationRequest } from '../options';
import { defaultPlatform } from '../platform';

/** A `CryptoKey`, whose name Node and browsers declare in different places. */
type WebKey = Parameters<typeof crypto.subtle.sign>[1];

/** ECDSA with P-256, or Ed25519. The public key has to be extractable. */
export interface ProofKey {
  readonly privateKey: WebKey;
  readonly publicKey: WebKey;
}

export interface ProofRequest extends Omit<AuthorizationRequest, 'token'> {
  /** None at the token endpoint. */
  readonly token?: string;
}

export interface Dpop {
  /** A `DPoP` header for one request. */
  readonly prove: (request: ProofRequest) => Promise<string>;
  /** The option of `connect`. */
  readonly authorize: (request: AuthorizationRequest) => Promise<Readonly<Record<string, string>>>;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const encode = (value: unknown): string => base64url(new TextEncoder().encode(JSON.stringify(value)));
const digestOf = async (content: string): Promise<string> =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content))));

/** Its private part never leaves this process. */
const generateKey = (): Promise<ProofKey> =>
  crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']);

interface Signer {
  readonly header: Readonly<Record<string, unknown>>;
  readonly sign: (content: string) => Promise<string>;
}

const createSigner = async ({ privateKey, publicKey }: ProofKey): Promise<Signer> => {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  if (crv !== 'P-256' && crv !== 'Ed25519') throw new TypeError('The key of proofs must be of P-256 or Ed25519.');
  const algorithm = crv === 'P-256' ? { name: 'ECDSA', hash: 'SHA-256' } : 'Ed25519';
  const jwk = crv === 'P-256' ? { kty, crv, x, y } : { kty, crv, x };
  return {
    header: { typ: 'dpop+jwt', alg: crv === 'P-256' ? 'ES256' : 'EdDSA', jwk },
    sign: async (content) =>
      base64url(new Uint8Array(await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(content)))),
  };
};

/** Pages that are not served by https have no `crypto.subtle`. */
export const isDpopAvailable = (): boolean =>
  (globalThis as { readonly crypto?: { readonly subtle?: unknown } }).crypto?.subtle !== undefined;

/** With a key of its own, or one that the caller keeps. */
export const openDpop = (key?: ProofKey): Dpop => {
  const { uuid } = defaultPlatform();
  let opened: Promise<Signer> | undefined;
  const prove = async ({ method, url, token, nonce }: ProofRequest): Promise<string> => {
    opened ??= Promise.resolve(key ?? generateKey()).then(createSigner);
    const { header, sign } = await opened;
    const claims = {
      jti: uuid(),
      htm: method,
      // Section 4.2: without query and fragment.
      htu: url.replace(/[?#].*$/, ''),
      iat: Math.floor(Date.now() / 1000),
      ...(token === undefined ? {} : { ath: await digestOf(token) }),
      ...(nonce === undefined ? {} : { nonce }),
    };
    const content = `${encode(header)}.${encode(claims)}`;
    return `${content}.${await sign(content)}`;
  };
  return {
    prove,
    authorize: async (request) => ({ authorization: `DPoP ${request.token}`, dpop: await prove(request) }),
  };
};
