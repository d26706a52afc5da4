/** Manifest of the rate limiter's pages. */
import type { Section } from '../shell/section';
import type * as Pages from './pages';

const page = (name: keyof typeof Pages) => async () => (await import('./pages'))[name];

export const ratelimit: Section = {
  title: 'Rate limits',
  group: 'services',
  scope: 'ratelimit:read',
  links: [{ path: '/console/rate-limits', label: 'Rate limits', key: 'r', words: ['429', 'quotas', 'throttled'] }],
  furtherLinks: [
    { path: '/console/rate-limits/refusals', label: 'Refusals by rate limits' },
    { path: '/console/rate-limits/usage', label: 'Usage of rate limits' },
    { path: '/console/rate-limits/policies', label: 'Rules of rate limits' },
  ],
  pages: [
    // A script of its own: it has charts.
    { path: '/console/rate-limits', load: async () => (await import('./overview-page')).RateLimitOverviewPage },
    { path: '/console/rate-limits/refusals', load: page('RefusalsPage') },
    { path: '/console/rate-limits/policies', load: page('PoliciesPage') },
    { path: '/console/rate-limits/usage', load: page('UsagePage') },
  ],
};
