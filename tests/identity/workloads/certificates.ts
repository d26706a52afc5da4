/** Authorities, intermediates and X.509-SVIDs of a trust domain. */
import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  type Extension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { exportJWK, type JWK } from 'jose';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface Issued {
  readonly certificate: X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}

export interface CertificateWish {
  readonly name: string;
  readonly isAuthority: boolean;
  readonly uris?: readonly string[];
  readonly from: Date;
  readonly until: Date;
  /** By itself where left out. */
  readonly by?: Issued;
}

export const makeCertificate = async (wish: CertificateWish): Promise<Issued> => {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const { name, isAuthority, uris = [], from, until, by } = wish;
  const names: Extension[] =
    uris.length === 0 ? [] : [new SubjectAlternativeNameExtension(uris.map((value) => ({ type: 'url', value })))];
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: by === undefined ? `CN=${name}` : by.certificate.subject,
    notBefore: from,
    notAfter: until,
    extensions: [new BasicConstraintsExtension(isAuthority, undefined, true), ...names],
    publicKey: keys.publicKey,
    signingKey: (by?.keys ?? keys).privateKey,
    signingAlgorithm: algorithm,
  });
  return { certificate, keys };
};

export const derOf = ({ certificate }: Issued): string => Buffer.from(certificate.rawData).toString('base64');

/** The private key. */
export const pemOf = ({ keys }: Issued): string =>
  String(KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }));

/** As a key of a trust bundle (SPIFFE Trust Domain and Bundle section 4.2). */
export const bundleKeyOf = async (issued: Issued): Promise<JWK> => ({
  ...(await exportJWK(issued.keys.publicKey)),
  use: 'x509-svid',
  x5c: [derOf(issued)],
});
