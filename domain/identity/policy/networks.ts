/** Addresses and networks, of both versions. */

type Groups = readonly number[];

const version4 = (text: string): Groups | undefined => {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined;
  const [a, b, c, d] = parts.map(Number) as [number, number, number, number];
  return [0, 0, 0, 0, 0, 0xffff, a * 256 + b, c * 256 + d];
};

const groupsOf = (text: string): Groups | undefined => {
  if (text === '') return [];
  const parts = text.split(':');
  return parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part))
    ? parts.map((part) => Number.parseInt(part, 16))
    : undefined;
};

/** The last two groups may be written as an address of version 4. */
const withoutDots = (text: string): string | undefined => {
  const [, head, dotted] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? [];
  if (head === undefined || dotted === undefined) return text;
  const groups = version4(dotted);
  return (
    groups &&
    `${head}${groups
      .slice(6)
      .map((group) => group.toString(16))
      .join(':')}`
  );
};

const version6 = (written: string): Groups | undefined => {
  const text = withoutDots(written);
  if (text === undefined) return undefined;
  const [before = '', after, ...more] = text.split('::');
  if (more.length > 0) return undefined;
  const head = groupsOf(before);
  if (after === undefined) return head?.length === 8 ? head : undefined;
  const tail = groupsOf(after);
  if (head === undefined || tail === undefined || head.length + tail.length > 7) return undefined;
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
};

/** Eight groups of 16 bits; an address of version 4 is its mapped form. Undefined: no address. */
export const parseAddress = (text: string): Groups | undefined =>
  text.includes(':') ? version6(text) : version4(text);

export interface Network {
  readonly groups: Groups;
  /** Of 128. */
  readonly bits: number;
}

/** Undefined: neither an address nor a network. Bits of the host must be zero: what was meant is unclear otherwise. */
export const parseNetwork = (text: string): Network | undefined => {
  const [address = '', prefix, ...more] = text.split('/');
  const groups = parseAddress(address);
  if (groups === undefined || more.length > 0) return undefined;
  const mostBits = address.includes(':') ? 128 : 32;
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return undefined;
  const written = prefix === undefined ? mostBits : Number(prefix);
  if (written > mostBits) return undefined;
  const network = { groups, bits: written + 128 - mostBits };
  return isSame(masked(groups, network.bits), groups) ? network : undefined;
};

const isSame = (one: Groups, other: Groups): boolean => one.every((group, index) => group === other[index]);

const masked = (groups: Groups, bits: number): Groups =>
  groups.map((group, index) => {
    const length = Math.min(Math.max(bits - index * 16, 0), 16);
    return group & ((0xffff << (16 - length)) & 0xffff);
  });

export const isInNetwork = (address: Groups, { groups, bits }: Network): boolean =>
  isSame(masked(address, bits), groups);
