/** SHA-256, also on pages that were not served by https, which have no `crypto.subtle`. */
import { sha256 as digestOf } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Without help of the platform; slower. */
export const sha256InScript = (bytes: Uint8Array): string => bytesToHex(digestOf(bytes));

export const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
  const { subtle } = globalThis.crypto as { readonly subtle?: typeof globalThis.crypto.subtle };
  return subtle === undefined
    ? sha256InScript(bytes)
    : bytesToHex(new Uint8Array(await subtle.digest('SHA-256', bytes)));
};
