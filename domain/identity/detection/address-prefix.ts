/** The network of an address: /24 of IPv4, /48 of IPv6. It stands for a place, for want of a database of places. */

const groupsOf = (address: string): readonly string[] => {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: gap }, () => '0'), ...after];
};

/** Undefined: not an address. */
export const addressPrefixOf = (address: string): string | undefined => {
  const four = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(address);
  if (four !== null) return `${four[1]}.0/24`;
  if (!/^[0-9a-f:.]{2,45}$/i.test(address) || !address.includes(':')) return undefined;
  const groups = groupsOf(address.toLowerCase()).slice(0, 3);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/48`;
};

/** Clients with both have an address of each. */
export const isSameFamily = (one: string, other: string): boolean => one.includes(':') === other.includes(':');
