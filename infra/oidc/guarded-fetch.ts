/**
 * Fetches from where a tenant's administrator says. Every address that a name leads to is judged as it is connected to, redirects are
 * not followed, and answers are bounded in time and size.
 */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, fetch } from 'undici';
import { isPublicAddress } from '../remote/public-address';

export interface FetchLimits {
  /** The installation's own network may be reached, and without TLS: for tests, and for providers within. */
  readonly allowPrivate: boolean;
  readonly milliseconds?: number;
}

const patience = 5_000;
const largest = 512 * 1024;

const judged =
  (allowPrivate: boolean): LookupFunction =>
  (hostname, options, answer) => {
    const wanted: LookupOptions & { all: true } = { ...options, all: true };
    systemLookup(hostname, wanted, (error, found) => {
      if (error !== null) return answer(error, '');
      const [first] = found;
      if (first === undefined || !found.every(({ address }: LookupAddress) => allowPrivate || isPublicAddress(address)))
        return answer(new Error('the address is not public'), '');
      if (options.all === true) return answer(null, found);
      answer(null, first.address, first.family);
    });
  };

const refusedAddress = (url: URL, allowPrivate: boolean): boolean => {
  if (allowPrivate) return false;
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  // A host that is an address already is never looked up.
  return url.protocol !== 'https:' || (isIP(host) !== 0 && !isPublicAddress(host));
};

export interface Asked {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export type GuardedFetch = (url: string, asked: Asked) => Promise<Response>;

export const guardedFetch = ({ allowPrivate, milliseconds = patience }: FetchLimits): GuardedFetch => {
  const dispatcher = new Agent({
    connect: { lookup: judged(allowPrivate), timeout: milliseconds },
    maxResponseSize: largest,
    // A connection that was judged for one address is not kept for another.
    pipelining: 0,
  });
  return async (url, { method, headers, body }) => {
    if (refusedAddress(new URL(url), allowPrivate)) throw new Error('the address is not public');
    const signal = AbortSignal.timeout(milliseconds);
    const content = body === undefined ? {} : { body };
    const answer = await fetch(url, { method, headers, ...content, redirect: 'manual', dispatcher, signal });
    return answer as unknown as Response;
  };
};
