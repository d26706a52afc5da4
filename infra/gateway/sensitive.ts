/**
 * Requests that do most harm in wrong hands: they take authority, give it, or end it, as their routes say. They wait for fresh word of
 * revocations, where others go on for a minute with what is known.
 */

import {
  longestSensitiveMilliseconds,
  type Revocations,
  unavailable,
} from '../../packages/resource-server/src/verification/index';
import type { Problem } from '../http/problem';
import { problemFor } from './authenticate';
import type { RouteMatch } from './learnt-routes';

const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Of a route that is not learnt yet every change is taken for one. */
export const isSensitive = (match: RouteMatch, method: string): boolean => {
  switch (match.kind) {
    case 'route':
      return match.route.sensitive;
    case 'unlearnt':
      return !reads.has(method);
    case 'not-found':
    case 'method-not-allowed':
      return false;
  }
};

export const staleFor = (
  match: RouteMatch,
  method: string,
  revocations: Pick<Revocations, 'stalenessMilliseconds'>,
): Problem | undefined => {
  if (revocations.stalenessMilliseconds() <= longestSensitiveMilliseconds || !isSensitive(match, method))
    return undefined;
  const detail = 'Revocations have not been heard of for some seconds; what this changes waits until they are.';
  return problemFor(unavailable('revocation-state-stale', detail));
};
