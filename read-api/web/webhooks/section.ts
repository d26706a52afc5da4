/** Manifest of the pages of webhooks. */
import type { Section } from '../shell/section';
import type * as Pages from './pages';

const page = (name: keyof typeof Pages) => async () => (await import('./pages'))[name];

export const webhooks: Section = {
  title: 'Webhooks',
  group: 'services',
  scope: 'webhooks:read',
  links: [{ path: '/console/webhooks', label: 'Webhooks', key: '0', words: ['notifications', 'callbacks', 'events'] }],
  furtherLinks: [],
  pages: [
    { path: '/console/webhooks', load: page('EndpointListPage') },
    { path: '/console/webhooks/:endpointId', load: page('EndpointPage') },
  ],
};
