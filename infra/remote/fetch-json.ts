/** Fetches JSON from a URL of an untrusted party: https only, and without the reason of a failure. */
import { isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import { parseJson } from '../http/untrusted-json';
import type { RemoteJson } from '../ports/identity/remote-json';
import { createGuardedFetch, type FetchLimits } from './guarded-fetch';

const largestBytes = 256 * 1024;
const request = { method: 'GET', headers: { accept: 'application/json, application/jwk-set+json' } };

export const openRemoteJson = (limits: Omit<FetchLimits, 'largestBytes'>): RemoteJson => {
  const fetch = createGuardedFetch({ ...limits, largestBytes });
  const unavailable = left(fault('remote-unavailable', 'What was to be fetched cannot be had.'));
  return async (address) => {
    if (!URL.canParse(address) || new URL(address).protocol !== 'https:') return unavailable;
    try {
      const answer = await fetch(address, request);
      if (answer.status !== 200) return unavailable;
      const content = parseJson(new Uint8Array(await answer.arrayBuffer()));
      return isLeft(content) ? unavailable : right(content.right);
    } catch {
      // A reason would reveal our network to the party that named the URL.
      return unavailable;
    }
  };
};
