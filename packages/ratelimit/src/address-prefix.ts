/** `@septet/ratelimit/address-prefix`: what an address is counted as. */
import { isIPv4 } from 'node:net';
import { parseAddress } from './policy/ip-range';

const dotted = (bits: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.');

/** Hosts own whole /64s (RFC 4291 section 2.5.4); an IPv4 address in IPv6 clothes is one, however these are written. */
export const addressPrefix = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  if (isIPv4(plain)) return plain;
  const found = parseAddress(plain);
  if (found === undefined) return 'unknown';
  const { family, bits } = found;
  if (family === 4) return dotted(bits);
  return `${[112n, 96n, 80n, 64n].map((shift) => ((bits >> shift) & 0xffffn).toString(16)).join(':')}::/64`;
};
