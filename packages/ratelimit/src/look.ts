/** What a policy says of a request before anything is counted. */
import { allowed, blocked, tooLarge } from './answers';
import { type Candidate, candidatesOf } from './candidates';
import { checkWeight } from './cost';
import type { Decision, LimitRequest, Weight } from './decision';
import type { Dimensions } from './dimensions';
import type { CompiledPolicy } from './rules';

export type Kind = 'check' | 'reserve' | 'peek';

/** What is to be counted before it can be answered. */
export interface Looked {
  readonly kind: Kind;
  readonly request: LimitRequest;
  readonly dimensions: Dimensions;
  readonly candidates: readonly Candidate[];
}

interface Looking {
  readonly compiled: CompiledPolicy;
  readonly now: () => number;
}

const noWeight: Weight = {};

/** Throws on what is no weight, and on a plan that the policy does not have. */
export const look = ({ compiled, now }: Looking, kind: Kind, request: LimitRequest): Decision | Looked => {
  const { weight = noWeight, target, plan, timeZone = 'UTC' } = request;
  if (weight !== noWeight) checkWeight(weight);
  const dimensions: Dimensions = compiled.routed(request.dimensions, target);
  const [block] = compiled.blocks(dimensions);
  if (block !== undefined) return blocked(compiled.version, block.message);
  if (compiled.allow(dimensions).length > 0) return allowed(compiled.version);
  const caller = { dimensions, weight, timeZone, now: now(), isReserved: kind === 'reserve' };
  const candidates = candidatesOf(compiled.rulesFor(dimensions, plan), caller);
  if ('capacity' in candidates) return tooLarge(compiled.version, candidates);
  return candidates.length === 0 ? allowed(compiled.version) : { kind, request, dimensions, candidates };
};
