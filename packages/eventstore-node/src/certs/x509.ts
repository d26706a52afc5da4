/** What a certificate is made of and how it is signed: X.509, version 3 (RFC 5280). */
import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { BitString, Integer, Null, OctetString, Utf8String } from 'asn1js';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  Certificate,
  Extension,
  PublicKeyInfo,
  RelativeDistinguishedNames,
  Time,
} from 'pkijs';

export interface Period {
  readonly from: Date;
  readonly until: Date;
}

export interface Issuer {
  /** Its name, as it stands in its own certificate. */
  readonly name: RelativeDistinguishedNames;
  readonly keyId: Buffer;
  readonly key: KeyObject;
}

export const oid = {
  commonName: '2.5.4.3',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  issuerKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;

const algorithms: Readonly<Record<string, () => AlgorithmIdentifier>> = {
  ec: () => new AlgorithmIdentifier({ algorithmId: '1.2.840.10045.4.3.2' }),
  rsa: () => new AlgorithmIdentifier({ algorithmId: '1.2.840.113549.1.1.11', algorithmParams: new Null() }),
};

export const canSign = (key: KeyObject): boolean => Object.hasOwn(algorithms, key.asymmetricKeyType ?? '');

export const nameOf = (commonName: string): RelativeDistinguishedNames =>
  new RelativeDistinguishedNames({
    typesAndValues: [new AttributeTypeAndValue({ type: oid.commonName, value: new Utf8String({ value: commonName }) })],
  });

interface Encoded {
  toBER(): ArrayBuffer;
}

export const extension = (extnID: string, value: Encoded, critical = false): Extension =>
  new Extension({ extnID, critical, extnValue: value.toBER() });

export const publicKeyOf = (key: KeyObject): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' });

/** RFC 7093: the beginning of a SHA-256. */
export const keyIdOf = (publicKey: Buffer): Buffer => createHash('sha256').update(publicKey).digest().subarray(0, 20);

export const subjectKeyId = (publicKey: Buffer): Extension =>
  extension(oid.subjectKeyId, new OctetString({ valueHex: keyIdOf(publicKey) }));

/** The named bits, from the first on (RFC 5280, section 4.2.1.3). */
export const keyUsage = (bits: number, unusedBits: number): Extension =>
  extension(oid.keyUsage, new BitString({ valueHex: Uint8Array.of(bits), unusedBits }), true);

/** Positive, and as long as it looks. */
const serialNumber = (): Integer => {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] as number) & 0x3f) | 0x40;
  return new Integer({ valueHex: bytes });
};

/** RFC 5280, section 4.1.2.5: two digits for the year up to 2049. */
const timeOf = (value: Date): Time => new Time({ type: value.getUTCFullYear() < 2050 ? 0 : 1, value });

const pem = (der: ArrayBuffer): string => {
  const lines = Buffer.from(der)
    .toString('base64')
    .replaceAll(/(.{64})(?=.)/g, '$1\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
};

interface Content {
  readonly subject: RelativeDistinguishedNames;
  readonly publicKey: Buffer;
  readonly period: Period;
  readonly extensions: Extension[];
}

export const signed = (content: Content, { name, key }: Omit<Issuer, 'keyId'>): string => {
  const { subject, publicKey, period, extensions } = content;
  const algorithm = algorithms[key.asymmetricKeyType ?? ''] as () => AlgorithmIdentifier;
  const certificate = new Certificate({
    version: 2,
    serialNumber: serialNumber(),
    signature: algorithm(),
    issuer: name,
    notBefore: timeOf(period.from),
    notAfter: timeOf(period.until),
    subject,
    subjectPublicKeyInfo: PublicKeyInfo.fromBER(publicKey),
    extensions,
    signatureAlgorithm: algorithm(),
  });
  const toBeSigned = certificate.encodeTBS().toBER();
  certificate.tbsView = new Uint8Array(toBeSigned);
  certificate.signatureValue = new BitString({ valueHex: sign('sha256', Buffer.from(toBeSigned), key) });
  return pem(certificate.toSchema().toBER());
};
