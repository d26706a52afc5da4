/** Public keys of an issuer of workloads' credentials: a JWK Set (RFC 7517), or a SPIFFE trust bundle with certificates of its authorities. */
import * as t from 'io-ts';
import { listOf, record, text } from '../../kernel/codec';
import { publicKeyFields } from '../jwk';

const Certificate = text('AuthorityCertificate', { maxLength: 5_464, pattern: '[A-Za-z0-9+/]+={0,2}' });

export const TrustedKey = record('TrustedKey', publicKeyFields.required, {
  ...publicKeyFields.optional,
  /** DER, base64: the authority of X.509-SVIDs. */
  x5c: t.array(Certificate, 'AuthorityCertificates'),
});
export type TrustedKey = t.TypeOf<typeof TrustedKey>;

export const maxTrustedKeys = 50;

export const TrustedKeys = record('TrustedKeys', { keys: listOf('TrustedKeyList', TrustedKey, maxTrustedKeys, 1) });
export type TrustedKeys = t.TypeOf<typeof TrustedKeys>;
