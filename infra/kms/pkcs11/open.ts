/** Signing keys in a device, by PKCS #11: they are made there, sign there and never leave it. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, map, right } from 'fp-ts/Either';
import { reject } from '../../../domain/kernel/rejection';
import type { Kms, KmsFault, KmsRefusal, NewKey, PublicJwk } from '../../ports/kms';
import { nameShape, noSuchKey, unavailable } from '../faults';
import { type Cryptoki, constants } from './cryptoki';
import { openLibrary } from './library';
import { curves, type HeldObject, heldIn, makePair, makeSecret, secretsIn } from './objects';
import { openToken, type Session, type Token, type TokenOptions } from './token';

export interface Pkcs11Options extends TokenOptions {
  /** The path of the device's library. */
  readonly module: string;
}

const signAt = async (
  { api, handle }: Session,
  key: Buffer,
  [mechanism, bytes, length]: readonly [number, Uint8Array, number],
): Promise<Either<KmsFault, Uint8Array>> => {
  api.C_SignInit(handle, { mechanism, parameter: null }, key);
  const signature = await api.C_SignAsync(handle, Buffer.from(bytes), Buffer.alloc(length));
  return signature.length === length
    ? right(signature)
    : left(unavailable('The device answers another kind of bytes.'));
};

/** What was found in the token holds as long as the connection does. */
const openFound = () => {
  let connection: object | undefined;
  let keys = new Map<string, HeldObject>();
  let secret: Buffer | undefined;
  const since = (session: Session): void => {
    if (session.connection === connection) return;
    connection = session.connection;
    keys = new Map();
    secret = undefined;
  };
  const all = (session: Session): readonly HeldObject[] => {
    since(session);
    const held = heldIn(session);
    keys = new Map(held.map((one) => [one.jwk.kid, one]));
    return held;
  };
  return {
    all,
    /** Another process may have made it a moment ago. */
    key: (session: Session, kid: string): HeldObject | undefined => {
      since(session);
      if (!keys.has(kid)) all(session);
      return keys.get(kid);
    },
    secrets: (session: Session): readonly Buffer[] => {
      since(session);
      const found = secret === undefined ? secretsIn(session) : [secret];
      if (found.length === 1) secret = found[0];
      return found;
    },
  };
};

type Found = ReturnType<typeof openFound>;
type Answer<A> = Either<KmsFault, A>;

const sign = async (session: Session, found: Found, [kid, bytes]: readonly [string, Uint8Array]) => {
  const key = found.key(session, kid);
  if (key === undefined) return noSuchKey();
  // The device signs a hash with the one, and the bytes themselves with the other.
  const signed = key.jwk.alg === 'ES256' ? createHash('sha256').update(bytes).digest() : bytes;
  return signAt(session, key.privateKey, [curves[key.jwk.alg].sign, signed, 64]);
};

const create = (session: Session, found: Found, wanted: NewKey): Either<KmsFault | KmsRefusal, PublicJwk> => {
  const named = (): PublicJwk | undefined => found.all(session).find(({ name }) => name === wanted.name)?.jwk;
  const known = named();
  if (known !== undefined) return right(known);
  const { make, sign: use } = curves[wanted.algorithm];
  if (!session.mechanisms.has(make) || !session.mechanisms.has(use))
    return reject('algorithm-unsupported', `The device has no ${wanted.algorithm}.`);
  makePair(session, wanted);
  const made = named();
  return made === undefined ? left(unavailable('The device does not show the key that it made.')) : right(made);
};

const derive = async (session: Session, found: Found, label: string): Promise<Answer<string>> => {
  const [secret, ...others] = found.secrets(session);
  if (secret === undefined)
    return left(unavailable('The token holds no secret to derive from: npm run keys -- provision.'));
  if (others.length > 0) return left(unavailable('The token holds several secrets to derive from.'));
  const bytes = Buffer.from(`septet:secret:${label}`);
  const derived = await signAt(session, secret, [constants.CKM_SHA256_HMAC, bytes, 32]);
  return map((value: Uint8Array) => Buffer.from(value).toString('base64url'))(derived);
};

const destroy = (session: Session, found: Found, kid: string): void => {
  const key = found.key(session, kid);
  if (key === undefined) return;
  // In this order, so that what is half gone is not found.
  session.api.C_DestroyObject(session.handle, key.privateKey);
  session.api.C_DestroyObject(session.handle, key.publicKey);
  found.all(session);
};

const flat = <F, A>(answer: Answer<Either<F, A>>): Either<F | KmsFault, A> => (isLeft(answer) ? answer : answer.right);

const kmsOf = (token: Token, label: string): Kms => {
  const found = openFound();
  return {
    keystore: `pkcs11:${label}`,
    create: async (wanted) =>
      nameShape.test(wanted.name)
        ? flat(await token.use(async (session) => create(session, found, wanted)))
        : left(unavailable('A key cannot have this name.')),
    list: () => token.use(async (session) => found.all(session).map(({ jwk }) => jwk)),
    sign: async (kid, bytes) => flat(await token.use((session) => sign(session, found, [kid, bytes]))),
    derive: async (named) => flat(await token.use((session) => derive(session, found, named))),
    destroy: (kid) => token.use(async (session) => destroy(session, found, kid)),
  };
};

export const openPkcs11Kms = ({ module, label, pin }: Pkcs11Options): Answer<Kms> =>
  map((api: Cryptoki) => kmsOf(openToken(api, { label, pin }), label))(openLibrary(module));

/** Makes the secret that others are derived from; answers whether there was none. Once, by an operator: of two there must not be one. */
export const provisionToken = async (
  { module, label, pin }: Pkcs11Options,
  root: Buffer | undefined,
): Promise<Answer<boolean>> => {
  const library = openLibrary(module);
  if (isLeft(library)) return library;
  return openToken(library.right, { label, pin }).use(async (session) => {
    if (secretsIn(session).length > 0) return false;
    makeSecret(session, root);
    return true;
  });
};
