/** Webhooks on the query side. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { queryContext } from '../kernel/context';
import type { QueryDeps } from '../kernel/row-queries';
import { listWebhookAttempts, listWebhookDeliveries } from './deliveries';
import { getWebhookEndpoint, listWebhookEndpoints } from './endpoints';

export const webhookRoutes = (reading: QueryDeps): readonly BoundRoute[] => [
  bind(reading, listWebhookEndpoints),
  bind(reading, getWebhookEndpoint),
  bind(reading, listWebhookDeliveries),
  bind(reading, listWebhookAttempts),
];

export const context = queryContext({
  config: {},
  open: (_values, { reading }) => ({ deps: reading }),
  routes: webhookRoutes,
});
