/** Client addresses behind trusted proxies, and CIDR lists: `10.1.2.3`, `10.0.0.0/8`, `fd00::/8`. */

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

export interface CidrList {
  readonly has: (address: string) => boolean;
}

const addressFamilyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Undefined: neither an address nor a network. */
export const parseCidr = (text: string): { address: string; bits: number } | undefined => {
  const [address = '', prefix, ...more] = text.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const bits = prefix === undefined ? longest : Number(/^\d{1,3}$/.test(prefix) ? prefix : -1);
  return more.length === 0 && bits >= 0 && bits <= longest ? { address, bits } : undefined;
};

/** Ignores invalid entries: the configuration was validated before. */
export const createCidrList = (texts: readonly string[]): CidrList => {
  const list = new BlockList();
  for (const cidr of texts.map(parseCidr))
    if (cidr !== undefined) list.addSubnet(cidr.address, cidr.bits, addressFamilyOf(cidr.address));
  return { has: (address) => isIP(address) !== 0 && list.check(address, addressFamilyOf(address)) };
};

/** A dual-stack listener shows IPv4 clients as mapped IPv6 addresses. */
const withoutMappedPrefix = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** The address of the connection's peer, which may be a proxy. */
export const peerAddressOf = ({ socket }: IncomingMessage): string => withoutMappedPrefix(socket.remoteAddress ?? '');

/** Entries of X-Forwarded-For: bare, with a port, or in brackets. */
const parseForwardedAddress = (entry: string): string => {
  const [, bracketed, version4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry) ?? [];
  return withoutMappedPrefix(bracketed ?? version4 ?? entry);
};

/** Entries further left are ignored: no installation chains that many proxies. */
const maxProxies = 16;

const clientAddresses = new WeakMap<IncomingMessage, string>();

export const clientAddressOf = (request: IncomingMessage): string =>
  clientAddresses.get(request) ?? peerAddressOf(request);

/**
 * Each proxy appends its peer at the right. Reads from the right as long as the writer of an entry is a trusted proxy; everything further
 * left was written by the client.
 */
export const createAddressResolver = (proxies: readonly string[]): ((request: IncomingMessage) => void) => {
  if (proxies.length === 0) return () => undefined;
  const believed = createCidrList(proxies);
  return (request) => {
    let address = peerAddressOf(request);
    const entries = (request.headersDistinct['x-forwarded-for'] ?? []).join(',').split(',').slice(-maxProxies);
    while (believed.has(address)) {
      const next = parseForwardedAddress(entries.pop()?.trim() ?? '');
      if (isIP(next) === 0) break;
      address = next;
    }
    clientAddresses.set(request, address);
  };
};
