/** The private key that a process signs identity headers with: read again when its file is replaced. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { textThat } from '../config';
import type { Log } from '../ports/log';
import { rereadFile } from '../reread-file';
import { keyIdOf } from './caller-keys';

export interface SigningKey {
  /** RFC 7638 thumbprint of the public key. */
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

export interface CallerSigner {
  readonly current: () => SigningKey;
}

const unusable = left('The internal signing key is not a PKCS #8 PEM of an EC P-256 key.');

export const readSigningKey = (pem: string): Either<string, SigningKey> => {
  try {
    const privateKey = createPrivateKey(pem);
    const { crv, x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
    return crv === 'P-256' ? right({ keyId: keyIdOf({ x, y }), privateKey }) : unusable;
  } catch {
    return unusable;
  }
};

/** `INTERNAL_SIGNING_KEY`: the PEM itself, or in a file, which is read again. */
export const signingKeyText = textThat(
  'a PKCS #8 PEM of an EC P-256 private key, as `npm run internal-keys` writes it',
  (pem) => !isLeft(readSigningKey(pem)),
);

export interface CallerSignerOptions {
  readonly text: string;
  /** Left out, the text stays as it is. */
  readonly path?: string | undefined;
  readonly log: Log;
  readonly now?: () => number;
}

export const openCallerSigner = ({ text, path, log, now }: CallerSignerOptions): CallerSigner => {
  const clock = now === undefined ? {} : { now };
  return { current: rereadFile({ text, path: path || undefined, read: readSigningKey, log, ...clock }) };
};
