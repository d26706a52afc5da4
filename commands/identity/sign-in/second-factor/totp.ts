/** TOTP (RFC 6238: HMAC-SHA-1, 6 digits, 30 seconds), as authenticator apps use it. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const stepSeconds = 30;
const digits = 6;
/** Accepted clock drift in steps, either way. */
const maxDriftSteps = 1;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const timeStepAt = (milliseconds: number): number => Math.floor(milliseconds / 1000 / stepSeconds);

/** RFC 4226 section 5.3. */
export const totpAt = (seed: Buffer, step: number, length = digits): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', seed).update(counter).digest();
  const at = (mac.at(-1) as number) & 0xf;
  const number = (mac.readUInt32BE(at) & 0x7fffffff) % 10 ** length;
  return String(number).padStart(length, '0');
};

/** RFC 4648 without padding, for manual entry. */
export const base32 = (bytes: Buffer): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
};

/** The matching time step; undefined: none. Compares all candidates in constant time. */
export const findTimeStep = (seed: Buffer, code: string, now: number): number | undefined => {
  const presented = Buffer.from(code.replaceAll(/\s/g, ''));
  if (presented.length !== digits) return undefined;
  const around = Array.from({ length: 2 * maxDriftSteps + 1 }, (_, index) => timeStepAt(now) - maxDriftSteps + index);
  return around.filter((step) => timingSafeEqual(presented, Buffer.from(totpAt(seed, step)))).at(0);
};

/** The otpauth URI of https://github.com/google/google-authenticator/wiki/Key-Uri-Format. */
export const keyUri = (seed: Buffer, issuer: string, account: string): string => {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(seed)}&issuer=${encodeURIComponent(issuer)}`;
};

/** How long used codes are remembered. */
export const codeRetentionMilliseconds = (2 * maxDriftSteps + 2) * stepSeconds * 1000;
