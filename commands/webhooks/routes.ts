/** Routes of webhooks on the write side. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { redeliverWebhook, testWebhookEndpoint } from './delivery-routes';
import {
  addWebhookEndpoint,
  changeWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  type WebhookDeps,
} from './endpoint-routes';

export const webhookRoutes = (deps: WebhookDeps): readonly BoundRoute[] => [
  bind(deps, addWebhookEndpoint),
  bind(deps, changeWebhookEndpoint),
  bind(deps, rotateWebhookSecret),
  bind(deps, disableWebhookEndpoint),
  bind(deps, enableWebhookEndpoint),
  bind(deps, removeWebhookEndpoint),
  bind(deps, testWebhookEndpoint),
  bind(deps, redeliverWebhook),
];
