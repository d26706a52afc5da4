import type { Decision, LimitAnswer } from '../../../../packages/ratelimit/src/decision/decision';

export const limit = (changes: Partial<LimitAnswer> = {}): LimitAnswer => ({
  unit: 'requests',
  limit: 60,
  remaining: 12,
  resetSeconds: 30,
  windowSeconds: 60,
  over: false,
  watched: false,
  rule: 'secret-rule',
  ...changes,
});
export const decision = (limits: readonly LimitAnswer[], changes: Partial<Decision> = {}): Decision => ({
  outcome: 'allow',
  limits,
  retryAfterSeconds: 0,
  turnMilliseconds: 0,
  policyVersion: 'secret-version',
  source: 'store',
  ...changes,
});
