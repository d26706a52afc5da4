import { type WebhookDeliveryEvent, webhookDeliveries } from '../../../domain/webhooks/delivery/events';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type WebhookDeliveryRow, webhookDeliveriesView } from './view';

const patch = (
  { data: { deliveryId }, at: { tenantId, revision } }: RecordedEvent<WebhookDeliveryEvent>,
  fields: Partial<WebhookDeliveryRow>,
) => patchRow<WebhookDeliveryRow>({ tenantId, deliveryId }, { ...fields, revision });

const unattempted = { attempts: 0, statusCode: null, fault: null, excerpt: '', attemptedAt: null };

export const webhookDeliveriesProjection = projection(webhookDeliveriesView, [
  streamsOf(webhookDeliveries, {
    WebhookDeliveryRequested: ({
      data: { deliveryId, endpointId, message },
      at,
      event: { occurredAt: requestedAt },
    }) => {
      const { eventId, eventType, occurredAt } = message;
      return putRow<WebhookDeliveryRow>({
        ...{ deliveryId, endpointId, eventId, eventType, occurredAt, status: 'pending' },
        ...{ ...unattempted, requestedAt, nextAttemptAt: requestedAt },
        ...at,
      });
    },
    WebhookDelivered: (recorded) => {
      const { attempt: attempts, attemptedAt, statusCode } = recorded.data;
      const made = { attempts, attemptedAt, statusCode, fault: null, excerpt: '' };
      return patch(recorded, { status: 'delivered', ...made, nextAttemptAt: null });
    },
    WebhookAttemptFailed: (recorded) => {
      const { attempt: attempts, attemptedAt, statusCode, fault, excerpt, nextAttemptAt } = recorded.data;
      const status = nextAttemptAt === null ? 'failed' : 'pending';
      return patch(recorded, { status, attempts, attemptedAt, statusCode, fault, excerpt, nextAttemptAt });
    },
    WebhookDeliveryCanceled: (recorded) => patch(recorded, { status: 'canceled', nextAttemptAt: null }),
    WebhookRedeliveryRequested: (recorded) =>
      patch(recorded, { status: 'pending', nextAttemptAt: recorded.event.occurredAt }),
  }),
]);
