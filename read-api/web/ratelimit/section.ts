/** Manifest of the rate limiter's pages. */
import type { Section } from '../shell/section';
import type * as Pages from './pages';

const page = (name: keyof typeof Pages) => async () => (await import('./pages'))[name];

export const ratelimit: Section = {
  title: 'Limits',
  scope: 'ratelimit:read',
  links: [{ path: '/console/rate-limits', label: 'Rate limits', key: 'r' }],
  pages: [
    { path: '/console/rate-limits', load: page('RefusalsPage') },
    { path: '/console/rate-limits/policies', load: page('PoliciesPage') },
    { path: '/console/rate-limits/usage', load: page('UsagePage') },
  ],
};
