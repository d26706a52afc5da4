/** Attempts of deliveries, each as it ended. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, nullable, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { AnswerExcerpt, AttemptFault } from '../../../domain/webhooks/delivery/events';
import { WebhookDeliveryId, WebhookEndpointId } from '../../../domain/webhooks/ids';
import { type TableView, table } from '../../kernel/view';

export const WebhookAttemptRow = record('WebhookAttemptRow', {
  tenantId: TenantId,
  deliveryId: WebhookDeliveryId,
  attempt: integer(1),
  endpointId: WebhookEndpointId,
  attemptedAt: Instant,
  milliseconds: integer(0),
  /** Null: no answer. */
  statusCode: nullable(integer(100, 599)),
  fault: nullable(AttemptFault),
  excerpt: AnswerExcerpt,
  revision: integer(0),
});
export type WebhookAttemptRow = TypeOf<typeof WebhookAttemptRow>;

export const webhookAttemptsView: TableView<WebhookAttemptRow> = table({
  name: 'webhooks_attempts',
  version: 1,
  row: WebhookAttemptRow,
  key: ['tenantId', 'deliveryId', 'attempt'],
});
