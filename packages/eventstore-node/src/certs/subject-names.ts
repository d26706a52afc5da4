/** What a certificate is for: hosts and addresses. */
import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { type Either, left, right } from 'fp-ts/Either';

export interface Names {
  readonly hosts: readonly string[];
  readonly addresses: readonly string[];
}

export const loopbackNames: Names = { hosts: ['localhost'], addresses: ['127.0.0.1', '::1'] };

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const hostShape = new RegExp(`^(?:\\*\\.)?${label}(?:\\.${label})*$`);
const maxHostLength = 253;

/** What would end the host of a URL, where the conversion to ASCII stops without an error. */
const ends = /[\s/\\?#@:]/u;

const hostOf = (name: string): string | undefined => {
  const ascii = ends.test(name) ? '' : domainToASCII(name);
  return hostShape.test(ascii) && ascii.length <= maxHostLength && isIP(ascii) === 0 ? ascii : undefined;
};

/** The one way to write an address; undefined when it is none, or one of a single interface. */
export const normalAddress = (address: string): string | undefined => {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return undefined;
  // The URL parser writes every form as groups of hexadecimal digits, of which IPv4 within IPv6 has none.
  return version === 4 ? address : new URL(`http://[${address}]`).hostname.slice(1, -1);
};

/** Left is the first that cannot stand in a certificate. */
export const namesOf = (hosts: readonly string[], addresses: readonly string[]): Either<string, Names> => {
  if (hosts.length === 0 && addresses.length === 0) return right(loopbackNames);
  const valid: string[] = [];
  for (const name of hosts) {
    const host = hostOf(name);
    if (host === undefined) return left(`"${name}" is not a host name; use --ip for addresses.`);
    valid.push(host);
  }
  const wrong = addresses.find((address) => normalAddress(address) === undefined);
  return wrong === undefined ? right({ hosts: valid, addresses }) : left(`"${wrong}" is not an IP address.`);
};

export const namesIn = ({ subjectAltName = '' }: X509Certificate): Names => {
  const entries = subjectAltName.split(', ');
  const after = (prefix: string): readonly string[] =>
    entries.flatMap((entry) => (entry.startsWith(prefix) ? [entry.slice(prefix.length)] : []));
  return { hosts: after('DNS:'), addresses: after('IP Address:') };
};

export const covers = (certificate: X509Certificate, { hosts, addresses }: Names): boolean => {
  const there = namesIn(certificate);
  return (
    hosts.every((host) => there.hosts.includes(host)) &&
    addresses.every((address) => there.addresses.some((other) => normalAddress(other) === normalAddress(address)))
  );
};
