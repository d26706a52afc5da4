/** `settle` over HTTP: the actual usage of a reserved request. */
import { isLeft } from 'fp-ts/Either';
import type { Rejection } from '../../../../domain/kernel/rejection';
import type { SettleOutcome } from '../../../../packages/ratelimit/src/index';
import { type Problem, type ProblemTable, problem, problemOf } from '../../../server/http/problem';
import { type JsonAnswer, route } from '../../../server/http/routing/route';
import type { DecisionDeps } from '../decision-service';
import { access } from './check-routes';
import { decodeBatch, decodeSettlement } from './message-mapping';
import * as wire from './messages';

const limitRoute = route<DecisionDeps>();

const reservationProblems = {
  'reservation-unknown': { status: 404, title: 'There is no such reservation' },
} as const satisfies ProblemTable;

/** Expired reservations and those of other tenants look the same: unknown. */
const reservationUnknown: Rejection<'reservation-unknown'> = {
  kind: 'rejection',
  code: 'reservation-unknown',
  detail: 'The reservation does not exist, has expired, or belongs to another caller.',
};
const storeUnavailable = 'The counters cannot be reached, so nothing was settled. Send the request again.';

const answerForOutcome = (outcome: SettleOutcome): JsonAnswer | Problem => {
  switch (outcome) {
    case 'settled':
    case 'settled-before':
      return { status: 200, body: { outcome } };
    case 'unknown':
      return problemOf(reservationUnknown, reservationProblems);
    case 'unavailable':
      return problem('service-unavailable', storeUnavailable);
  }
};

export const settleRateLimit = limitRoute({
  method: 'post',
  path: '/v1/ratelimit/settle',
  operation: 'settleRateLimit',
  example: { reservationId: 'r.018f2a5e.c2lnbmVk', actual: { inputTokens: 880, outputTokens: 310 } },
  sensitive: false,
  limitGroup: 'decision',
  summary: 'Settle a reservation: refunds what was not used, charges what exceeded it. May be repeated',
  access,
  body: wire.LimitSettlement,
  answers: { 200: { description: 'The reservation is settled, by this or an earlier request.', body: wire.Settled } },
  problems: reservationProblems,
  handle: async ({ limiter }, { identity, body }) => {
    const settling = decodeSettlement(identity, body, '/body');
    if (isLeft(settling)) return settling.left;
    return answerForOutcome(await limiter().settle(settling.right));
  },
});

export const settleRateLimits = limitRoute({
  method: 'post',
  path: '/v1/ratelimit/settle/batch',
  operation: 'settleRateLimits',
  example: { requests: [{ reservationId: 'r.018f2a5e.c2lnbmVk', actual: { inputTokens: 880, outputTokens: 310 } }] },
  sensitive: false,
  limitGroup: 'decision',
  summary: 'Settle up to 100 reservations, each by itself',
  access,
  body: wire.LimitSettlements,
  answers: { 200: { description: 'The outcomes, in the order of the requests.', body: wire.SettledEach } },
  handle: async ({ limiter }, { identity, body }) => {
    const settlings = decodeBatch(decodeSettlement, identity, body.requests);
    if (isLeft(settlings)) return settlings.left;
    const outcomes = await Promise.all(settlings.right.map((settling) => limiter().settle(settling)));
    return { status: 200, body: { answers: outcomes.map((outcome) => ({ outcome })) } };
  },
});
