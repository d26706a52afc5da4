/**
 * Public keys that verify identity headers: a JWK set (RFC 7517) in which each key also names its holder and the callers that it may
 * assert. The gateway's key may assert every caller, a service's key only the service's own principal.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeStored, record, text } from '../../../../domain/kernel/codec';
import { textThat } from '../../runtime/config';
import { type FileText, rereadFile } from '../../runtime/reread-file';

const OwnPrincipal = record('OwnPrincipal', {
  principalId: text('PrincipalId', { minLength: 1, maxLength: 256 }),
  scopes: t.array(text('Scope', { minLength: 1, maxLength: 256 })),
});
const Assertable = t.union([t.literal('everybody'), OwnPrincipal], 'Assertable');
/** Which callers a key may assert. */
export type Assertable = t.TypeOf<typeof Assertable>;

const coordinate = text('Coordinate', { minLength: 43, maxLength: 43 });
const CallerJwk = record('CallerJwk', {
  kty: t.literal('EC'),
  crv: t.literal('P-256'),
  x: coordinate,
  y: coordinate,
  kid: text('KeyId', { minLength: 43, maxLength: 43 }),
  alg: t.literal('ES256'),
  use: t.literal('sig'),
  holder: text('Holder', { minLength: 1, maxLength: 64 }),
  asserts: Assertable,
});
export type CallerJwk = t.TypeOf<typeof CallerJwk>;
const CallerJwkSet = record('CallerJwkSet', { keys: t.array(CallerJwk) });

/** RFC 7638 section 3: the hash of what makes an EC key, in this order. */
export const keyIdOf = ({ x, y }: { readonly x: string; readonly y: string }): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');

/** Two numbers of 32 bytes, as JWS has them. */
export const dsaEncoding = 'ieee-p1363';

export interface CallerKey {
  /** Name of the key's holder, for operators. */
  readonly holder: string;
  readonly asserts: Assertable;
  readonly hasSigned: (bytes: Buffer, signature: Buffer) => boolean;
}

export interface CallerKeys {
  readonly find: (keyId: string) => CallerKey | undefined;
}

const parsed = (content: string): unknown => {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
};

export const readCallerJwks = (content: string): Either<string, readonly CallerJwk[]> => {
  const decoded = decodeStored(CallerJwkSet, parsed(content));
  if (!isLeft(decoded)) return right(decoded.right.keys);
  const [fault] = decoded.left;
  return left(
    `The set of internal keys: expected ${fault?.expected ?? 'JSON'} at ${fault?.pointer || 'its beginning'}.`,
  );
};

const keyOf = ({ kty, crv, x, y, kid, holder, asserts }: CallerJwk): Either<string, CallerKey> => {
  // A key cannot take another one's name.
  if (kid !== keyIdOf({ x, y })) return left(`The set of internal keys: ${kid} is not the thumbprint of its key.`);
  try {
    const key = createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
    const hasSigned = (bytes: Buffer, signature: Buffer) => verify('sha256', bytes, { key, dsaEncoding }, signature);
    return right({ holder, asserts, hasSigned });
  } catch {
    return left(`The set of internal keys: ${kid} is not a key.`);
  }
};

const readCallerKeys = (content: string): Either<string, ReadonlyMap<string, CallerKey>> => {
  const jwks = readCallerJwks(content);
  if (isLeft(jwks)) return jwks;
  const keys = new Map<string, CallerKey>();
  for (const jwk of jwks.right) {
    const key = keyOf(jwk);
    if (isLeft(key)) return key;
    keys.set(jwk.kid, key.right);
  }
  return right(keys);
};

/** `INTERNAL_KEYS`: the set itself, or in a file, which is read again. */
export const callerKeysText = textThat(
  'a JWK set of internal keys, as `npm run internal-keys` writes it',
  (content) => !isLeft(readCallerKeys(content)),
);

export const openCallerKeys = (file: FileText): CallerKeys => {
  const current = rereadFile(file, readCallerKeys);
  return { find: (keyId) => current().get(keyId) };
};
