/** The certificates that a secure node serves with, in one directory: an authority's and the node's own. */
import type { X509Certificate } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { daysFromNow, ensureAuthority, issuerIn, justNow } from './authority';
import { serverCertificate } from './issue-certificate';
import { ensureKey, pairIn, readCertificate, readKey, writeCertificate } from './pem-files';
import { covers, type Names } from './subject-names';

export interface CertificateFiles {
  /** What clients trust: `tlsCAFile`. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

export const filesIn = (directory: string): CertificateFiles => {
  const { certificate, key } = pairIn(directory, 'node');
  return { authority: pairIn(directory, 'ca').certificate, certificate, key };
};

export interface NodeCertificate {
  readonly names: Names;
  readonly days: number;
}

/** As EventStoreDB expects it of its nodes. */
const commonName = 'eventstoredb-node';
export const defaultDays = 2 * 365;
/** Left of a certificate's time when a start renews it. */
const renewalDays = 30;

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

/** Signs a certificate for the node's key, in place of the one that is there; it ends with the authority's at the latest. */
export const signNode = async (
  directory: string,
  { names, days }: NodeCertificate,
): Promise<Either<string, CertificateFiles>> => {
  const authority = await ensureAuthority(directory);
  if (isLeft(authority)) return authority;
  const issuer = issuerIn(directory, authority.right);
  if (isLeft(issuer)) return issuer;
  const files = filesIn(directory);
  const key = ensureKey(files.key);
  if (isLeft(key)) return key;
  const until = earlier(daysFromNow(days), new Date(authority.right.validTo));
  const wanted = { key: key.right, commonName, names, period: { from: justNow(), until } };
  writeCertificate(files.certificate, await serverCertificate(wanted, issuer.right));
  return right(files);
};

/** Left is a sentence about a file whose content does not match its name. */
const isGood = (directory: string, authority: X509Certificate, names: Names): Either<string, boolean> => {
  const files = filesIn(directory);
  const certificate = readCertificate(files.certificate);
  if (isLeft(certificate)) return certificate;
  const key = readKey(files.key);
  if (isLeft(key)) return key;
  const [own, secret] = [certificate.right, key.right];
  if (own === undefined || secret === undefined) return right(false);
  const lasts = new Date(own.validTo) > earlier(daysFromNow(renewalDays), new Date(authority.validTo));
  return right(lasts && own.checkPrivateKey(secret) && own.verify(authority.publicKey) && covers(own, names));
};

export const makeDirectory = (directory: string): Either<string, undefined> => {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return right(undefined);
  } catch (error) {
    return left(`${directory} cannot be made: ${(error as Error).message}`);
  }
};

/** At every start: makes what is missing, renews the node's when its time is nearly over or its names are others. */
export const ensureCertificates = async (
  directory: string,
  names: Names,
): Promise<Either<string, CertificateFiles>> => {
  const made = makeDirectory(directory);
  if (isLeft(made)) return made;
  const authority = await ensureAuthority(directory);
  if (isLeft(authority)) return authority;
  const good = isGood(directory, authority.right, names);
  if (isLeft(good)) return good;
  return good.right ? right(filesIn(directory)) : signNode(directory, { names, days: defaultDays });
};
