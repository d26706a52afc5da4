/** What the API answers about webhooks. */
export type {
  WebhookDelivery as Delivery,
  WebhookDeliveryAttempt as Attempt,
  WebhookEndpoint,
  WebhookEventType,
  WebhookSettings,
} from '../../../packages/client/src/schemas';
