/** Deliveries to a webhook endpoint, and their attempts. */
import { record } from '../../domain/kernel/codec';
import { WebhookDeliveryId, WebhookEndpointId } from '../../domain/webhooks/ids';
import { WebhookAttemptRow, webhookAttemptsView } from '../../projections/webhooks/attempts/view';
import { WebhookDeliveryRow, webhookDeliveriesView } from '../../projections/webhooks/deliveries/view';
import { definedFields } from '../kernel/defined-fields';
import { pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { EndpointParams } from './endpoints';

const scopes = ['webhooks:read'];

const deliveryFields = answerFields(WebhookDeliveryRow);
const { status } = deliveryFields;
const WebhookDelivery = record('WebhookDelivery', deliveryFields);

export const listWebhookDeliveries = pageRoute({
  path: '/v1/webhooks/endpoints/:endpointId/deliveries',
  operation: 'listWebhookDeliveries',
  summary: 'List deliveries to a webhook endpoint, newest first',
  scopes,
  params: EndpointParams,
  item: WebhookDelivery,
  view: webhookDeliveriesView,
  filters: { status },
  order: [
    { field: 'requestedAt', direction: 'desc' },
    { field: 'deliveryId', direction: 'desc' },
  ],
  rows: ({ endpointId }, filters) => ({ where: { endpointId, ...definedFields({ status: filters.status }) } }),
  show: toResponseOf(WebhookDelivery),
});

const WebhookAttempt = record('WebhookDeliveryAttempt', answerFields(WebhookAttemptRow));

export const listWebhookAttempts = pageRoute({
  path: '/v1/webhooks/endpoints/:endpointId/deliveries/:deliveryId/attempts',
  operation: 'listWebhookAttempts',
  summary: 'List the attempts of a delivery, newest first',
  scopes,
  params: record('WebhookDeliveryParams', { endpointId: WebhookEndpointId, deliveryId: WebhookDeliveryId }),
  item: WebhookAttempt,
  view: webhookAttemptsView,
  filters: {},
  order: [{ field: 'attempt', direction: 'desc' }],
  rows: ({ endpointId, deliveryId }) => ({ where: { endpointId, deliveryId } }),
  show: toResponseOf(WebhookAttempt),
});
