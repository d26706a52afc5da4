/** How much of the model service one tenant and one of its principals may use, where operators say nothing else (`MODELS_POLICY`). */
import type { Policy, Rule, RuleLimit } from '../../../packages/ratelimit/src/index';

/** Answers that take longer than that are charged as they were reserved. */
export const reservationMilliseconds = 1_200_000;

const perMinute = (limit: number, burst = limit): RuleLimit => ({
  algorithm: 'token-bucket',
  limit,
  periodMilliseconds: 60_000,
  burst,
});
const half = { local: 0.5 };

const tenantRules: readonly Rule[] = [
  { name: 'tenant-requests', by: ['tenant'], limit: perMinute(500), onStoreError: half },
  { name: 'tenant-tokens', by: ['tenant'], limit: perMinute(200_000), cost: { unit: 'tokens' }, onStoreError: half },
  {
    name: 'tenant-under-way',
    by: ['tenant'],
    limit: { algorithm: 'concurrency', limit: 100, leaseMilliseconds: reservationMilliseconds },
    cost: { unit: 'concurrent-requests' },
    onStoreError: half,
  },
];

/** No single one uses all that its tenant has, for longer than a moment. */
const userRules: readonly Rule[] = [
  { name: 'user-requests', by: ['tenant', 'user'], limit: perMinute(250), onStoreError: half },
  {
    name: 'user-tokens',
    by: ['tenant', 'user'],
    limit: perMinute(100_000, 200_000),
    cost: { unit: 'tokens' },
    onStoreError: half,
  },
];

export const defaultModelPolicy: Policy = { version: 'models-1', defaults: [...tenantRules, ...userRules] };
