/**
 * Fetches from addresses that strangers and administrators of tenants name. Every address that a name leads to is judged as it is connected
 * to, so that a name cannot stand for one address when it is checked and for another when it is used. Redirects are not followed, and
 * answers are bounded in time and in size, as sent and as decoded.
 */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, fetch } from 'undici';
import { isPublicAddress } from './public-address';

export interface FetchLimits {
  /** The installation's own network may be reached, and without TLS: for tests, and for providers within. */
  readonly allowPrivate: boolean;
  /** PEM of an authority to trust besides Node's own list. */
  readonly authority?: string;
  readonly milliseconds?: number;
  readonly largestBytes?: number;
  /** A longer answer is read so far; left out, it is refused. */
  readonly isTruncated?: boolean;
}

export const defaultTimeoutMilliseconds = 5_000;
const defaultMaxResponseBytes = 512 * 1024;

export class AddressRefused extends Error {
  constructor() {
    super('the address is not public');
  }
}

/** Of `net.connect`: fails where a name leads to an address that is not public. */
export const publicAddressLookup =
  (allowPrivate: boolean): LookupFunction =>
  (hostname, options, answer) => {
    const wanted: LookupOptions & { all: true } = { ...options, all: true };
    systemLookup(hostname, wanted, (error, found) => {
      if (error !== null) return answer(error, '');
      const [first] = found;
      if (first === undefined || !found.every(({ address }: LookupAddress) => allowPrivate || isPublicAddress(address)))
        return answer(new AddressRefused(), '');
      if (options.all === true) return answer(null, found);
      answer(null, first.address, first.family);
    });
  };

/** Decides of the URL alone: a name may still lead to an address that is refused. */
export const isAllowedUrl = ({ protocol, hostname }: URL, allowPrivate: boolean): boolean => {
  if (allowPrivate) return protocol === 'https:' || protocol === 'http:';
  const host = hostname.replaceAll(/[[\]]/g, '');
  // A host that is an address already is never looked up.
  return protocol === 'https:' && (isIP(host) === 0 || isPublicAddress(host));
};

/** A few bytes can be decoded to very many. */
const readBounded = async (
  body: AsyncIterable<Uint8Array>,
  { largestBytes: largest, isTruncated }: { readonly largestBytes: number; readonly isTruncated: boolean },
): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > largest && !isTruncated) throw new Error('the answer is too large');
    chunks.push(chunk);
    if (size > largest) break;
  }
  return Buffer.concat(chunks).subarray(0, largest);
};

export interface FetchRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Ends the request before its time. */
  readonly signal?: AbortSignal | undefined;
}

/** Throws when the address may not be fetched from, and when the answer is not there in time or is too large. */
export type GuardedFetch = (address: string, request: FetchRequest) => Promise<Response>;

export const createGuardedFetch = (limits: FetchLimits): GuardedFetch => {
  const {
    allowPrivate,
    authority,
    milliseconds = defaultTimeoutMilliseconds,
    largestBytes = defaultMaxResponseBytes,
    isTruncated = false,
  } = limits;
  const ca = authority === undefined ? {} : { ca: authority };
  const dispatcher = new Agent({
    connect: { lookup: publicAddressLookup(allowPrivate), timeout: milliseconds, ...ca },
    ...(isTruncated ? {} : { maxResponseSize: largestBytes }),
    // No keep-alive: a connection checked for one address must not serve another.
    pipelining: 0,
  });
  return async (address, { method, headers, body, signal: canceled }) => {
    const url = new URL(address);
    if (!isAllowedUrl(url, allowPrivate)) throw new AddressRefused();
    const inTime = AbortSignal.timeout(milliseconds);
    const signal = canceled === undefined ? inTime : AbortSignal.any([inTime, canceled]);
    const content = body === undefined ? {} : { body };
    const answer = await fetch(url, { method, headers, ...content, redirect: 'manual', dispatcher, signal });
    const bytes = answer.body === null ? null : await readBounded(answer.body, { largestBytes, isTruncated });
    return new Response(bytes, { status: answer.status, headers: [...answer.headers] });
  };
};
