/** Administrators send a test event, and deliver again at once. */
import { isLeft, left, right } from 'fp-ts/Either';
import { record } from '../../domain/kernel/codec';
import { webhookDelivery } from '../../domain/webhooks/delivery/decider';
import { type WebhookMessage, webhookDeliveryStream } from '../../domain/webhooks/delivery/events';
import { webhookEndpointList } from '../../domain/webhooks/endpoints/decider';
import { webhookEndpointsStream } from '../../domain/webhooks/endpoints/events';
import { WebhookDeliveryId, WebhookEndpointId } from '../../domain/webhooks/ids';
import { problemOf } from '../../infra/server/http/problem';
import { commandRoute } from '../kernel/command-route';
import { loadStream } from '../kernel/load-stream';
import { EndpointPath, type WebhookDeps } from './endpoint-routes';
import { deliveryProblems } from './problems';

const scopes = ['webhooks:write'];
const answer = record('WebhookDeliveryAnswer', { deliveryId: WebhookDeliveryId });

export const testWebhookEndpoint = commandRoute<WebhookDeps>()({
  method: 'post',
  path: '/v1/webhooks/endpoints/:endpointId/test',
  operation: 'testWebhookEndpoint',
  summary: 'Send a test event',
  description: 'Its type is `webhook.test`. It is sent once, also where the endpoint is disabled.',
  scopes,
  sensitive: false,
  created: true,
  params: EndpointPath,
  answer,
  decider: webhookDelivery,
  problems: deliveryProblems,
  prepare: async ({ params: { endpointId }, tenantId, derivedId, at }, deps) => {
    const endpoints = await loadStream(deps, webhookEndpointList, webhookEndpointsStream(tenantId));
    if (isLeft(endpoints)) return left(problemOf(endpoints.left, {}));
    if ((endpoints.right.get(endpointId) ?? null) === null) {
      const detail = 'There is no such webhook endpoint.';
      return left(problemOf({ kind: 'rejection', code: 'webhook-endpoint-unknown', detail }, deliveryProblems));
    }
    const deliveryId = derivedId('webhook-delivery') as WebhookDeliveryId;
    const message: WebhookMessage = {
      ...{ eventId: derivedId('webhook-test'), eventType: 'webhook.test', occurredAt: at },
      data: { endpointId },
    };
    return right({
      stream: webhookDeliveryStream(tenantId, deliveryId),
      fresh: true,
      command: { type: 'RequestWebhookDelivery' as const, deliveryId, endpointId, message },
      answer: { deliveryId },
    });
  },
});

export const redeliverWebhook = commandRoute<WebhookDeps>()({
  method: 'post',
  path: '/v1/webhooks/endpoints/:endpointId/deliveries/:deliveryId/redeliver',
  operation: 'redeliverWebhook',
  summary: 'Deliver an event again',
  description:
    'Under the same `webhook-id`, with all attempts of a new delivery: at once, also where it waits for its next attempt.',
  scopes,
  sensitive: false,
  params: record('WebhookDeliveryPath', { endpointId: WebhookEndpointId, deliveryId: WebhookDeliveryId }),
  answer,
  decider: webhookDelivery,
  problems: deliveryProblems,
  prepare: ({ params: { endpointId, deliveryId }, tenantId }) =>
    right({
      stream: webhookDeliveryStream(tenantId, deliveryId),
      command: { type: 'RequestWebhookRedelivery' as const, deliveryId, endpointId },
      answer: { deliveryId },
    }),
});
