/** An access token's form and signature: one algorithm, one type, a closed set of header fields, whole claims. */
import { type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, integer, record, text } from '../../domain/kernel/codec';

const longestToken = 8_192;
const seconds = integer(0, 10_000_000_000);
const name = text('name', { maxLength: 256 });

const AccessTokenClaims = record(
  'AccessTokenClaims',
  {
    iss: text('issuer', { maxLength: 2_048 }),
    sub: name,
    aud: t.array(name),
    exp: seconds,
    iat: seconds,
    jti: name,
    tenant_id: name,
    principal_type: name,
    scopes: t.array(name),
    security_epoch: integer(0),
  },
  { nbf: seconds },
);
export type AccessTokenClaims = t.TypeOf<typeof AccessTokenClaims>;

/** Anything else in a header (`jwk`, `jku`, `x5c`, `crit`, …) asks for trust or rules that we do not have. */
const headerFields = ['alg', 'typ', 'kid'];
const types = new Set(['at+jwt', 'application/at+jwt']);
const tokenShape = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/;

const parsed = (part: string): unknown => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
};

const kidOf = (header: unknown): string | undefined => {
  if (typeof header !== 'object' || header === null) return undefined;
  const { alg, typ, kid } = header as { readonly [field: string]: unknown };
  if (Object.keys(header).some((field) => !headerFields.includes(field))) return undefined;
  if (alg !== 'ES256' || typeof typ !== 'string' || !types.has(typ.toLowerCase())) return undefined;
  return name.is(kid) ? kid : undefined;
};

export interface UnverifiedToken {
  readonly kid: string;
  readonly signed: Buffer;
  readonly signature: Buffer;
  readonly claims: unknown;
}

/** Left is a fixed reason, for the challenge. */
export const readToken = (token: string): Either<string, UnverifiedToken> => {
  if (token.length > longestToken) return left('The token is too long.');
  const [, header = '', claims = '', signature = ''] = tokenShape.exec(token) ?? [];
  const kid = kidOf(parsed(header));
  if (kid === undefined) return left('The token is malformed or of another kind.');
  return right({
    kid,
    signed: Buffer.from(`${header}.${claims}`),
    signature: Buffer.from(signature, 'base64url'),
    claims: parsed(claims),
  });
};

const verifyAsync = promisify(
  (key: KeyObject, bytes: Buffer, signature: Buffer, done: (error: Error | null, fits: boolean) => void): void =>
    verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature, done),
);

export const verifyToken = async (
  { signed, signature, claims }: UnverifiedToken,
  key: KeyObject,
): Promise<Either<string, AccessTokenClaims>> => {
  if (!(await verifyAsync(key, signed, signature))) return left('The signature does not fit.');
  const decoded = decode(AccessTokenClaims, claims);
  return isLeft(decoded) ? left('The token lacks claims.') : decoded;
};
