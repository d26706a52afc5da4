/** Posts a form to a URL of an untrusted party. Returns the status alone: the untrusted body is of no use. */
import { left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { RemoteForm } from '../../ports/identity/remote-form';
import { createGuardedFetch, type FetchLimits } from './guarded-fetch';

const largestBytes = 64 * 1024;
const headers = { 'content-type': 'application/x-www-form-urlencoded' };

export const openRemoteForm = (limits: Omit<FetchLimits, 'largestBytes'>): RemoteForm => {
  const fetch = createGuardedFetch({ ...limits, largestBytes });
  return async (address, fields) => {
    try {
      const answer = await fetch(address, { method: 'POST', headers, body: String(new URLSearchParams(fields)) });
      return right(answer.status);
    } catch {
      // A reason would reveal our network to the party that named the URL.
      return left(fault('remote-unavailable', 'The address does not answer.'));
    }
  };
};
