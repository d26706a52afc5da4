/** Key objects of a PKCS #11 token. Private keys are not extractable. */
import { randomBytes } from 'node:crypto';
import type { NewKey, PublicJwk, SigningAlgorithm } from '../../../ports/kms';
import { ecJwk, modulusBits, okpJwk, rsaJwk } from '../signing-key';
import { type Attribute, constants } from './cryptoki';
import type { Session } from './token-sessions';

const c = constants;
const prefix = 'septet:';
const secretLabel = `${prefix}derive`;
const keyPrefix = `${prefix}key:`;

/** How keys of an algorithm are made and used. */
interface KeyKind {
  readonly make: number;
  readonly sign: number;
  /** Bytes of a signature. */
  readonly length: number;
  /** Attributes of a new public key. */
  readonly template: readonly Attribute[];
}

interface Curve extends KeyKind {
  /** Object identifier, DER. */
  readonly parameters: Buffer;
  /** JWK of an EC point; undefined: invalid. */
  readonly jwk: (point: Buffer) => PublicJwk | undefined;
}

/** The standard wraps points in an octet string; some devices do not. */
const unwrapped = (point: Buffer, bytes: number): Buffer => (point.length === bytes + 2 ? point.subarray(2) : point);

const ecPoint = (written: Buffer): PublicJwk | undefined => {
  const point = unwrapped(written, 65);
  if (point.length !== 65 || point[0] !== 4) return undefined;
  return ecJwk(point.toString('base64url', 1, 33), point.toString('base64url', 33));
};

const okpPoint = (written: Buffer): PublicJwk | undefined => {
  const point = unwrapped(written, 32);
  return point.length === 32 ? okpJwk(point.toString('base64url')) : undefined;
};

const curve = (objectIdentifier: string, kind: Pick<Curve, 'make' | 'sign' | 'jwk'>): Curve => {
  const parameters = Buffer.from(objectIdentifier, 'hex');
  return { ...kind, length: 64, parameters, template: [{ type: c.CKA_EC_PARAMS, value: parameters }] };
};

const curves = {
  ES256: curve('06082a8648ce3d030107', { make: c.CKM_EC_KEY_PAIR_GEN, sign: c.CKM_ECDSA, jwk: ecPoint }),
  EdDSA: curve('06032b6570', { make: c.CKM_EC_EDWARDS_KEY_PAIR_GEN, sign: c.CKM_EDDSA, jwk: okpPoint }),
};

/** 65,537. */
const publicExponent = Buffer.from('010001', 'hex');

export const keyKinds: { readonly [algorithm in SigningAlgorithm]: KeyKind } = {
  ...curves,
  RS256: {
    make: c.CKM_RSA_PKCS_KEY_PAIR_GEN,
    sign: c.CKM_SHA256_RSA_PKCS,
    length: modulusBits / 8,
    template: [
      { type: c.CKA_MODULUS_BITS, value: modulusBits },
      { type: c.CKA_PUBLIC_EXPONENT, value: publicExponent },
    ],
  },
};

/** Devices may write leading zeros, which RFC 7518 section 2 does not. */
const unsigned = (number: Buffer): string => {
  const first = number.findIndex((byte) => byte !== 0);
  return number.subarray(Math.max(first, 0)).toString('base64url');
};

const persistent = [{ type: c.CKA_TOKEN, value: true }];
const nonExportable = [
  ...persistent,
  { type: c.CKA_PRIVATE, value: true },
  { type: c.CKA_SENSITIVE, value: true },
  { type: c.CKA_EXTRACTABLE, value: false },
  { type: c.CKA_SIGN, value: true },
];

export const findObjects = ({ api, handle }: Session, template: readonly Attribute[]): readonly Buffer[] => {
  api.C_FindObjectsInit(handle, template);
  try {
    const found: Buffer[] = [];
    for (let some = api.C_FindObjects(handle, 100); some.length > 0; some = api.C_FindObjects(handle, 100))
      found.push(...some);
    return found;
  } finally {
    api.C_FindObjectsFinal(handle);
  }
};

export interface KeyObject {
  readonly name: string;
  readonly jwk: PublicJwk;
  readonly publicKey: Buffer;
  readonly privateKey: Buffer;
}

/** A device refuses attributes that a key of another type has, so the type is read first. */
const readAttributes = ({ api, handle }: Session, publicKey: Buffer, types: readonly number[]): readonly Buffer[] =>
  // The binding writes into the template, so it must not be shared.
  api
    .C_GetAttributeValue(
      handle,
      publicKey,
      types.map((type) => ({ type })),
    )
    .map(({ value }) => value);

