/** Webhook endpoints. */
import { record } from '../../domain/kernel/codec';
import { WebhookEndpointId } from '../../domain/webhooks/ids';
import { WebhookEndpointRow, webhookEndpointsView } from '../../projections/webhooks/endpoints/view';
import { oneRoute, pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';

const WebhookEndpoint = record('WebhookEndpoint', answerFields(WebhookEndpointRow));
const show = toResponseOf(WebhookEndpoint);
const scopes = ['webhooks:read'];

export const EndpointParams = record('WebhookEndpointParams', { endpointId: WebhookEndpointId });

export const listWebhookEndpoints = pageRoute({
  path: '/v1/webhooks/endpoints',
  operation: 'listWebhookEndpoints',
  summary: 'List webhook endpoints, newest first',
  scopes,
  params: record('NoParams', {}),
  item: WebhookEndpoint,
  view: webhookEndpointsView,
  filters: {},
  order: [
    { field: 'createdAt', direction: 'desc' },
    { field: 'endpointId', direction: 'desc' },
  ],
  rows: () => ({ where: {} }),
  show,
});

export const getWebhookEndpoint = oneRoute({
  path: '/v1/webhooks/endpoints/:endpointId',
  operation: 'getWebhookEndpoint',
  summary: 'Get a webhook endpoint',
  description: 'Its state, and whether earlier secrets still sign; no secret.',
  scopes,
  params: EndpointParams,
  item: WebhookEndpoint,
  query: ({ endpointId }) => ({
    view: webhookEndpointsView,
    key: { endpointId },
    show,
    missing: 'There is no such webhook endpoint.',
  }),
});
