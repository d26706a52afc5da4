/** The rate limiter's manifest: decisions for services of others, quotas, and models. */
import type { Context } from '../kernel/context';

export const context: Context = {
  name: 'ratelimit',
  // `ratelimit:record` cannot be granted: only the limiter has it. A tenant with it could lower its own recorded usage.
  scopes: [
    { name: 'ratelimit:check', description: 'Count requests against your limits' },
    { name: 'ratelimit:read', description: 'See your limits, what they refused and the usage of your quotas' },
    { name: 'models:use', description: 'Use the models that your organization pays for' },
  ],
  tags: [
    {
      name: 'rate-limits',
      description: 'Rate limit decisions, and usage of quotas.',
      paths: /^\/v1\/ratelimit\//,
    },
  ],
  // Customers' services call it before each of their own requests.
  limitGroups: [{ name: 'decision', methods: ['POST'], paths: ['/v1/ratelimit/**'], by: 'callers' }],
  destinations: [],
  services: [
    {
      name: 'ratelimit',
      title: 'rate limiter',
      entry: 'infra/ratelimit/service/main',
      appends: false,
      answerMilliseconds: 5_000,
      callsApis: true,
      signsAs: { principalId: 'ratelimit', scopes: ['ratelimit:record', 'ratelimit:read'] },
      secrets: [],
    },
  ],
};
