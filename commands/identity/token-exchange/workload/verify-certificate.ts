/** Verifies X.509-SVIDs: the client certificate of the connection, by the authorities of its trust domain (X509-SVID section 5). */
import { X509Certificate } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { parseSpiffeId } from '../../../../domain/identity/workload-trust/attributes';
import type { WorkloadTrust } from '../../../../domain/identity/workload-trust/decider';
import { decode, type Instant, listOf, record, text } from '../../../../domain/kernel/codec';
import { parseJson } from '../../../../infra/server/http/untrusted-json';
import type { ClientCertificate } from '../../../../packages/resource-server/src/verification/index';
import type { IssuerKeyCache } from './issuer-keys';
import type { TrustedIssuer } from './verify-token';

const maxIntermediates = 3;

/** `x5c` as in RFC 7515 section 4.1.6: the certificate of the connection, then intermediates up to an authority. */
const PresentedCertificate = record(
  'PresentedCertificate',
  { aud: text('TenantAudience', { content: 'address', maxLength: 512 }) },
  { x5c: listOf('CertificateChain', text('Certificate', { maxLength: 5_464 }), 1 + maxIntermediates) },
);
type PresentedCertificate = t.TypeOf<typeof PresentedCertificate>;

export const isPresentedCertificate = (subjectToken: string): boolean => subjectToken.startsWith('{');

/** Undefined: no JSON of that form. */
export const parsePresentedCertificate = (subjectToken: string): PresentedCertificate | undefined => {
  const parsed = parseJson(Buffer.from(subjectToken));
  if (isLeft(parsed)) return undefined;
  const decoded = decode(PresentedCertificate, parsed.right);
  return isLeft(decoded) ? undefined : decoded.right;
};

const parseCertificate = (base64: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
};

/** One URI and nothing quoted: a quoted name could hold the text of another. */
const spiffeIdOf = ({ subjectAltName = '' }: X509Certificate): string | undefined => {
  const uris = subjectAltName.split(', ').filter((name) => name.startsWith('URI:'));
  const [uri, ...others] = uris;
  if (uri === undefined || others.length > 0 || subjectAltName.includes('"')) return undefined;
  const id = uri.slice('URI:'.length);
  return parseSpiffeId(id) === undefined ? undefined : id;
};

const isValid = ({ validFrom, validTo }: X509Certificate, milliseconds: number): boolean =>
  Date.parse(validFrom) <= milliseconds && milliseconds < Date.parse(validTo);

const isIssuedBy = (certificate: X509Certificate, authority: X509Certificate): boolean => {
  try {
    return authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
  } catch {
    return false;
  }
};

/** Each certificate was issued by the next one, and the last by an authority. */
const leadsTo = (chain: readonly X509Certificate[], authorities: readonly X509Certificate[]): boolean =>
  chain.every((certificate, index) => {
    const next = chain[index + 1];
    return next === undefined
      ? authorities.some((authority) => isIssuedBy(certificate, authority))
      : isIssuedBy(certificate, next);
  });

interface CertificateProof extends PresentedCertificate {
  readonly certificate: ClientCertificate;
  readonly at: Instant;
}

interface VerifiedCertificate extends TrustedIssuer {
  readonly spiffeId: string;
  /** Seconds. */
  readonly expiresAt: number;
}

const findTrustDomain = ({ issuers }: WorkloadTrust, trustDomain: string | undefined): TrustedIssuer | undefined => {
  for (const [issuerId, issuer] of issuers)
    if (issuer.kind === 'spiffe' && issuer.issuer === trustDomain) return { issuerId, issuer };
  return undefined;
};

/** Left is a sentence for administrators. */
export const verifyCertificate = async (
  keyCache: IssuerKeyCache,
  trust: WorkloadTrust,
  { certificate, x5c = [certificate.der], at }: CertificateProof,
): Promise<Either<string, VerifiedCertificate>> => {
  const now = Date.parse(at);
  const chain = x5c.map(parseCertificate).filter((one) => one !== undefined);
  const [leaf] = chain;
  if (leaf === undefined || chain.length < x5c.length) return left('A certificate of the chain cannot be read.');
  if (leaf.raw.toString('base64') !== certificate.der)
    return left('The first certificate of the chain is not that of the connection.');
  const spiffeId = spiffeIdOf(leaf);
  if (spiffeId === undefined || leaf.ca) return left('The certificate is not an X.509-SVID of a workload.');
  const trusted = findTrustDomain(trust, parseSpiffeId(spiffeId)?.trustDomain);
  if (trusted === undefined) return left('The tenant does not trust the trust domain of the certificate.');
  const keys = await keyCache.of(trusted.issuer);
  if (keys === undefined) return left('The bundle of the trust domain cannot be fetched right now.');
  const authoritiesIn = (bundle: typeof keys): readonly X509Certificate[] =>
    bundle
      .flatMap(({ use, x5c: [own] = [] }) => (use === 'x509-svid' && own !== undefined ? [parseCertificate(own)] : []))
      .filter((one) => one !== undefined && isValid(one, now)) as X509Certificate[];
  const isTrusted =
    leadsTo(chain, authoritiesIn(keys)) ||
    leadsTo(chain, authoritiesIn((await keyCache.of(trusted.issuer, true)) ?? []));
  if (!isTrusted) return left('No authority of the trust domain issued the certificate.');
  if (!chain.every((one) => isValid(one, now))) return left('A certificate of the chain is not valid now.');
  return right({ ...trusted, spiffeId, expiresAt: Math.floor(Date.parse(leaf.validTo) / 1_000) });
};
