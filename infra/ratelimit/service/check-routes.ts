/** `check` and `peek` over HTTP. A denial is an answer like any other: it is the caller's own limits that answer 429. */
import { isLeft } from 'fp-ts/Either';
import type * as t from 'io-ts';
import type { LimitRequest } from '../../../packages/ratelimit/src/index';
import { type Identity, type Route, route } from '../../http/route';
import { answerOf } from './answering';
import { eachOf, namedOf, requestOf } from './asking';
import { type Ask, decideBy, type RateLimiting } from './deciding';
import * as wire from './wire';

const limitRoute = route<RateLimiting>();
export const access = { scopes: ['ratelimit:check'] };

type AskOf<Given> = (given: Given) => Ask;
const checks: AskOf<wire.LimitCheck> = ({ mode = 'take' }) => (mode === 'take' ? 'check' : 'reserve');
const peeks: AskOf<wire.LimitPeek> = () => 'peek';

interface Asking<Given> {
  readonly given: Given;
  readonly request: LimitRequest;
  readonly ask: Ask;
}

const answering =
  (deps: RateLimiting, identity: Identity) =>
  async <Given extends wire.LimitPeek>({ given, request, ask }: Asking<Given>): Promise<wire.LimitDecision> => {
    const decide = async () => answerOf(await decideBy(deps)(ask, request), given);
    const named = ask === 'peek' ? undefined : namedOf(identity, given);
    return named === undefined ? decide() : deps.once(named, decide);
  };

type Handling<Given> = Pick<Route<RateLimiting, unknown, unknown, Given>, 'body' | 'answers' | 'handle'>;

const deciding = <Given extends wire.LimitPeek>(
  body: t.Type<Given, unknown>,
  askOf: AskOf<Given>,
): Handling<Given> => ({
  body,
  answers: { 200: { description: 'The decision, also where it is to deny.', body: wire.LimitDecision } },
  handle: async (deps, { identity, body: given }) => {
    const request = requestOf(deps.hasPlan)(identity, given, '/body');
    if (isLeft(request)) return request.left;
    const asking = { given, request: request.right, ask: askOf(given) };
    return { status: 200, body: await answering(deps, identity)(asking) };
  },
});

const decidingEach = <Given extends wire.LimitPeek>(
  body: t.Type<{ readonly requests: readonly Given[] }, unknown>,
  askOf: AskOf<Given>,
): Handling<{ readonly requests: readonly Given[] }> => ({
  body,
  answers: { 200: { description: 'Decisions, in the order of the requests.', body: wire.LimitDecisions } },
  handle: async (deps, { identity, body: { requests: given } }) => {
    const requests = eachOf(requestOf(deps.hasPlan), identity, given);
    if (isLeft(requests)) return requests.left;
    const all = given.flatMap((one, index): readonly Asking<Given>[] => {
      const request = requests.right[index];
      return request === undefined ? [] : [{ given: one, request, ask: askOf(one) }];
    });
    return { status: 200, body: { answers: await Promise.all(all.map(answering(deps, identity))) } };
  },
});

export const checkRateLimit = limitRoute({
  method: 'post',
  path: '/v1/ratelimit/check',
  operation: 'checkRateLimit',
  sensitive: false,
  limitGroup: 'decision',
  summary: 'May this request proceed? Takes what it weighs, or reserves it to be settled.',
  description:
    'With a `requestId` it may be asked again: what passed is answered as before and counted once, for a minute, or for ten where it was reserved. A denial is decided anew.',
  access,
  ...deciding(wire.LimitCheck, checks),
});

export const checkRateLimits = limitRoute({
  method: 'post',
  path: '/v1/ratelimit/check/batch',
  operation: 'checkRateLimits',
  sensitive: false,
  limitGroup: 'decision',
  summary: 'Up to 100 requests at once, each decided by itself.',
  access,
  ...decidingEach(wire.LimitChecks, checks),
});

export const peekRateLimit = limitRoute({
  method: 'post',
  path: '/v1/ratelimit/peek',
  operation: 'peekRateLimit',
  sensitive: false,
  limitGroup: 'decision',
  summary: 'What the decision would be. Takes nothing.',
  access,
  ...deciding(wire.LimitPeek, peeks),
});

export const peekRateLimits = limitRoute({
  method: 'post',
  path: '/v1/ratelimit/peek/batch',
  operation: 'peekRateLimits',
  sensitive: false,
  limitGroup: 'decision',
  summary: 'What up to 100 decisions would be, each by itself. Takes nothing.',
  access,
  ...decidingEach(wire.LimitPeeks, peeks),
});