const readRsa = (session: Session, publicKey: Buffer): PublicJwk | undefined => {
  const [modulus, exponent] = readAttributes(session, publicKey, [c.CKA_MODULUS, c.CKA_PUBLIC_EXPONENT]);
  return modulus === undefined || exponent === undefined ? undefined : rsaJwk(unsigned(modulus), unsigned(exponent));
};

const readCurve = (session: Session, publicKey: Buffer): PublicJwk | undefined => {
  const [parameters, point] = readAttributes(session, publicKey, [c.CKA_EC_PARAMS, c.CKA_EC_POINT]);
  const known = Object.values(curves).find((one) => parameters !== undefined && one.parameters.equals(parameters));
  return point === undefined ? undefined : known?.jwk(point);
};

const rsaKeyType = BigInt(c.CKK_RSA);

/** An unsigned long in the byte order and size of the machine. */
const numberOf = (bytes: Buffer): bigint => {
  if (bytes.length === 8) return bytes.readBigUInt64LE();
  return bytes.length === 4 ? BigInt(bytes.readUInt32LE()) : -1n;
};

const readPublic = (session: Session, publicKey: Buffer) => {
  const [label = Buffer.alloc(0), id = Buffer.alloc(0), kind = Buffer.alloc(0)] = readAttributes(session, publicKey, [
    c.CKA_LABEL,
    c.CKA_ID,
    c.CKA_KEY_TYPE,
  ]);
  const isOurs = label.toString().startsWith(keyPrefix);
  const read = numberOf(kind) === rsaKeyType ? readRsa : readCurve;
  return { label: label.toString(), id, jwk: isOurs ? read(session, publicKey) : undefined };
};

/** Own complete key pairs: a public key without its private key does not count. */
export const findKeyObjects = (session: Session): readonly KeyObject[] => {
  const publicKeys = findObjects(session, [...persistent, { type: c.CKA_CLASS, value: c.CKO_PUBLIC_KEY }]);
  const keys = publicKeys.flatMap((publicKey): KeyObject[] => {
    const { label, id, jwk } = readPublic(session, publicKey);
    if (jwk === undefined || id.length === 0) return [];
    const [privateKey] = findObjects(session, [
      { type: c.CKA_CLASS, value: c.CKO_PRIVATE_KEY },
      { type: c.CKA_ID, value: id },
    ]);
    return privateKey === undefined ? [] : [{ name: label.slice(keyPrefix.length), jwk, publicKey, privateKey }];
  });
  const orderOf = ({ name, jwk }: KeyObject): string => `${name} ${jwk.kid}`;
  return keys.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
};

export const createKeyPair = (session: Session, { algorithm, name }: NewKey): void => {
  const { make, template } = keyKinds[algorithm];
  const named = [
    { type: c.CKA_LABEL, value: `${keyPrefix}${name}` },
    { type: c.CKA_ID, value: randomBytes(16) },
  ];
  const publicTemplate = [...persistent, { type: c.CKA_VERIFY, value: true }, ...template];
  session.api.C_GenerateKeyPair(
    session.handle,
    { mechanism: make, parameter: null },
    [{ type: c.CKA_CLASS, value: c.CKO_PUBLIC_KEY }, ...publicTemplate, ...named],
    [{ type: c.CKA_CLASS, value: c.CKO_PRIVATE_KEY }, ...nonExportable, ...named],
  );
};

const secretKey = [
  { type: c.CKA_CLASS, value: c.CKO_SECRET_KEY },
  { type: c.CKA_LABEL, value: secretLabel },
];

export const findSecrets = (session: Session): readonly Buffer[] => findObjects(session, secretKey);

const secretKind = { type: c.CKA_KEY_TYPE, value: c.CKK_GENERIC_SECRET };

/** `root`: the previous derivation root, which keeps derived secrets unchanged. */
export const createSecret = ({ api, handle }: Session, root: Buffer | undefined): void => {
  const template = [...secretKey, secretKind, ...nonExportable];
  const how = { mechanism: c.CKM_GENERIC_SECRET_KEY_GEN, parameter: null };
  if (root === undefined) api.C_GenerateKey(handle, how, [...template, { type: c.CKA_VALUE_LEN, value: 32 }]);
  else api.C_CreateObject(handle, [...template, { type: c.CKA_VALUE, value: root }]);
};
