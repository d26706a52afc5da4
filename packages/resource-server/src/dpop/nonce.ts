/** DPoP nonces (RFC 9449 section 8), derived from a secret and the minute, so that servers accept each other's. */
import { createHmac, type KeyObject } from 'node:crypto';

export interface Nonces {
  /** Milliseconds since 1970. */
  readonly current: (now: number) => string;
  readonly accepts: (nonce: string, now: number) => boolean;
}

const periodMilliseconds = 60_000;

export const derivedNonces = (secret: KeyObject): Nonces => {
  const made = new Map<number, string>();
  const nonceOf = (step: number): string => {
    const cached = made.get(step);
    if (cached !== undefined) return cached;
    const nonce = createHmac('sha256', secret).update(`dpop-nonce.v1.${step}`).digest().subarray(0, 18);
    if (made.size >= 8) made.clear();
    made.set(step, nonce.toString('base64url'));
    return nonceOf(step);
  };
  const stepOf = (now: number): number => Math.floor(now / periodMilliseconds);
  return {
    current: (now) => nonceOf(stepOf(now)),
    // Accepts the next one, too: another server's clock may be ahead. Timing reveals nothing: nonces are public.
    accepts: (nonce, now) => [0, -1, 1].some((away) => nonceOf(stepOf(now) + away) === nonce),
  };
};
