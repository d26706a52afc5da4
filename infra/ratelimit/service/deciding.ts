/** One decision by the policy that holds now, whichever door it is asked through; it is told to those who count. */
import type { Decision, Limiter, LimitRequest } from '../../../packages/ratelimit/src/index';
import type { Once } from './once';

export interface About {
  readonly request: LimitRequest;
  readonly seconds: number;
}

export interface RateLimiting {
  /** As of the policy that holds now. */
  readonly limiter: () => Limiter;
  readonly hasPlan: (plan: string) => boolean;
  readonly decided: (decision: Decision, about: About) => void;
  /** For those who say by what name they may ask again. */
  readonly once: Once;
}

export type Ask = 'check' | 'reserve' | 'peek';

/** Who only looks is not counted: nothing was decided. */
export const decideBy =
  ({ limiter, decided }: Pick<RateLimiting, 'limiter' | 'decided'>) =>
  async (ask: Ask, request: LimitRequest): Promise<Decision> => {
    const began = performance.now();
    const decision = await limiter()[ask](request);
    if (ask !== 'peek') decided(decision, { request, seconds: (performance.now() - began) / 1_000 });
    return decision;
  };
