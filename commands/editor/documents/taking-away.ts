/** Routes that may take somebody's right to edit away: answered when no owner of a document goes by what was read before. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Route } from '../../../infra/http/route';
import { takenAwayMilliseconds } from '../access/age';

/** Also a repetition waits: it may have come at once, where the answer to the first was lost. */
export const slowlyTakenAway = <Deps, Params, Query, Body>(
  route: Route<Deps, Params, Query, Body>,
): Route<Deps, Params, Query, Body> => ({
  ...route,
  handle: async (deps, request) => {
    const answer = await route.handle(deps, request);
    if (!('status' in answer) || answer.status < 400) await sleep(takenAwayMilliseconds);
    return answer;
  },
});
