/** Addresses and networks, as configuration lists them: `10.1.2.3`, `10.0.0.0/8`, `fd00::/8`. */
import { BlockList, isIP, isIPv6 } from 'node:net';

export interface Places {
  readonly has: (address: string) => boolean;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Undefined when it is neither. */
export const placeOf = (text: string): { address: string; bits: number } | undefined => {
  const [address = '', prefix, ...more] = text.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const bits = prefix === undefined ? longest : Number(/^\d{1,3}$/.test(prefix) ? prefix : -1);
  return more.length === 0 && bits >= 0 && bits <= longest ? { address, bits } : undefined;
};

/** What is no place is passed over: configuration has been checked. */
export const places = (texts: readonly string[]): Places => {
  const list = new BlockList();
  for (const place of texts.map(placeOf))
    if (place !== undefined) list.addSubnet(place.address, place.bits, familyOf(place.address));
  return { has: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) };
};
