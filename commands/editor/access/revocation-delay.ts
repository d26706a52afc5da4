import { setTimeout as sleep } from 'node:timers/promises';
import type { Route } from '../../../infra/http/route';

/**
 * Owners go by what they read of a document's roles for so long, and whoever takes a right away is answered after it: what is sent after
 * that answer is refused. By monotonic clocks of either, which need not agree on the time.
 */
export const permissionMaxAgeMilliseconds = 100;

/** Timers end up to a millisecond early, and no two clocks run alike. */
export const revocationDelayMilliseconds = permissionMaxAgeMilliseconds + 10;

/** Routes that may take somebody's right to edit away: answered when no owner of a document goes by what was read before. */

/** Also a repetition waits: it may have come at once, where the answer to the first was lost. */
export const withRevocationDelay = <Deps, Params, Query, Body>(
  route: Route<Deps, Params, Query, Body>,
): Route<Deps, Params, Query, Body> => ({
  ...route,
  handle: async (deps, request) => {
    const answer = await route.handle(deps, request);
    if (!('status' in answer) || answer.status < 400) await sleep(revocationDelayMilliseconds);
    return answer;
  },
});
