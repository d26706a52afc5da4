/**
 * Decides one request by the policy in force, for every endpoint, and reports the decision to metrics and telemetry.
 */
import type { Decision, Limiter, LimitRequest } from '../../../packages/ratelimit/src/index';
import type { IdempotentCheck } from './http/idempotent-checks';

export interface DecidedRequest {
  readonly request: LimitRequest;
  readonly seconds: number;
}

export interface DecisionDeps {
  /** Of the policy in force. */
  readonly limiter: () => Limiter;
  readonly hasPlan: (plan: string) => boolean;
  readonly onDecision: (decision: Decision, about: DecidedRequest) => void;
  /** Answers retries under the same request id as before. */
  readonly idempotent: IdempotentCheck;
}

export type DecisionKind = 'check' | 'reserve' | 'peek';

/** A peek decides nothing and is not reported. */
export const createDecide =
  ({ limiter, onDecision }: Pick<DecisionDeps, 'limiter' | 'onDecision'>) =>
  async (kind: DecisionKind, request: LimitRequest): Promise<Decision> => {
    const began = performance.now();
    const decision = await limiter()[kind](request);
    if (kind !== 'peek') onDecision(decision, { request, seconds: (performance.now() - began) / 1_000 });
    return decision;
  };
