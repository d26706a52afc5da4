/** Codes on paper: 80 bits each, so that their hashes tell nobody anything. */
import { randomBytes } from 'node:crypto';
import { secretHashOf } from '../sessions/session-secret';
import { base32 } from './totp';

const howMany = 10;
const bytes = 10;

/** In groups, as people read them. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: howMany }, () => (base32(randomBytes(bytes)).match(/.{4}/g) ?? []).join('-'));

/** However it was typed. */
export const recoveryHash = (code: string): string => secretHashOf(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''));

export const hashesOf = (codes: readonly string[]): readonly string[] => codes.map(recoveryHash);
