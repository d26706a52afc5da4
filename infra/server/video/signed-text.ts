/** Texts that are signed with keys which one installation's processes share; of several keys the first one signs, and all are accepted. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface DeliveryKey {
  readonly id: string;
  readonly secret: string;
}

export type DeliveryKeys = readonly [DeliveryKey, ...DeliveryKey[]];

/** `use` keeps a text that is signed for one use from being taken for another one. */
const macOf = ({ secret }: DeliveryKey, use: string, text: string): string =>
  createHmac('sha256', secret).update(`septet:video:${use}:${text}`).digest('base64url');

export const signText = ([key]: DeliveryKeys, use: string, text: string): { keyId: string; signature: string } => ({
  keyId: key.id,
  signature: macOf(key, use, text),
});

/** Compares what was written, not what it decodes to: base64url has several ways to write the same bytes. */
export const isSignedText = (
  keys: DeliveryKeys,
  use: string,
  { text, keyId, signature }: { readonly text: string; readonly keyId: string; readonly signature: string },
): boolean => {
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) return false;
  const [actual, expected] = [Buffer.from(signature), Buffer.from(macOf(key, use, text))];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
};
