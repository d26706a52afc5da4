/** Certificates that their own key signed, for any name. */
import 'reflect-metadata';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Extension, Name, type X509Certificate, X509CertificateGenerator } from '@peculiar/x509';

export interface SelfSigned {
  readonly privateKey: KeyObject;
  /** Each in a set of its own: one set of several is one part with several values. */
  readonly subject: readonly (readonly [type: 'C' | 'O' | 'CN', value: string])[];
  readonly from: Date;
  readonly until: Date;
  readonly extensions?: readonly Extension[];
}

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256' };

/** With a key on the curve P-256. */
export const selfSigned = async (wanted: SelfSigned): Promise<X509Certificate> => {
  const { privateKey, from, until, extensions = [] } = wanted;
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  const name = new Name(wanted.subject.map(([type, value]) => ({ [type]: [{ utf8String: value }] })));
  return X509CertificateGenerator.create({
    subject: name,
    issuer: name,
    notBefore: from,
    notAfter: until,
    extensions: [...extensions],
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    signingKey: await crypto.subtle.importKey('pkcs8', pkcs8, ecdsa, false, ['sign']),
  });
};
