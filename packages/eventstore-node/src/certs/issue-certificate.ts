/** The certificates of an authority and of its nodes: X.509, version 3 (RFC 5280). */
import { createHash, createPublicKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { type Names, normalAddress } from './subject-names';

export interface Period {
  readonly from: Date;
  readonly until: Date;
}

/** Loaded when something is to be signed: most starts find what they need. */
const library = () => {
  require('reflect-metadata');
  return require('@peculiar/x509') as typeof import('@peculiar/x509');
};

/** Names that Node and Web Cryptography have for the same. */
const curves: { readonly [name: string]: string } = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

const algorithmOf = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) => {
  if (asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const namedCurve = asymmetricKeyType === 'ec' ? curves[asymmetricKeyDetails?.namedCurve ?? ''] : undefined;
  return namedCurve === undefined ? undefined : { name: 'ECDSA', namedCurve };
};

export const canSign = (key: KeyObject): boolean => algorithmOf(key) !== undefined;

const signingKey = async (key: KeyObject) => {
  const algorithm = algorithmOf(key);
  if (algorithm === undefined) throw new Error('this key signs no certificates');
  return crypto.subtle.importKey('pkcs8', key.export({ type: 'pkcs8', format: 'der' }), algorithm, false, ['sign']);
};

const publicKeyOf = (key: KeyObject): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' });

/** RFC 7093: the beginning of a SHA-256. */
const keyIdOf = (publicKey: Buffer): string => createHash('sha256').update(publicKey).digest('hex').slice(0, 40);

/** Signs nodes' certificates only, and no further authorities. */
export const authorityCertificate = async (key: KeyObject, commonName: string, period: Period): Promise<string> => {
  const x509 = library();
  const publicKey = publicKeyOf(key);
  const name = [{ CN: [commonName] }];
  const certificate = await x509.X509CertificateGenerator.create({
    subject: name,
    issuer: name,
    notBefore: period.from,
    notAfter: period.until,
    publicKey,
    signingKey: await signingKey(key),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      new x509.SubjectKeyIdentifierExtension(keyIdOf(publicKey)),
    ],
  });
  return `${certificate.toString('pem')}\n`;
};

export interface Issuer {
  /** Which another program may have made. */
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

export interface ServerCertificate {
  readonly key: KeyObject;
  readonly commonName: string;
  readonly names: Names;
  readonly period: Period;
}

export const serverCertificate = async (
  { key, commonName, names, period }: ServerCertificate,
  issuer: Issuer,
): Promise<string> => {
  const x509 = library();
  const publicKey = publicKeyOf(key);
  const authority = new x509.X509Certificate(issuer.certificate.raw);
  const authorityKeyId = authority.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId;
  const certificate = await x509.X509CertificateGenerator.create({
    subject: [{ CN: [commonName] }],
    issuer: authority.subjectName,
    notBefore: period.from,
    notAfter: period.until,
    publicKey,
    signingKey: await signingKey(issuer.key),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        ...names.hosts.map((value) => ({ type: 'dns' as const, value })),
        // The library takes the dots of an IPv4 address within IPv6 for another address.
        ...names.addresses.map((address) => ({ type: 'ip' as const, value: normalAddress(address) ?? address })),
      ]),
      new x509.SubjectKeyIdentifierExtension(keyIdOf(publicKey)),
      new x509.AuthorityKeyIdentifierExtension(authorityKeyId ?? keyIdOf(publicKeyOf(issuer.key))),
    ],
  });
  return `${certificate.toString('pem')}\n`;
};
