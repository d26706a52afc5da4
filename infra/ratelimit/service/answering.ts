/** A decision as callers see it: limits by unit; names of rules and dry runs, or what to answer with, only where they are asked for. */
import { type Decision, type LimitAnswer, limitHeaders, refusal } from '../../../packages/ratelimit/src/index';
import { estimateSourceOf } from '../../../packages/ratelimit/src/server';
import type { LimitDecision, LimitPeek } from './wire';

type Shown = LimitPeek['show'];

const limitOf = ({ unit, limit, remaining, resetSeconds, windowSeconds, over }: LimitAnswer) => ({
  ...{ unit, limit, remaining, resetSeconds, windowSeconds, over },
});

const limitsOf = ({ limits }: Decision, show: Shown): LimitDecision['limits'] =>
  show?.includes('rules')
    ? limits.map((one) => ({ ...limitOf(one), rule: one.rule, watched: one.watched }))
    : limits.filter(({ watched }) => !watched).map(limitOf);

/** What whoever asked the caller is told: headers in any case, and the rest where it is denied. */
const replyOf = (decision: Decision): LimitDecision['reply'] =>
  decision.outcome === 'deny' ? refusal(decision) : { headers: limitHeaders(decision) };

export const answerOf = (
  decision: Decision,
  { show = [], weight = {} }: Pick<LimitPeek, 'show' | 'weight'>,
): LimitDecision => {
  const estimateSource = estimateSourceOf(weight);
  const { outcome, reason, reservationId, turnMilliseconds, hint, message } = decision;
  return {
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(reservationId === undefined ? {} : { reservationId }),
    limits: limitsOf(decision, show),
    retryAfterSeconds: decision.retryAfterSeconds,
    ...(turnMilliseconds === 0 ? {} : { turnMilliseconds }),
    ...(hint === undefined ? {} : { hint }),
    ...(message === undefined ? {} : { message }),
    configVersion: decision.policyVersion,
    source: decision.source,
    ...(estimateSource === undefined ? {} : { estimateSource }),
    ...(show.includes('reply') ? { reply: replyOf(decision) } : {}),
  };
};
