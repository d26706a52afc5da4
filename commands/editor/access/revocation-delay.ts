import { setTimeout as sleep } from 'node:timers/promises';
import type { Route } from '../../../infra/server/http/routing/route';

/**
 * Owners use cached access state up to a maximum age, and routes that revoke a permission answer after it. So batches
 * sent after that answer are rejected. Both sides use monotonic clocks, which need not agree.
 */
export const permissionMaxAgeMilliseconds = 100;

/** Timers may fire a millisecond early, and clocks differ in speed. */
export const revocationDelayMilliseconds = permissionMaxAgeMilliseconds + 10;

/** A repeated command waits too: the first attempt may have been recorded just before, and its answer lost. */
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
