/** Addresses as numbers, and ranges of them (CIDR, RFC 4632 and RFC 4291). */
import { isIPv4, isIPv6 } from 'node:net';

export interface Address {
  readonly family: 4 | 6;
  readonly bits: bigint;
}

export interface AddressRange extends Address {
  /** Prefix length in bits. */
  readonly length: number;
}

const widths = { 4: 32, 6: 128 } as const;

const parseIPv4 = (address: string): bigint =>
  address.split('.').reduce((bits, part) => (bits << 8n) | BigInt(Number(part)), 0n);

/** The URL parser normalises addresses: hexadecimal groups with at most one gap. */
const parseIPv6 = (address: string): bigint => {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = '', after] = written.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const gap = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return [...head, ...gap, ...tail].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
};

const ipv4MappedPrefix = 0xffffn;

/** IPv4-mapped addresses become IPv4; a zone is ignored. Undefined if it is not an address. */
export const parseAddress = (text: string): Address | undefined => {
  if (isIPv4(text)) return { family: 4, bits: parseIPv4(text) };
  if (!isIPv6(text)) return undefined;
  const bits = parseIPv6(text.split('%')[0] ?? '');
  return bits >> 32n === ipv4MappedPrefix ? { family: 4, bits: bits & 0xffffffffn } : { family: 6, bits };
};

/** Undefined if it is neither an address nor a range. */
export const parseRange = (text: string): AddressRange | undefined => {
  const [, written = '', digits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(written);
  if (address === undefined) return undefined;
  const { family, bits } = address;
  const [writtenWidth, width] = [isIPv4(written) ? widths[4] : widths[6], widths[family]];
  const length = digits === undefined ? width : Number(digits) - (writtenWidth - width);
  if (length < 0 || length > width) return undefined;
  return { family, bits, length };
};

/** The bits that all addresses of the range share. */
export const prefixBits = ({ family, bits }: Address, length: number): bigint =>
  bits >> BigInt(widths[family] - length);
