/** Rules as tests write them, and limiters over a store in memory. */
import type { LimitRequest } from '../../../../packages/ratelimit/src/decision/decision';
import {
  createLimiter,
  type LimiterOptions,
  type PolicyLimiter,
} from '../../../../packages/ratelimit/src/decision/limiter';
import type { Policy, Rule } from '../../../../packages/ratelimit/src/policy/policy';
import { type MemoryStore, memoryStore } from './memory-store';

export const rule = (name: string, changes: Partial<Rule> = {}): Rule => ({
  name,
  by: ['tenant'],
  limit: { algorithm: 'fixed-window', limit: 10, periodMilliseconds: 60_000 },
  onStoreError: 'deny',
  ...changes,
});

export const tokens = (name: string, limit: number, changes: Partial<Rule> = {}): Rule =>
  rule(name, {
    limit: { algorithm: 'token-bucket', limit, periodMilliseconds: 60_000, burst: limit },
    cost: { unit: 'tokens' },
    ...changes,
  });

export const policy = (defaults: readonly Rule[], changes: Partial<Policy> = {}): Policy => ({
  version: 'v1',
  defaults,
  ...changes,
});

export interface Stage {
  readonly store: MemoryStore;
  readonly limiter: PolicyLimiter;
}

export const stage = (written: Policy, options: Partial<LimiterOptions> = {}): Stage => {
  const store = memoryStore();
  return { store, limiter: createLimiter({ store, policy: written, ...options }) };
};

export const requestOf = (tenant: string, changes: Partial<LimitRequest> = {}): LimitRequest => ({
  dimensions: { tenant },
  ...changes,
});
