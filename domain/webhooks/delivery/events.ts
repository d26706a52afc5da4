/** Events of a delivery: one event on its way to one endpoint. */
import * as t from 'io-ts';
import { Instant, integer, mapOf, nullable, oneOf, record, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { webhookEventTypes } from '../endpoints/events';
import { WebhookDeliveryId, WebhookEndpointId } from '../ids';

/** `webhook.test` is sent by an administrator, whatever the endpoint has chosen. */
export const DeliveredEventType = oneOf('DeliveredEventType', [...webhookEventTypes, 'webhook.test']);

export const WebhookMessageId = text('WebhookMessageId', {
  maxLength: 64,
  pattern: '[A-Za-z0-9-]+',
  examples: ['0b0e6f3c-5f1c-5d1e-9a52-1a2b3c4d5e6f'],
});

/** Ids, numbers and codes: nothing secret, and no keys or addresses of objects. */
const WebhookData = mapOf('WebhookData', {
  key: text('WebhookDataField', { maxLength: 40, pattern: '[a-z][A-Za-z]*', examples: ['videoId'] }),
  value: t.union([text('WebhookDataText', { maxLength: 256 }), integer()]),
  most: 16,
});

/** What is sent: the same in every attempt. */
export const WebhookMessage = record('WebhookMessage', {
  eventId: WebhookMessageId,
  eventType: DeliveredEventType,
  occurredAt: Instant,
  data: WebhookData,
});
export type WebhookMessage = t.TypeOf<typeof WebhookMessage>;

/** `address-refused`: the name of the receiver does not lead to a public address. */
export const AttemptFault = oneOf('WebhookAttemptFault', ['no-answer', 'timed-out', 'address-refused']);
export type AttemptFault = t.TypeOf<typeof AttemptFault>;

/** The beginning of what the receiver answered. */
export const AnswerExcerpt = text('WebhookAnswerExcerpt', { content: 'any', minLength: 0, maxLength: 200 });

const attempt = {
  deliveryId: WebhookDeliveryId,
  endpointId: WebhookEndpointId,
  /** From 1, over all rounds. */
  attempt: integer(1),
  attemptedAt: Instant,
  milliseconds: integer(0),
};

export const webhookDeliveries = aggregate(
  { context: 'webhooks', name: 'delivery', id: WebhookDeliveryId },
  {
    WebhookDeliveryRequested: {
      v: 1,
      data: { deliveryId: WebhookDeliveryId, endpointId: WebhookEndpointId, message: WebhookMessage },
    },
    WebhookDelivered: { v: 1, data: { ...attempt, statusCode: integer(200, 299) } },
    WebhookAttemptFailed: {
      v: 1,
      data: {
        ...attempt,
        /** Null: no answer. */
        statusCode: nullable(integer(100, 599)),
        fault: nullable(AttemptFault),
        excerpt: AnswerExcerpt,
        /** Null: the delivery is given up. */
        nextAttemptAt: nullable(Instant),
      },
    },
    /** Its endpoint was disabled or removed before an attempt. */
    WebhookDeliveryCanceled: { v: 1, data: { deliveryId: WebhookDeliveryId } },
    /** By hand: another round of attempts that begins at once, under the same id of the event. */
    WebhookRedeliveryRequested: { v: 1, data: { deliveryId: WebhookDeliveryId, attempt: integer(1) } },
  },
);
export type WebhookDeliveryEvent = typeof webhookDeliveries.Event;

export const { stream: webhookDeliveryStream } = webhookDeliveries;
