/** Fetches JSON from a URL of an untrusted party: https only, unless plain HTTP is allowed, and without the reason of a failure. */
import { isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { FetchRemoteDocument } from '../../ports/identity/remote-document';
import type { RemoteJson } from '../../ports/identity/remote-json';
import { parseJson } from '../../server/http/untrusted-json';
import { createGuardedFetch, type FetchLimits } from './guarded-fetch';

const largestBytes = 256 * 1024;
const request = { method: 'GET', headers: { accept: 'application/json, application/jwk-set+json' } };

/** RFC 9111 section 4.2, for a cache of our own. */
const freshSecondsOf = (headers: Headers): number | null => {
  const directives = (headers.get('cache-control') ?? '').toLowerCase().split(',');
  const names = directives.map((directive) => directive.trim());
  if (names.includes('no-store') || names.includes('no-cache')) return 0;
  const [, seconds] = /^max-age="?(\d{1,9})"?$/.exec(names.find((name) => name.startsWith('max-age=')) ?? '') ?? [];
  if (seconds === undefined) return null;
  const age = /^\d{1,9}$/.exec(headers.get('age') ?? '')?.[0] ?? '0';
  return Math.max(0, Number(seconds) - Number(age));
};

interface RemoteLimits extends FetchLimits {
  /** Also without TLS, where the installation's own network may be reached. */
  readonly allowPlainHttp?: boolean;
}

export const openRemoteDocument = ({ allowPlainHttp = false, ...limits }: RemoteLimits): FetchRemoteDocument => {
  const fetch = createGuardedFetch(limits);
  const unavailable = left(fault('remote-unavailable', 'What was to be fetched cannot be had.'));
  return async (address) => {
    if (!URL.canParse(address) || !(allowPlainHttp || new URL(address).protocol === 'https:')) return unavailable;
    try {
      const answer = await fetch(address, request);
      if (answer.status !== 200) return unavailable;
      const content = parseJson(new Uint8Array(await answer.arrayBuffer()));
      return isLeft(content)
        ? unavailable
        : right({ content: content.right, freshSeconds: freshSecondsOf(answer.headers) });
    } catch {
      // A reason would reveal our network to the party that named the URL.
      return unavailable;
    }
  };
};

export const openRemoteJson = (limits: Omit<RemoteLimits, 'largestBytes'>): RemoteJson => {
  const fetchDocument = openRemoteDocument({ ...limits, largestBytes });
  return async (address) => {
    const fetched = await fetchDocument(address);
    return isLeft(fetched) ? fetched : right(fetched.right.content);
  };
};
