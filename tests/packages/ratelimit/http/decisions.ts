import type { Decision, LimitStatus } from '../../../../packages/ratelimit/src/decision/decision';

export const limit = (changes: Partial<LimitStatus> = {}): LimitStatus => ({
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
export const decision = (limits: readonly LimitStatus[], changes: Partial<Decision> = {}): Decision => ({
  outcome: 'allow',
  limits,
  retryAfterSeconds: 0,
  turnMilliseconds: 0,
  policyVersion: 'secret-version',
  source: 'store',
  ...changes,
});
