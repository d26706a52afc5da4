/** X.509 certificates, version 3: RFC 5280. */
import { createHash, createPublicKey, type KeyObject, randomBytes, sign, type X509Certificate } from 'node:crypto';
import {
  bits,
  type Der,
  elements,
  identifier,
  integer,
  nothing,
  octets,
  sequence,
  setOf,
  tagged,
  text,
  time,
  yes,
} from './der';
import { addressBytes, type Names } from './names';

export interface Period {
  readonly from: Date;
  readonly until: Date;
}

export interface Issuer {
  /** Its name, as it stands in its own certificate. */
  readonly name: Der;
  readonly keyId: Buffer;
  readonly key: KeyObject;
}

interface Content {
  readonly subject: Der;
  readonly publicKey: Der;
  readonly period: Period;
  readonly extensions: readonly Der[];
}

const oid = {
  commonName: identifier('2.5.4.3'),
  subjectKeyId: identifier('2.5.29.14'),
  keyUsage: identifier('2.5.29.15'),
  alternativeName: identifier('2.5.29.17'),
  basicConstraints: identifier('2.5.29.19'),
  issuerKeyId: identifier('2.5.29.35'),
  extendedKeyUsage: identifier('2.5.29.37'),
  serverAuth: identifier('1.3.6.1.5.5.7.3.1'),
} as const;

const algorithms: Readonly<Record<string, Der>> = {
  ec: sequence(identifier('1.2.840.10045.4.3.2')),
  rsa: sequence(identifier('1.2.840.113549.1.1.11'), nothing),
};

export const canSign = (key: KeyObject): boolean => Object.hasOwn(algorithms, key.asymmetricKeyType ?? '');

const nameOf = (commonName: string): Der => sequence(setOf(sequence(oid.commonName, text(commonName))));

const extension = (id: Der, value: Der, critical = false): Der =>
  sequence(...(critical ? [id, yes, octets(value)] : [id, octets(value)]));

const publicKeyOf = (key: KeyObject): Der => createPublicKey(key).export({ type: 'spki', format: 'der' });

/** RFC 7093: the beginning of a SHA-256. */
const keyIdOf = (publicKey: Der): Buffer => createHash('sha256').update(publicKey).digest().subarray(0, 20);

const subjectKeyId = (publicKey: Der): Der => extension(oid.subjectKeyId, octets(keyIdOf(publicKey)));

/** Positive, and as long as it looks. */
const serialNumber = (): Der => {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] as number) & 0x3f) | 0x40;
  return integer(bytes);
};

const pem = (der: Der): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/(.{64})(?=.)/g, '$1\n')}\n-----END CERTIFICATE-----\n`;

const signed = ({ subject, publicKey, period, extensions }: Content, { name, key }: Omit<Issuer, 'keyId'>): string => {
  const algorithm = algorithms[key.asymmetricKeyType ?? ''] as Der;
  const version3 = tagged(0xa0, integer(Buffer.from([2])));
  const validity = sequence(time(period.from), time(period.until));
  const toBeSigned = sequence(
    version3,
    serialNumber(),
    algorithm,
    name,
    validity,
    subject,
    publicKey,
    tagged(0xa3, sequence(...extensions)),
  );
  return pem(sequence(toBeSigned, algorithm, bits(sign('sha256', toBeSigned, key))));
};

/** Signs nodes' certificates only, and no further authorities. */
export const authorityCertificate = (key: KeyObject, commonName: string, period: Period): string => {
  const publicKey = publicKeyOf(key);
  const name = nameOf(commonName);
  const constraints = sequence(yes, integer(Buffer.from([0])));
  const certificatesAndLists = bits(Buffer.from([0b0000_0110]), 1);
  const extensions = [
    extension(oid.basicConstraints, constraints, true),
    extension(oid.keyUsage, certificatesAndLists, true),
    subjectKeyId(publicKey),
  ];
  return signed({ subject: name, publicKey, period, extensions }, { name, key });
};

const alternativeNames = ({ hosts, addresses }: Names): Der =>
  sequence(
    ...hosts.map((host) => tagged(0x82, Buffer.from(host, 'latin1'))),
    ...addresses.map((address) => tagged(0x87, addressBytes(address) as Buffer)),
  );

export interface ServerCertificate {
  readonly key: KeyObject;
  readonly commonName: string;
  readonly names: Names;
  readonly period: Period;
}

export const serverCertificate = ({ key, commonName, names, period }: ServerCertificate, issuer: Issuer): string => {
  const publicKey = publicKeyOf(key);
  const signatures = bits(Buffer.from([0b1000_0000]), 7);
  const extensions = [
    extension(oid.basicConstraints, sequence(), true),
    extension(oid.keyUsage, signatures, true),
    extension(oid.extendedKeyUsage, sequence(oid.serverAuth)),
    extension(oid.alternativeName, alternativeNames(names)),
    subjectKeyId(publicKey),
    extension(oid.issuerKeyId, sequence(tagged(0x80, issuer.keyId))),
  ];
  return signed({ subject: nameOf(commonName), publicKey, period, extensions }, issuer);
};

/** The authority as its certificate has it, which another program may have made. */
export const issuerOf = (certificate: X509Certificate, key: KeyObject): Issuer => {
  const [whole] = elements(certificate.raw);
  const [toBeSigned] = elements(whole?.content ?? Buffer.alloc(0));
  const fields = elements(toBeSigned?.content ?? Buffer.alloc(0));
  const extensions = elements(elements(fields.at(-1)?.content ?? Buffer.alloc(0))[0]?.content ?? Buffer.alloc(0));
  const found = extensions.map(({ content }) => elements(content)).find(([id]) => id?.der.equals(oid.subjectKeyId));
  const keyId = elements(found?.at(-1)?.content ?? Buffer.alloc(0))[0]?.content;
  return { name: fields[5]?.der ?? nameOf(''), keyId: keyId ?? keyIdOf(publicKeyOf(key)), key };
};
