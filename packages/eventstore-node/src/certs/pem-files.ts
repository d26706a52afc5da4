/** A certificate and its key, in two files that are only ever written whole. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';

export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

export const pairIn = (directory: string, name: 'ca' | 'node'): Pair => ({
  certificate: join(directory, `${name}.crt`),
  key: join(directory, `${name}.key`),
});

const write = (path: string, content: string, mode: number): void => {
  writeFileSync(`${path}.new`, content, { mode, flush: true });
  renameSync(`${path}.new`, path);
};

export const writeCertificate = (path: string, certificate: string): void => write(path, certificate, 0o644);

/** Undefined: the file is not there. */
export const readCertificate = (path: string): Either<string, X509Certificate | undefined> => {
  if (!existsSync(path)) return right(undefined);
  try {
    return right(new X509Certificate(readFileSync(path)));
  } catch {
    return left(`${path} is not a certificate.`);
  }
};

export const readKey = (path: string): Either<string, KeyObject | undefined> => {
  if (!existsSync(path)) return right(undefined);
  try {
    return right(createPrivateKey(readFileSync(path)));
  } catch {
    return left(`${path} is not a private key, or has a passphrase.`);
  }
};

/** The key is there before the certificate: what is found without one was interrupted, and is used. */
export const ensureKey = (path: string): Either<string, KeyObject> => {
  const found = readKey(path);
  if (isLeft(found)) return found;
  if (found.right !== undefined) return right(found.right);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  write(path, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600);
  return right(privateKey);
};
