/**
 * The MAC key that the gateway shares with one service; a signature per request would cost ten times as much (decision 0034). A holder of
 * the key can impersonate any caller, towards that service only. During a rotation the file has two lines: `signs KEY`, and `next KEY` or
 * `former KEY`; the service accepts both, the gateway uses the first.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { textThat } from '../../runtime/config';
import { type FileText, rereadFile } from '../../runtime/reread-file';
import type { CallerKey, CallerKeys } from './caller-keys';
import type { CallerSigner } from './caller-signer';

export type MacKeyState = 'signs' | 'next' | 'former';

export interface MacKey {
  readonly state: MacKeyState;
  /** 32 bytes, base64url. */
  readonly secret: string;
}

export const macKeyId = (secret: string): string =>
  createHash('sha256').update('septet-mac-key\n').update(secret).digest('base64url');

const shape = /^(signs|next|former) ([A-Za-z0-9_-]{43})$/;

/** Left: the fault, without the content. */
export const readMacKeys = (text: string): Either<string, readonly MacKey[]> => {
  const keys = text
    .split('\n')
    .map((line) => shape.exec(line))
    .map((found) => (found === null ? undefined : { state: found[1] as MacKeyState, secret: found[2] ?? '' }));
  const isUsable = keys.filter((key) => key?.state === 'signs').length === 1 && !keys.includes(undefined);
  if (!isUsable) return left('The shared key is not one line `signs KEY`, and others of former and next keys.');
  return right(keys.filter((key) => key !== undefined));
};

/** `INTERNAL_MAC_KEY` and its kind: the lines themselves, or in a file, which is read again. */
export const macKeyText = textThat(
  'a key that the gateway and one service share, as `npm run internal-keys` writes it',
  (text) => !isLeft(readMacKeys(text)),
);

const macWith = (secret: string) => {
  const key = Buffer.from(secret, 'base64url');
  return (bytes: Buffer): Buffer => createHmac('sha256', key).update(bytes).digest();
};

const readSigner = (text: string) => {
  const keys = readMacKeys(text);
  if (isLeft(keys)) return keys;
  const { secret } = keys.right.find(({ state }) => state === 'signs') as MacKey;
  return right({ keyId: macKeyId(secret), sign: macWith(secret) });
};

/** For the gateway: MACs for the service that the key is shared with. */
export const openMacSigner = (file: FileText): CallerSigner => ({ current: rereadFile(file, readSigner) });

const callerKeyOf = (secret: string): CallerKey => {
  const mac = macWith(secret);
  return {
    holder: 'gateway',
    asserts: 'everybody',
    hasSigned: (bytes, signature) => {
      const expected = mac(bytes);
      return signature.length === expected.length && timingSafeEqual(signature, expected);
    },
  };
};

const readCallerKeys = (text: string) => {
  const keys = readMacKeys(text);
  if (isLeft(keys)) return keys;
  return right(new Map(keys.right.map(({ secret }) => [macKeyId(secret), callerKeyOf(secret)])));
};

/** For the service: MACs with its own key are accepted beside the signatures of others. */
export const withMacKey = (keys: CallerKeys, file: FileText): CallerKeys => {
  const current = rereadFile(file, readCallerKeys);
  return { find: (keyId) => current().get(keyId) ?? keys.find(keyId) };
};
