/** The private key that a process signs identity headers with: read again when its file is replaced. */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { textThat } from '../../runtime/config';
import { type FileText, rereadFile } from '../../runtime/reread-file';
import { dsaEncoding, keyIdOf } from './caller-keys';

export interface SigningKey {
  readonly keyId: string;
  readonly sign: (bytes: Buffer) => Buffer;
}

export interface CallerSigner {
  readonly current: () => SigningKey;
}

export interface PrivateKey extends SigningKey {
  readonly privateKey: KeyObject;
}

const unusable = left('The internal signing key is not a PKCS #8 PEM of an EC P-256 key.');

/** The id is the RFC 7638 thumbprint of the public key. */
export const readSigningKey = (pem: string): Either<string, PrivateKey> => {
  try {
    const privateKey = createPrivateKey(pem);
    const { crv, x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
    if (crv !== 'P-256') return unusable;
    const signed = (bytes: Buffer): Buffer => sign('sha256', bytes, { key: privateKey, dsaEncoding });
    return right({ keyId: keyIdOf({ x, y }), privateKey, sign: signed });
  } catch {
    return unusable;
  }
};

/** `INTERNAL_SIGNING_KEY`: the PEM itself, or in a file, which is read again. */
export const signingKeyText = textThat(
  'a PKCS #8 PEM of an EC P-256 private key, as `npm run internal-keys` writes it',
  (pem) => !isLeft(readSigningKey(pem)),
);

export const openCallerSigner = (file: FileText): CallerSigner => ({ current: rereadFile(file, readSigningKey) });
