/** The authority that signs nodes' certificates: made when there is none, never replaced. */
import { randomBytes, type X509Certificate } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { authorityCertificate, canSign, type Issuer } from './issue-certificate';
import { ensureKey, pairIn, readCertificate, readKey, writeCertificate } from './pem-files';

const years = 10;
/** Clocks that are a little behind accept what was just made. */
const clockSkew = 60 * 60 * 1000;

export const daysFromNow = (days: number): Date => new Date(Date.now() + days * 24 * 60 * 60 * 1000);
export const justNow = (): Date => new Date(Date.now() - clockSkew);

const make = async (directory: string): Promise<Either<string, undefined>> => {
  const { certificate, key } = pairIn(directory, 'ca');
  const own = ensureKey(key);
  if (isLeft(own)) return own;
  if (!canSign(own.right)) return left(`${key} is of a kind that cannot sign here.`);
  const period = { from: justNow(), until: daysFromNow(years * 365) };
  // Unique names let clients that trust two authorities distinguish them.
  writeCertificate(
    certificate,
    await authorityCertificate(own.right, `Event store authority ${randomBytes(4).toString('hex')}`, period),
  );
  return right(undefined);
};

/** Returns the certificate. The key may be stored elsewhere until it is needed for a signature. */
export const ensureAuthority = async (directory: string): Promise<Either<string, X509Certificate>> => {
  const { certificate } = pairIn(directory, 'ca');
  const found = readCertificate(certificate);
  if (isLeft(found)) return found;
  if (found.right !== undefined)
    return found.right.ca ? right(found.right) : left(`${certificate} is not a certificate of an authority.`);
  const made = await make(directory);
  if (isLeft(made)) return made;
  const own = readCertificate(certificate);
  if (isLeft(own)) return own;
  return own.right === undefined ? left(`${certificate} is gone.`) : right(own.right);
};

export const issuerIn = (directory: string, authority: X509Certificate): Either<string, Issuer> => {
  const { certificate, key } = pairIn(directory, 'ca');
  const own = readKey(key);
  if (isLeft(own)) return own;
  if (own.right === undefined) return left(`${key} is not there: without it ${certificate} signs nothing.`);
  if (!authority.checkPrivateKey(own.right)) return left(`${key} is not the key of ${certificate}.`);
  if (!canSign(own.right)) return left(`${key} is of a kind that cannot sign here.`);
  if (new Date(authority.validTo) <= new Date()) return left(`${certificate} was valid until ${authority.validTo}.`);
  return right({ certificate: authority, key: own.right });
};
