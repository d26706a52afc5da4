/** Applies the blocks and the allow list, and finds the limits of a request before anything is counted. */

import type { CompiledPolicy } from '../policy/compile-policy';
import type { Dimensions } from '../policy/dimensions';
import { type ApplicableLimit, findApplicableLimits } from './applicable-limits';
import { allowed, blocked, tooLarge } from './build-decision';
import type { Decision, LimitRequest, Weight } from './decision';
import { checkWeight } from './request-cost';

export type DecisionKind = 'check' | 'reserve' | 'peek';

/** A request whose limits must be counted. */
export interface EvaluatedRequest {
  readonly kind: DecisionKind;
  readonly request: LimitRequest;
  readonly dimensions: Dimensions;
  readonly limits: readonly ApplicableLimit[];
}

interface EvaluationDeps {
  readonly compiled: CompiledPolicy;
  readonly now: () => number;
}

const noWeight: Weight = {};

/** Throws on an invalid weight and on a plan that the policy does not have. */
export const evaluatePolicy = (
  { compiled, now }: EvaluationDeps,
  kind: DecisionKind,
  request: LimitRequest,
): Decision | EvaluatedRequest => {
  const { weight = noWeight, target, plan, timeZone = 'UTC' } = request;
  if (weight !== noWeight) checkWeight(weight);
  const dimensions: Dimensions = compiled.withRoute(request.dimensions, target);
  const [block] = compiled.blocks(dimensions);
  if (block !== undefined) return blocked(compiled.version, block.message);
  if (compiled.allow(dimensions).length > 0) return allowed(compiled.version);
  const costed = { dimensions, weight, timeZone, now: now(), isReserved: kind === 'reserve' };
  const limits = findApplicableLimits(compiled.rulesFor(dimensions, plan), costed);
  if ('capacity' in limits) return tooLarge(compiled.version, limits);
  return limits.length === 0 ? allowed(compiled.version) : { kind, request, dimensions, limits };
};
