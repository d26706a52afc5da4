import { type WebhookEndpointEvent, webhookEndpoints } from '../../../domain/webhooks/endpoints/events';
import { patchRow, projection, putRow, removeRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type WebhookEndpointRow, webhookEndpointsView } from './view';

const patch = (
  { data: { endpointId }, at: { tenantId, revision }, event }: RecordedEvent<WebhookEndpointEvent>,
  fields: Partial<WebhookEndpointRow>,
) => patchRow<WebhookEndpointRow>({ tenantId, endpointId }, { ...fields, updatedAt: event.occurredAt, revision });

export const webhookEndpointsProjection = projection(webhookEndpointsView, [
  streamsOf(webhookEndpoints, {
    WebhookEndpointAdded: ({ data: { secretId: _, ...settings }, at, event: { occurredAt } }) =>
      putRow<WebhookEndpointRow>({
        ...settings,
        ...{ disabledReason: null, failingSince: null, earlierSecretUntil: null },
        ...{ createdAt: occurredAt, updatedAt: occurredAt },
        ...at,
      }),
    WebhookEndpointChanged: (recorded) => {
      const { url, eventTypes, description } = recorded.data;
      return patch(recorded, { url, eventTypes, description });
    },
    WebhookSecretRotated: (recorded) => patch(recorded, { earlierSecretUntil: recorded.data.earlierUntil }),
    WebhookEndpointFailing: (recorded) => patch(recorded, { failingSince: recorded.data.since }),
    WebhookEndpointRecovered: (recorded) => patch(recorded, { failingSince: null }),
    WebhookEndpointDisabled: (recorded) => patch(recorded, { disabledReason: recorded.data.reason }),
    WebhookEndpointEnabled: (recorded) => patch(recorded, { disabledReason: null, failingSince: null }),
    WebhookEndpointRemoved: ({ data: { endpointId }, at: { tenantId } }) =>
      removeRow<WebhookEndpointRow>({ tenantId, endpointId }),
  }),
]);
