/**
 * Requests that do most harm in wrong hands: they take authority, give it, or end it. They wait for fresh word of revocations,
 * where others go on for a minute with what is known.
 */
import type { Problem } from '../http/problem';
import { unavailable } from '../verify/refusal';
import { longestSensitiveMilliseconds, type Revocations } from '../verify/revocations';
import { problemFor } from './authenticate';

/** Changes only: a look at these is no more than any other. */
const sensitive = [
  /^\/v1\/tokens\/revoke$/,
  /^\/v1\/principals(\/|$)/,
  /^\/v1\/people(\/|$)/,
  /^\/v1\/sessions(\/|$)/,
  /^\/v1\/sign-in-policy$/,
  /^\/v1\/credential-policy$/,
  /^\/v1\/clients(\/|$)/,
  /^\/v1\/grants(\/|$)/,
  /^\/v1\/refresh-families(\/|$)/,
  /^\/v1\/keys(\/|$)/,
  /^\/v1\/signing-keys(\/|$)/,
  /^\/v1\/security(\/|$)/,
  /^\/v1\/delegations(\/|$)/,
  /^\/v1\/privacy(\/|$)/,
  /^\/v1\/platform(\/|$)/,
  /^\/oauth\/register(\/|$)/,
];

const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

export const isSensitive = (method: string, target: string): boolean => {
  const [path = ''] = target.split('?');
  return !reads.has(method) && sensitive.some((shape) => shape.test(path));
};

export const staleFor = (
  { method = '', url = '' }: { readonly method?: string | undefined; readonly url?: string | undefined },
  revocations: Pick<Revocations, 'stalenessMilliseconds'>,
): Problem | undefined => {
  if (revocations.stalenessMilliseconds() <= longestSensitiveMilliseconds || !isSensitive(method, url))
    return undefined;
  const detail = 'Revocations have not been heard of for some seconds; what this changes waits until they are.';
  return problemFor(unavailable('revocation-state-stale', detail));
};
