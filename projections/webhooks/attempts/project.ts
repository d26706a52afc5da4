import { webhookDeliveries } from '../../../domain/webhooks/delivery/events';
import { projection, putRow, streamsOf } from '../../kernel/projection';
import { type WebhookAttemptRow, webhookAttemptsView } from './view';

export const webhookAttemptsProjection = projection(webhookAttemptsView, [
  streamsOf(webhookDeliveries, {
    WebhookDelivered: ({ data, at }) => putRow<WebhookAttemptRow>({ ...data, fault: null, excerpt: '', ...at }),
    WebhookAttemptFailed: ({ data: { nextAttemptAt: _, ...attempt }, at }) =>
      putRow<WebhookAttemptRow>({ ...attempt, ...at }),
    ignored: ['WebhookDeliveryRequested', 'WebhookDeliveryCanceled', 'WebhookRedeliveryRequested'],
  }),
]);
