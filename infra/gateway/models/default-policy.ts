/** Default limits of the model service per tenant and principal (`MODELS_POLICY` replaces them). */
import type { Policy, Rule, RuleLimit } from '../../../packages/ratelimit/src/index';

/** Calls that take longer are charged with their reservation. */
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

/** One principal cannot use the whole limit of its tenant for long. */
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
