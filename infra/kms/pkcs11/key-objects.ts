/** Key objects of a PKCS #11 token. Private keys are not extractable. */
import { randomBytes } from 'node:crypto';
import type { NewKey, PublicJwk, SigningAlgorithm } from '../../ports/kms';
import { ecJwk, okpJwk } from '../signing-key';
import { type Attribute, constants } from './cryptoki';
import type { Session } from './token-sessions';

const c = constants;
const prefix = 'septet:';
const secretLabel = `${prefix}derive`;
const keyPrefix = `${prefix}key:`;

interface Curve {
  /** Object identifier, DER. */
  readonly parameters: Buffer;
  readonly make: number;
  readonly sign: number;
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

export const curves: { readonly [algorithm in SigningAlgorithm]: Curve } = {
  ES256: {
    parameters: Buffer.from('06082a8648ce3d030107', 'hex'),
    make: c.CKM_EC_KEY_PAIR_GEN,
    sign: c.CKM_ECDSA,
    jwk: ecPoint,
  },
  EdDSA: {
    parameters: Buffer.from('06032b6570', 'hex'),
    make: c.CKM_EC_EDWARDS_KEY_PAIR_GEN,
    sign: c.CKM_EDDSA,
    jwk: okpPoint,
  },
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

const readAttributes = [c.CKA_LABEL, c.CKA_ID, c.CKA_EC_PARAMS, c.CKA_EC_POINT];

const readPublic = ({ api, handle }: Session, publicKey: Buffer) => {
  // The binding writes into the template, so it must not be shared.
  const template = readAttributes.map((type) => ({ type }));
  const values = api.C_GetAttributeValue(handle, publicKey, template).map(({ value }) => value);
  const [label = Buffer.alloc(0), id = Buffer.alloc(0), parameters, point] = values;
  const curve = Object.values(curves).find((one) => parameters !== undefined && one.parameters.equals(parameters));
  return { label: label.toString(), id, jwk: point === undefined ? undefined : curve?.jwk(point) };
};

/** Own complete key pairs: a public key without its private key does not count. */
export const findKeyObjects = (session: Session): readonly KeyObject[] => {
  const publicKeys = findObjects(session, [...persistent, { type: c.CKA_CLASS, value: c.CKO_PUBLIC_KEY }]);
  const keys = publicKeys.flatMap((publicKey): KeyObject[] => {
    const { label, id, jwk } = readPublic(session, publicKey);
    if (jwk === undefined || id.length === 0 || !label.startsWith(keyPrefix)) return [];
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
  const { parameters, make } = curves[algorithm];
  const named = [
    { type: c.CKA_LABEL, value: `${keyPrefix}${name}` },
    { type: c.CKA_ID, value: randomBytes(16) },
  ];
  const publicTemplate = [
    ...persistent,
    { type: c.CKA_VERIFY, value: true },
    { type: c.CKA_EC_PARAMS, value: parameters },
  ];
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
