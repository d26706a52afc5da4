/** Deliveries of events to webhook endpoints, with the newest attempt of each. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, nullable, oneOf, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import {
  AnswerExcerpt,
  AttemptFault,
  DeliveredEventType,
  WebhookMessageId,
} from '../../../domain/webhooks/delivery/events';
import { WebhookDeliveryId, WebhookEndpointId } from '../../../domain/webhooks/ids';
import { type TableView, table } from '../../kernel/view';

/** `failed`: given up; `canceled`: its endpoint was disabled or removed before an attempt. */
const DeliveryStatus = oneOf('WebhookDeliveryStatus', ['pending', 'delivered', 'failed', 'canceled']);

export const WebhookDeliveryRow = record('WebhookDeliveryRow', {
  tenantId: TenantId,
  deliveryId: WebhookDeliveryId,
  endpointId: WebhookEndpointId,
  /** The `webhook-id` of each attempt. */
  eventId: WebhookMessageId,
  eventType: DeliveredEventType,
  occurredAt: Instant,
  status: DeliveryStatus,
  attempts: integer(0),
  /** Of the newest attempt; null: no answer, or no attempt yet. */
  statusCode: nullable(integer(100, 599)),
  fault: nullable(AttemptFault),
  excerpt: AnswerExcerpt,
  attemptedAt: nullable(Instant),
  /** Null: no attempt follows. */
  nextAttemptAt: nullable(Instant),
  requestedAt: Instant,
  revision: integer(0),
});
export type WebhookDeliveryRow = TypeOf<typeof WebhookDeliveryRow>;

export const webhookDeliveriesView: TableView<WebhookDeliveryRow> = table({
  name: 'webhooks_deliveries',
  version: 1,
  row: WebhookDeliveryRow,
  key: ['tenantId', 'deliveryId'],
  indexes: [['tenantId', 'endpointId', 'requestedAt', 'deliveryId']],
});
