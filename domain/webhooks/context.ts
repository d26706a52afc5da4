/** The manifest of webhooks: events of other contexts, sent to addresses of a tenant's receivers. */
import type { Context } from '../kernel/context';

export const context: Context = {
  name: 'webhooks',
  scopes: [
    { name: 'webhooks:read', description: 'See where events of your organization are sent, and whether they arrived' },
    { name: 'webhooks:write', description: 'Send events of your organization to any address, and deliver them again' },
  ],
  tags: [
    {
      name: 'webhooks',
      description:
        'Endpoints that events are sent to, signed after the Standard Webhooks specification, and deliveries.',
      paths: /^\/v1\/webhooks\//,
    },
  ],
  limitGroups: [],
  destinations: [],
  services: [],
};
