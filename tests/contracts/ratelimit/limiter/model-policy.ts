/** Limits of a model: requests, tokens, and how many at once. */
import type { Policy, Rule } from '../../../../packages/ratelimit/src/policy/policy';

const day = 86_400_000;
export const models = (changes: Partial<Rule> = {}): Policy => ({
  version: 'v',
  defaults: [
    {
      name: 'rpm',
      by: ['tenant'],
      limit: { algorithm: 'fixed-window', limit: 10, periodMilliseconds: day },
      onStoreError: 'deny',
    },
    {
      name: 'tpm',
      by: ['tenant'],
      limit: { algorithm: 'token-bucket', limit: 1, periodMilliseconds: day, burst: 1_000 },
      cost: { unit: 'tokens', byModel: { big: 2_000 } },
      onStoreError: 'deny',
      ...changes,
    },
    {
      name: 'busy',
      by: ['tenant'],
      limit: { algorithm: 'concurrency', limit: 5, leaseMilliseconds: day },
      onStoreError: 'deny',
    },
  ],
});
