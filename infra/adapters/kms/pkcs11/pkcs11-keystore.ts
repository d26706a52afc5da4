/** Keystore in a PKCS #11 device: keys are created and used inside it. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, map, right } from 'fp-ts/Either';
import { reject } from '../../../../domain/kernel/rejection';
import type { Kms, KmsFault, KmsRefusal, NewKey, PublicJwk } from '../../../ports/kms';
import { nameShape, noSuchKey, unavailable } from '../faults';
import { type Cryptoki, constants } from './cryptoki';
import { createKeyPair, createSecret, findKeyObjects, findSecrets, type KeyObject, keyKinds } from './key-objects';
import { openLibrary } from './library';
import { openToken, type Session, type Token, type TokenOptions } from './token-sessions';

export interface Pkcs11Options extends TokenOptions {
  /** Path of the device's library. */
  readonly module: string;
}

const signAt = async (
  { api, handle }: Session,
  key: Buffer,
  { mechanism, bytes, length }: { readonly mechanism: number; readonly bytes: Uint8Array; readonly length: number },
): Promise<Either<KmsFault, Uint8Array>> => {
  api.C_SignInit(handle, { mechanism, parameter: null }, key);
  const signature = await api.C_SignAsync(handle, Buffer.from(bytes), Buffer.alloc(length));
  return signature.length === length
    ? right(signature)
    : left(unavailable('The device answers another kind of bytes.'));
};

/** Handles are valid as long as the connection. */
const createObjectCache = () => {
  let connection: object | undefined;
  let keys = new Map<string, KeyObject>();
  let secret: Buffer | undefined;
  const since = (session: Session): void => {
    if (session.connection === connection) return;
    connection = session.connection;
    keys = new Map();
    secret = undefined;
  };
  const all = (session: Session): readonly KeyObject[] => {
    since(session);
    const keyObjects = findKeyObjects(session);
    keys = new Map(keyObjects.map((one) => [one.jwk.kid, one]));
    return keyObjects;
  };
  return {
    all,
    /** Another process may just have created it. */
    key: (session: Session, kid: string): KeyObject | undefined => {
      since(session);
      if (!keys.has(kid)) all(session);
      return keys.get(kid);
    },
    secrets: (session: Session): readonly Buffer[] => {
      since(session);
      const cache = secret === undefined ? findSecrets(session) : [secret];
      if (cache.length === 1) secret = cache[0];
      return cache;
    },
  };
};

type ObjectCache = ReturnType<typeof createObjectCache>;
type Answer<A> = Either<KmsFault, A>;

const sign = async (
  session: Session,
  cache: ObjectCache,
  { kid, bytes }: { readonly kid: string; readonly bytes: Uint8Array },
) => {
  const key = cache.key(session, kid);
  if (key === undefined) return noSuchKey();
  // ES256 signs a hash; EdDSA and RS256 hash by themselves.
  const signed = key.jwk.alg === 'ES256' ? createHash('sha256').update(bytes).digest() : bytes;
  const { sign: mechanism, length } = keyKinds[key.jwk.alg];
  return signAt(session, key.privateKey, { mechanism, bytes: signed, length });
};

const create = (session: Session, cache: ObjectCache, wanted: NewKey): Either<KmsFault | KmsRefusal, PublicJwk> => {
  const named = (): PublicJwk | undefined => cache.all(session).find(({ name }) => name === wanted.name)?.jwk;
  const existing = named();
  if (existing !== undefined) return right(existing);
  const { make, sign: use } = keyKinds[wanted.algorithm];
  if (!session.mechanisms.has(make) || !session.mechanisms.has(use))
    return reject('algorithm-unsupported', `The device has no ${wanted.algorithm}.`);
  createKeyPair(session, wanted);
  const made = named();
  return made === undefined ? left(unavailable('The device does not show the key that it made.')) : right(made);
};

const derive = async (session: Session, cache: ObjectCache, label: string): Promise<Answer<string>> => {
  const [secret, ...others] = cache.secrets(session);
  if (secret === undefined)
    return left(unavailable('The token has no secret to derive from: npm run keys -- provision.'));
  if (others.length > 0) return left(unavailable('The token has several secrets to derive from.'));
  const bytes = Buffer.from(`septet:secret:${label}`);
  const derived = await signAt(session, secret, { mechanism: constants.CKM_SHA256_HMAC, bytes, length: 32 });
  return map((value: Uint8Array) => Buffer.from(value).toString('base64url'))(derived);
};

const destroy = (session: Session, cache: ObjectCache, kid: string): void => {
  const key = cache.key(session, kid);
  if (key === undefined) return;
  // In this order: an incomplete pair is not found.
  session.api.C_DestroyObject(session.handle, key.privateKey);
  session.api.C_DestroyObject(session.handle, key.publicKey);
  cache.all(session);
};

const flatten = <F, A>(answer: Answer<Either<F, A>>): Either<F | KmsFault, A> =>
  isLeft(answer) ? answer : answer.right;

const keystoreOf = (token: Token, label: string): Kms => {
  const cache = createObjectCache();
  return {
    keystore: `pkcs11:${label}`,
    create: async (wanted) =>
      nameShape.test(wanted.name)
        ? flatten(await token.use(async (session) => create(session, cache, wanted)))
        : left(unavailable('A key cannot have this name.')),
    list: () => token.use(async (session) => cache.all(session).map(({ jwk }) => jwk)),
    sign: async (kid, bytes) => flatten(await token.use((session) => sign(session, cache, { kid, bytes }))),
    derive: async (named) => flatten(await token.use((session) => derive(session, cache, named))),
    destroy: (kid) => token.use(async (session) => destroy(session, cache, kid)),
  };
};

export const openPkcs11Kms = ({ module, label, pin }: Pkcs11Options): Answer<Kms> =>
  map((api: Cryptoki) => keystoreOf(openToken(api, { label, pin }), label))(openLibrary(module));

/** Creates the derivation secret; returns whether it was missing. Run once by an operator: there must not be two. */
export const provisionToken = async (
  { module, label, pin }: Pkcs11Options,
  root: Buffer | undefined,
): Promise<Answer<boolean>> => {
  const library = openLibrary(module);
  if (isLeft(library)) return library;
  return openToken(library.right, { label, pin }).use(async (session) => {
    if (findSecrets(session).length > 0) return false;
    createSecret(session, root);
    return true;
  });
};
