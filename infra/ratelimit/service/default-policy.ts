/**
 * The policy without configuration: enough for an application of middling size, and an example of how rules are
 * written.
 */
import type { Policy, Rule } from '../../../packages/ratelimit/src/index';

const minute = 60_000;

const tenantRequests: Rule = {
  name: 'tenant-requests',
  by: ['tenant'],
  limit: { algorithm: 'token-bucket', limit: 1_000, periodMilliseconds: 1_000, burst: 2_000 },
  onStoreError: { local: 0.5 },
};

const userRequests: Rule = {
  name: 'user-requests',
  by: ['tenant', 'user'],
  when: { user: ['*'] },
  limit: { algorithm: 'token-bucket', limit: 600, periodMilliseconds: minute, burst: 100 },
  onStoreError: { local: 0.5 },
};

const addressRequests: Rule = {
  name: 'address-requests',
  by: ['tenant', 'ip'],
  when: { ip: ['0.0.0.0/0', '::/0'] },
  limit: { algorithm: 'sliding-counter', limit: 1_200, periodMilliseconds: minute },
  onStoreError: 'allow',
};

const userTokens: Rule = {
  name: 'user-tokens',
  by: ['tenant', 'user', 'model'],
  when: { user: ['*'], model: ['*'] },
  limit: { algorithm: 'token-bucket', limit: 200_000, periodMilliseconds: minute, burst: 200_000 },
  cost: { unit: 'tokens', outputWhenUnknown: { default: 1_024 } },
  onStoreError: { local: 0.5 },
};

export const defaultPolicy: Policy = {
  version: 'built-in-1',
  defaults: [tenantRequests, userRequests, addressRequests, userTokens],
};
