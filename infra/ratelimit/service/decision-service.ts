/** One decision by the policy that holds now, whichever door it is asked through; it is told to those who count. */
import type { Decision, Limiter, LimitRequest } from '../../../packages/ratelimit/src/index';
import type { IdempotentCheck } from './http/idempotent-checks';

export interface DecidedRequest {
  readonly request: LimitRequest;
  readonly seconds: number;
}

export interface DecisionDeps {
  /** As of the policy that holds now. */
  readonly limiter: () => Limiter;
  readonly hasPlan: (plan: string) => boolean;
  readonly onDecision: (decision: Decision, about: DecidedRequest) => void;
  /** For those who say by what name they may ask again. */
  readonly idempotent: IdempotentCheck;
}

export type DecisionKind = 'check' | 'reserve' | 'peek';

/** Who only looks is not counted: nothing was decided. */
export const createDecide =
  ({ limiter, onDecision }: Pick<DecisionDeps, 'limiter' | 'onDecision'>) =>
  async (kind: DecisionKind, request: LimitRequest): Promise<Decision> => {
    const began = performance.now();
    const decision = await limiter()[kind](request);
    if (kind !== 'peek') onDecision(decision, { request, seconds: (performance.now() - began) / 1_000 });
    return decision;
  };
