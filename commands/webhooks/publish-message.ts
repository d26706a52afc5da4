/** Requests a delivery of a message for each endpoint that has chosen its type. */
import { isLeft, left, right } from 'fp-ts/Either';
import { TenantId } from '../../domain/kernel/ids';
import { send } from '../../domain/kernel/process';
import type { WebhookMessage } from '../../domain/webhooks/delivery/events';
import { webhookEndpointList } from '../../domain/webhooks/endpoints/decider';
import { webhookEndpointsStream } from '../../domain/webhooks/endpoints/events';
import type { WebhookEndpoint } from '../../domain/webhooks/endpoints/state';
import type { WebhookDeliveryId, WebhookEndpointId } from '../../domain/webhooks/ids';
import { derivedId } from '../kernel/deterministic-ids';
import { loadStream, type StreamSource } from '../kernel/load-stream';
import { again, type PerformJob } from '../kernel/work-queue/job-handler';

const wants = (endpoint: WebhookEndpoint, { eventType }: WebhookMessage): boolean =>
  endpoint.disabled === null && endpoint.eventTypes.some((type) => type === eventType);

/** The same for a message that is published again. */
const deliveryIdOf = (tenant: TenantId, endpointId: WebhookEndpointId, { eventId }: WebhookMessage) =>
  derivedId('webhook-delivery', tenant, endpointId, eventId) as WebhookDeliveryId;

export const publishMessage =
  (deps: StreamSource): PerformJob<WebhookMessage> =>
  async ({ tenant, payload: message }) => {
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    const endpoints = await loadStream(deps, webhookEndpointList, webhookEndpointsStream(tenant));
    if (isLeft(endpoints)) return again(endpoints.left.detail);
    const requests = [...endpoints.right].flatMap(([endpointId, endpoint]) => {
      if (endpoint === null || !wants(endpoint, message)) return [];
      const deliveryId = deliveryIdOf(tenant, endpointId, message);
      const command = { type: 'RequestWebhookDelivery' as const, deliveryId, endpointId, message };
      return [send('webhooks.delivery', deliveryId, command)];
    });
    return right(requests);
  };
