/**
 * Fetches JSON from where a stranger says. The name is looked up here and its address judged before anything is connected to, so
 * that a name cannot stand for one address when it is checked and for another when it is used. Redirects are not followed.
 */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import { parseJson } from '../http/json';
import type { RemoteJson } from '../ports/remote-json';
import { isPublicAddress } from './public-address';

export interface RemoteOptions {
  /** Where the installation's own network is to be reached, too. */
  readonly allowPrivate: boolean;
  /** Trusted besides those that Node knows. */
  readonly authority?: string;
  readonly milliseconds?: number;
}

const longest = 256 * 1024;
const patience = 5_000;

class NotPublic extends Error {}

const judged =
  (allowPrivate: boolean): LookupFunction =>
  (hostname, options, answer) => {
    const wanted: LookupOptions & { all: true } = { ...options, all: true };
    systemLookup(hostname, wanted, (error, found) => {
      if (error !== null) return answer(error, '');
      const [first] = found;
      if (first === undefined || !found.every(({ address }: LookupAddress) => allowPrivate || isPublicAddress(address)))
        return answer(new NotPublic('not public'), '');
      if (options.all === true) return answer(null, found);
      answer(null, first.address, first.family);
    });
  };

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

const bytesOf = async (response: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > longest) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
};

const answered = (url: URL, { allowPrivate, authority, milliseconds = patience }: RemoteOptions) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const ca = authority === undefined ? {} : { ca: authority };
    const headers = { accept: 'application/json, application/jwk-set+json' };
    // No agent: a connection that was judged for one address is not kept for another.
    const asked = request(url, {
      ...{ agent: false, headers, lookup: judged(allowPrivate), signal: AbortSignal.timeout(milliseconds) },
      ...ca,
    });
    asked.on('response', resolve).on('error', reject).end();
  });

type Fetched = Either<string, unknown>;

const fetched = async (url: URL, options: RemoteOptions): Promise<Fetched> => {
  const response = await answered(url, options);
  if (response.statusCode !== 200) {
    response.destroy();
    return left('It did not answer 200.');
  }
  const bytes = await bytesOf(response);
  return bytes === undefined ? left('It answered too much.') : parseJson(bytes);
};

const parsed = (address: string): URL | undefined => {
  try {
    const url = new URL(address);
    return url.protocol === 'https:' ? url : undefined;
  } catch {
    return undefined;
  }
};

export const openRemoteJson =
  (options: RemoteOptions): RemoteJson =>
  async (address) => {
    const unavailable = left(fault('remote-unavailable', 'What was to be fetched cannot be had.'));
    const url = parsed(address);
    if (url === undefined) return unavailable;
    // A host that is an address already is never looked up.
    if (!options.allowPrivate && isIP(hostOf(url)) !== 0 && !isPublicAddress(hostOf(url))) return unavailable;
    try {
      const found = await fetched(url, options);
      return found._tag === 'Left' ? unavailable : right(found.right);
    } catch {
      // Why is told to nobody: who named the address could learn of our network by it.
      return unavailable;
    }
  };
